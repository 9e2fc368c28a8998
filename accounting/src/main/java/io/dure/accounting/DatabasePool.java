package io.dure.accounting;

import com.zaxxer.hikari.HikariConfig;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.accounting.AccountingServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.stream.Collectors;
import org.sqlite.SQLiteConfig;

/** How each database is connected to. */
final class DatabasePool {
  private static final int CONNECTIONS = 5;
  private static final int BUSY_MILLIS = 10_000;

  /**
   * What a connection to SQLite has of it in memory at most: more than the pages that a batch
   * changes, which would be written several times otherwise.
   */
  private static final int CACHE_KIB = 48 << 10;

  /** Pages of SQLite's log until they are copied into the file: each once for several batches. */
  private static final int CHECKPOINT_PAGES = 16_000;

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration CHECK = Duration.ofSeconds(2);

  /** How long a statement may take; the server ends it then. */
  private static final Duration STATEMENT = Duration.ofSeconds(25);

  /** After what time a server that says nothing, not even that, is given up. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** The same where a table of millions of rows may be changed. */
  private static final Duration MIGRATION = Duration.ofHours(1);

  /** A connection closed by what lies between, or by a server that restarts, is not used again. */
  private static final Duration LIFE = Duration.ofMinutes(10);

  private DatabasePool() {}

  private static HikariConfig pool(String url) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("accounting");
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setJdbcUrl(url);
    pool.setInitializationFailTimeout(-1);
    return pool;
  }

  /** Of a file, which is made if it is not there. */
  static HikariConfig embedded(Path file) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setJournalMode(SQLiteConfig.JournalMode.WAL);
    // What a power loss takes from the end of the file is delivered again: the position goes too.
    settings.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
    settings.setBusyTimeout(BUSY_MILLIS);
    settings.setCacheSize(-CACHE_KIB);
    settings.setPragma(SQLiteConfig.Pragma.WAL_AUTOCHECKPOINT, Integer.toString(CHECKPOINT_PAGES));
    settings.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    HikariConfig pool = pool("jdbc:sqlite:" + file);
    pool.setDataSourceProperties(settings.toProperties());
    return pool;
  }

  /** Of a server, for records and questions. */
  static HikariConfig server(AccountingServer server) {
    HikariConfig pool = pool(server, SILENCE);
    pool.setMaxLifetime(LIFE.toMillis());
    pool.setMinimumIdle(1);
    pool.setConnectionInitSql(
        server.storage() == AccountingStorage.MARIADB
            ? "SET SESSION max_statement_time = " + STATEMENT.toSeconds()
            : "SET statement_timeout = " + STATEMENT.toMillis());
    return pool;
  }

  /** Of a server, for a change of the schema. */
  static HikariConfig forMigration(AccountingServer server) {
    return pool(server, MIGRATION);
  }

  private static HikariConfig pool(AccountingServer server, Duration silence) {
    HikariConfig pool = pool(url(server));
    pool.setUsername(server.login().user());
    pool.setPassword(server.login().password());
    pool.setConnectionTimeout(CONNECT.toMillis());
    pool.setValidationTimeout(CHECK.toMillis());
    pool.setDataSourceProperties(
        server.storage() == AccountingStorage.MARIADB
            ? mariadb(server, silence)
            : postgresql(server, silence));
    return pool;
  }

  private static String url(AccountingServer server) {
    String hosts =
        server.hosts().stream()
            .map(host -> (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port())
            .collect(Collectors.joining(","));
    // Each new connection asks the first one first, so that it is used again once it is back.
    String kind =
        switch (server.storage()) {
          case MARIADB -> server.hosts().size() == 1 ? "mariadb" : "mariadb:sequential";
          case POSTGRESQL -> "postgresql";
          default -> throw new IllegalArgumentException("no server: " + server.storage());
        };
    return "jdbc:" + kind + "://" + hosts + "/" + server.database();
  }

  private static Properties mariadb(AccountingServer server, Duration silence) {
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", Long.toString(CONNECT.toMillis()));
    properties.setProperty("socketTimeout", Long.toString(silence.toMillis()));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("useBulkStmts", "true");
    // A value that does not fit is refused, whatever the server is set to: never cut in silence.
    properties.setProperty(
        "sessionVariables", "sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'");
    String authority = server.parameters().get(AccountingServer.CA);
    if (authority != null) {
      properties.setProperty("sslMode", "verify-ca");
      properties.setProperty("serverSslCert", authority);
    }
    return properties;
  }

  private static Properties postgresql(AccountingServer server, Duration silence) {
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", Long.toString(CONNECT.toSeconds()));
    properties.setProperty("loginTimeout", Long.toString(CONNECT.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(silence.toSeconds()));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("reWriteBatchedInserts", "true");
    properties.setProperty("ApplicationName", "dure");
    if (server.hosts().size() > 1) {
      properties.setProperty("targetServerType", "primary"); // not a copy that only answers
    }
    String authority = server.parameters().get(AccountingServer.CA);
    if (authority != null) {
      properties.setProperty("sslmode", "verify-ca");
      properties.setProperty("sslrootcert", authority);
    }
    String certificate = server.parameters().get(AccountingServer.CERTIFICATE);
    String key = server.parameters().get(AccountingServer.KEY);
    if (certificate != null && key != null) {
      properties.setProperty("sslcert", certificate);
      properties.setProperty("sslkey", key);
    }
    return properties;
  }
}
