package io.dure.accounting;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dure.accounting.migration.SchemaMigration;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.accounting.AccountingServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** A database with the present schema. Any thread. */
public final class AccountingDatabase implements AutoCloseable {
  private static final String MIGRATIONS = "classpath:io/dure/accounting/migrations";

  /** Of the connections, so many at most serve a listing beside its first one. */
  private static final int HELPERS = 2;

  private static final String FOR_SQLITE = "classpath:io/dure/accounting/sqlite";
  private static final String FOR_MARIADB = "classpath:io/dure/accounting/mariadb";

  /** The time of what has not come yet. */
  public static final long NEVER = SqlDialect.NEVER;

  /** The mark up to which the use of attempts cannot be counted again. */
  public static final String NOT_COUNTED_AGAIN = "recount";

  private final HikariDataSource source;
  private final SqlDialect dialect;
  private final Semaphore helpers = new Semaphore(HELPERS);
  private final String name;
  private final @Nullable AccountingServer server;
  private final Jdbi jdbi;

  private AccountingDatabase(
      HikariConfig pool, SqlDialect dialect, String name, @Nullable AccountingServer server) {
    source = new HikariDataSource(pool);
    this.dialect = dialect;
    this.name = name;
    this.server = server;
    jdbi = Jdbi.create(source);
  }

  /** The database in a file, which is made if it is not there. Nothing is migrated yet. */
  public static AccountingDatabase inFile(Path file) {
    return new AccountingDatabase(
        DatabasePool.embedded(file), SqlDialect.SQLITE, file.toString(), null);
  }

  /** The database in a server, which need not answer. Nothing is migrated yet. */
  public static AccountingDatabase on(AccountingServer server) {
    SqlDialect dialect =
        server.storage() == AccountingStorage.MARIADB ? SqlDialect.MARIADB : SqlDialect.POSTGRESQL;
    return new AccountingDatabase(DatabasePool.server(server), dialect, server.toString(), server);
  }

  /** What a listing takes one of to use a second connection. */
  Semaphore helpers() {
    return helpers;
  }

  SchemaMigration migration(DataSource connections) {
    return new SchemaMigration(
        connections,
        dialect == SqlDialect.MARIADB
            ? SchemaMigration.Kind.BY_STATEMENT
            : SchemaMigration.Kind.TRANSACTIONAL,
        switch (dialect) {
          case SQLITE -> List.of(MIGRATIONS, FOR_SQLITE);
          case MARIADB -> List.of(MIGRATIONS, FOR_MARIADB);
          case POSTGRESQL -> List.of(MIGRATIONS);
        },
        dialect.placeholders(),
        server != null);
  }

  /**
   * What {@link #migrate} would do, a line for each step and one for all; nothing is changed.
   *
   * @throws UnusableDatabaseException if it does not answer, or a newer release made it
   */
  public List<String> rehearsal() {
    List<String> lines = new ArrayList<>();
    try {
      for (MigrationInfo step : migration(source).pending()) {
        lines.add("would do: " + step.getVersion() + " " + step.getDescription());
      }
    } catch (FlywayException e) {
      throw new UnusableDatabaseException(DatabaseFailure.message(e), e);
    }
    lines.add(lines.size() + " migrations of " + name + " would be done");
    return lines;
  }

  /**
   * Gives the database the present schema. One that was cut off goes on where it was.
   *
   * @return how many steps it took
   * @throws UnusableDatabaseException if it does not answer, or a newer release made it
   */
  public int migrate() {
    try {
      makeIfMissing();
      // Most starts have nothing to do, and find out within the time that a question may take.
      SchemaMigration present = migration(source);
      if (server == null) {
        return present.migrate();
      }
      if (present.isDone()) {
        return 0;
      }
      try (HikariDataSource patient = new HikariDataSource(DatabasePool.forMigration(server))) {
        return migration(patient).migrate();
      }
    } catch (FlywayException | SQLException e) {
      throw new UnusableDatabaseException(DatabaseFailure.message(e), e);
    }
  }

  /** As slurmdbd does: a database that is not there is made, if the user may do so. */
  private void makeIfMissing() throws SQLException {
    try (Connection _ = source.getConnection()) {
      return;
    } catch (SQLException e) {
      if (server == null || !DatabaseFailure.isUnknownDatabase(e)) {
        throw e;
      }
      HikariConfig maker = DatabasePool.forMigration(server);
      maker.addDataSourceProperty("createDatabaseIfNotExist", "true");
      try (HikariDataSource pool = new HikariDataSource(maker);
          Connection made = pool.getConnection()) {
        var _ = made.isValid(1);
      }
    }
  }

  /** Where it is, for logs. */
  public String name() {
    return name;
  }

  /** Whether it is a server's, which several controllers share. */
  public boolean isShared() {
    return server != null;
  }

  /**
   * Reads in one transaction, which sees one state and, in SQLite, keeps no writer waiting.
   *
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer
   */
  public <R extends @Nullable Object> R reading(HandleCallback<R, RuntimeException> questions) {
    if (dialect != SqlDialect.SQLITE) {
      return jdbi.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, questions);
    }
    return jdbi.withHandle(handle -> {
      handle.execute("BEGIN DEFERRED");
      try {
        return questions.withHandle(handle);
      } finally {
        handle.execute("ROLLBACK"); // nothing was written
      }
    });
  }

  /** The number of a cluster, null for one that the database does not know. */
  public static @Nullable Long clusterNumber(Handle handle, String name) {
    return handle
        .createQuery("SELECT id FROM cluster WHERE name = ?")
        .bind(0, name)
        .mapTo(Long.class)
        .findOne()
        .orElse(null);
  }

  /** What runs statements in it. */
  public Jdbi jdbi() {
    return jdbi;
  }

  /** An insert of a row that adds to the one with the same key. */
  public String accumulation(String table, List<String> key, List<String> sums) {
    return dialect.accumulate(table, key, sums, 1);
  }

  SqlDialect dialect() {
    return dialect;
  }

  @Override
  public void close() {
    source.close();
  }
}
