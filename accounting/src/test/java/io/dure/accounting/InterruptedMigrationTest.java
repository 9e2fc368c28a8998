package io.dure.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A migration whose connection is cut, behind any statement, is made the next time. */
@Tag("process")
class InterruptedMigrationTest {
  /** How many statements further the next cut is. */
  private static final int STEP = Integer.getInteger("dure.migration.step", 3);

  @AfterAll
  static void stopServers() throws IOException {
    TestDatabases.stop();
  }

  /** Cuts each connection behind so many statements; counts those that were made. */
  private record Cutter(int after, AtomicInteger made) {
    DataSource over(DataSource source) {
      return wrapped(DataSource.class, source, null);
    }

    private <T> T wrapped(Class<T> type, T one, Connection connection) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (_, method, words) -> {
                Object answer;
                try {
                  answer = method.invoke(one, words);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
                if (one instanceof Statement
                    && method.getName().equals("execute")
                    && made.incrementAndGet() >= after) {
                  connection.unwrap(Connection.class).abort(Runnable::run);
                  throw new SQLException("cut", "08006");
                }
                return switch (answer) {
                  case Connection opened -> wrapped(Connection.class, opened, opened);
                  case Statement opened when method.getName().equals("createStatement") ->
                      wrapped(Statement.class, opened, connection);
                  case null, default -> answer;
                };
              }));
    }
  }

  private static List<String> schema(AccountingDatabase database, String name) {
    String scope = name.isEmpty() ? "table_schema = 'public'" : "table_schema = '" + name + "'";
    return database
        .jdbi()
        .withHandle(handle -> {
          List<String> found =
              handle
                  .createQuery(
                      "SELECT CONCAT(table_name, ' ', column_name, ' ', data_type, ' ', is_nullable)"
                          + " FROM information_schema.columns WHERE "
                          + scope
                          + " AND table_name <> 'schema_history' ORDER BY 1")
                  .mapTo(String.class)
                  .list();
          String indexes =
              name.isEmpty()
                  ? "SELECT indexdef FROM pg_indexes WHERE tablename <> 'schema_history' ORDER BY 1"
                  : "SELECT CONCAT(table_name, ' ', index_name, ' ', seq_in_index, ' ', column_name)"
                      + " FROM information_schema.statistics WHERE "
                      + scope
                      + " AND table_name <> 'schema_history' ORDER BY 1";
          found.addAll(handle.createQuery(indexes).mapTo(String.class).list());
          return found;
        });
  }

  /** A migration that is cut off, or has nothing more to do than that. */
  private static void attempt(
      AccountingDatabase database, AccountingServer server, int cut, boolean fails) {
    try (HikariDataSource source = new HikariDataSource(DatabasePool.forMigration(server))) {
      database.migration(new Cutter(cut, new AtomicInteger()).over(source)).migrate();
      assertFalse(fails, "it was not cut off behind statement " + cut);
    } catch (FlywayException _) {
      // cut off
    }
  }

  @ParameterizedTest
  @EnumSource(DatabaseServer.Kind.class)
  void itGoesOnWhereItWas(DatabaseServer.Kind kind) throws IOException {
    AccountingServer whole = TestDatabases.server(kind);
    AtomicInteger all = new AtomicInteger();
    List<String> meant;
    try (AccountingDatabase database = AccountingDatabase.on(whole);
        HikariDataSource source = new HikariDataSource(DatabasePool.forMigration(whole))) {
      database.migration(new Cutter(Integer.MAX_VALUE, all).over(source)).migrate();
      assertEquals(0, database.migrate());
      meant = schema(database, kind == DatabaseServer.Kind.MARIADB ? whole.database() : "");
    }
    assertTrue(all.get() > 20 && meant.size() > 100, all + " statements: " + meant);
    int step = kind == DatabaseServer.Kind.MARIADB ? STEP : 7; // the other one undoes all of it
    for (int cut = 1; cut <= all.get(); cut += step) {
      AccountingServer server = TestDatabases.server(kind);
      try (AccountingDatabase database = AccountingDatabase.on(server)) {
        attempt(database, server, cut, true);
        attempt(database, server, cut / 2 + 1, false);
        database.migrate();
        assertEquals(0, database.migrate());
        assertEquals(
            meant,
            schema(database, kind == DatabaseServer.Kind.MARIADB ? server.database() : ""),
            "cut behind statement " + cut);
      }
    }
    System.out.println(kind + ": cut behind each of " + all + " statements, step " + step);
  }
}
