package io.dure.accounting;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.jdbi.v3.core.Jdbi;
import org.sqlite.SQLiteConfig;

/** A database with the present schema. Any thread. */
public final class AccountingDatabase implements AutoCloseable {
  private static final int CONNECTIONS = 5;
  private static final int BUSY_MILLIS = 10_000;
  private static final String MIGRATIONS = "classpath:io/dure/accounting/migrations";

  private final HikariDataSource source;
  private final SqlDialect dialect;
  private final Jdbi jdbi;

  private AccountingDatabase(HikariDataSource source, SqlDialect dialect) {
    this.source = source;
    this.dialect = dialect;
    jdbi = Jdbi.create(source);
  }

  /** The database in a file, which is made if it is not there. Nothing is migrated yet. */
  public static AccountingDatabase inFile(Path file) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setJournalMode(SQLiteConfig.JournalMode.WAL);
    // What a power loss takes from the end of the file is delivered again: the position goes too.
    settings.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
    settings.setBusyTimeout(BUSY_MILLIS);
    settings.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("accounting");
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setJdbcUrl("jdbc:sqlite:" + file);
    pool.setDataSourceProperties(settings.toProperties());
    pool.setInitializationFailTimeout(-1);
    return new AccountingDatabase(new HikariDataSource(pool), SqlDialect.SQLITE);
  }

  private Flyway flyway() {
    return Flyway.configure()
        .dataSource(source)
        .locations(MIGRATIONS)
        .placeholders(dialect.placeholders())
        .table("schema_history")
        .load();
  }

  /** What {@link #migrate} would do, a line for each step; nothing is changed. */
  public List<String> pendingMigrations() {
    List<String> lines = new ArrayList<>();
    for (MigrationInfo step : flyway().info().pending()) {
      lines.add(step.getVersion() + " " + step.getDescription());
    }
    return lines;
  }

  /**
   * Gives the database the present schema.
   *
   * @return how many steps it took
   * @throws UnusableDatabaseException if it does not answer, or a newer release made it
   */
  public int migrate() {
    try {
      return flyway().migrate().migrationsExecuted;
    } catch (FlywayException e) {
      throw new UnusableDatabaseException(String.valueOf(e.getMessage()), e);
    }
  }

  Jdbi jdbi() {
    return jdbi;
  }

  SqlDialect dialect() {
    return dialect;
  }

  @Override
  public void close() {
    source.close();
  }
}
