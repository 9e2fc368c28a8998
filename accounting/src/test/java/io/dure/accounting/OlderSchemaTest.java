package io.dure.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database of an older release keeps what it has; one of a newer release is left alone. */
@Tag("process")
class OlderSchemaTest {
  private static final Instant MONTH = Instant.parse("2026-01-01T00:00:00Z");
  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, false, true, null, null, null);

  @TempDir Path temp;

  @AfterAll
  static void stopServers() throws IOException {
    TestDatabases.stop();
  }

  private static void migrateTo(String version, HikariConfig pool, SqlDialect dialect) {
    String folder = "classpath:io/dure/accounting/";
    try (HikariDataSource source = new HikariDataSource(pool)) {
      Flyway.configure()
          .dataSource(source)
          .locations(
              folder + "migrations",
              folder
                  + (dialect == SqlDialect.POSTGRESQL
                      ? "migrations"
                      : dialect.name().toLowerCase(Locale.ROOT)))
          .placeholders(dialect.placeholders())
          .table("schema_history")
          .target(version)
          .load()
          .migrate();
    }
  }

  @ParameterizedTest
  @EnumSource(SqlDialect.class)
  void sumsOfARowForEachResourceAreCarriedOver(SqlDialect dialect) throws Exception {
    Path file = temp.resolve("old.db");
    AccountingServer server =
        dialect == SqlDialect.SQLITE
            ? null
            : TestDatabases.server(DatabaseServer.Kind.valueOf(dialect.name()));
    migrateTo(
        "5",
        server == null ? DatabasePool.embedded(file) : DatabasePool.forMigration(server),
        dialect);
    try (AccountingDatabase database =
        server == null ? AccountingDatabase.inFile(file) : AccountingDatabase.on(server)) {
      Map<String, Long> sums = Map.of("cpu", 50L, "mem", 7000L, "gres/gpu", 3L, "gres/gpu:a", 2L);
      fill(database, sums);
      assertEquals(dialect == SqlDialect.SQLITE ? 5 : 4, database.migrate());
      assertEquals(
          "7 batch 5 [1, 2]",
          database
              .jdbi()
              .withHandle(handle ->
                  handle
                      .createQuery("SELECT job_id, step_name, end_time, used FROM step")
                      .map((row, _) ->
                          row.getInt(1)
                              + " "
                              + row.getString(2)
                              + " "
                              + row.getLong(3)
                              + " "
                              + Arrays.toString(row.getBytes(4)))
                      .one()));
      Map<String, Long> found = new TreeMap<>();
      new UsageHistory(database, "main", ZoneOffset.UTC)
          .report(
              new UsageQuery(
                  MONTH, MONTH.plusSeconds(31 * 86_400), UsageQuery.Part.OWNERS, List.of(), ALL),
              MONTH.plusSeconds(40 * 86_400),
              List.of())
          .owners()
          .forEach(use -> found.put(use.tres(), use.seconds()));
      assertEquals(new TreeMap<>(sums), found);
    }
  }

  @ParameterizedTest
  @EnumSource(SqlDialect.class)
  void aDatabaseOfANewerReleaseIsRefusedAndLeftAsItIs(SqlDialect dialect) throws Exception {
    try (AccountingDatabase database = TestDatabases.fresh(dialect, temp)) {
      database.migrate();
      assertEquals(
          List.of("0 migrations of " + database.name() + " would be done"), database.rehearsal());
      database
          .jdbi()
          .useHandle(handle ->
              handle.execute(
                  "INSERT INTO schema_history (installed_rank, version, description, type, script,"
                      + " checksum, installed_by, execution_time, success)"
                      + " SELECT installed_rank + 1000, '999', 'later', type, 'V999__later.sql',"
                      + " checksum, installed_by, execution_time, success"
                      + " FROM schema_history WHERE version = '2'"));
      for (Executable attempt : List.<Executable>of(database::migrate, database::rehearsal)) {
        UnusableDatabaseException refusal = assertThrows(UnusableDatabaseException.class, attempt);
        assertTrue(refusal.isForGood());
        assertEquals(
            "the schema is of a newer release (version 999), and nothing was changed; use that"
                + " release, or restore a backup of the database that was made before",
            refusal.getMessage());
      }
    }
  }

  /** What alice used in a month, as release 5 of the schema has it. */
  private static void fill(AccountingDatabase database, Map<String, Long> sums) {
    long begin = MONTH.getEpochSecond();
    database
        .jdbi()
        .useHandle(handle -> {
          handle.execute(
              "INSERT INTO cluster (name, origin, position, summed) VALUES ('main', 'first', 1, 1)");
          handle.execute(
              "INSERT INTO usage_owner (cluster_id, account, user_name, wckey)"
                  + " SELECT id, 'a', 'alice', '' FROM cluster");
          handle.execute(
              "INSERT INTO step (cluster_id, job_id, attempt, step, step_name, exit_code,"
                  + " exit_signal, start_time, end_time, node_list, tasks, user_micros,"
                  + " system_micros, used) SELECT id, 7, 1, -5, 'batch', 0, 0, 4, 5, 'n1', 1, 0, 0, ?"
                  + " FROM cluster",
              new byte[] {1, 2});
          sums.forEach((name, seconds) -> {
            handle.execute("INSERT INTO tres (name) VALUES (?)", name);
            handle.execute(
                "INSERT INTO usage_sum (cluster_id, span, tres_id, start_time, owner_id, seconds)"
                    + " SELECT cluster_id, 2, tres.id, ?, usage_owner.id, ? FROM usage_owner, tres"
                    + " WHERE tres.name = ?",
                begin,
                seconds,
                name);
            handle.execute(
                "INSERT INTO cluster_sum (cluster_id, tres_id, start_time, seconds, waited_seconds)"
                    + " SELECT cluster.id, tres.id, ?, ?, 0 FROM cluster, tres WHERE tres.name = ?",
                begin,
                seconds,
                name);
          });
        });
  }
}
