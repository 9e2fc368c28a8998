package io.dure.accounting;

import io.dure.model.config.AccountingStorage;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Empty databases of each kind; the servers run from their first use until {@link #stop}. */
final class TestDatabases {
  private static final Map<DatabaseServer.Kind, DatabaseServer> SERVERS =
      new EnumMap<>(DatabaseServer.Kind.class);

  private TestDatabases() {}

  static AccountingDatabase fresh(SqlDialect dialect, Path folder) throws IOException {
    return switch (dialect) {
      case SQLITE -> AccountingDatabase.inFile(folder.resolve("accounting.db"));
      case MARIADB -> on(DatabaseServer.Kind.MARIADB);
      case POSTGRESQL -> on(DatabaseServer.Kind.POSTGRESQL);
    };
  }

  private static AccountingDatabase on(DatabaseServer.Kind kind) throws IOException {
    return AccountingDatabase.on(server(kind));
  }

  /** An empty database of a server. */
  static synchronized AccountingServer server(DatabaseServer.Kind kind) throws IOException {
    DatabaseServer server = SERVERS.get(kind);
    if (server == null) {
      server = DatabaseServer.start(kind);
      SERVERS.put(kind, server);
    }
    return address(server, server.newDatabase());
  }

  static AccountingServer address(DatabaseServer server, String database) {
    return new AccountingServer(
        AccountingStorage.valueOf(server.kind().name()),
        List.of("127.0.0.1"),
        server.port(),
        database,
        new AccountingServer.Login(DatabaseServer.USER, DatabaseServer.PASSWORD),
        Map.of());
  }

  static synchronized void stop() throws IOException {
    for (DatabaseServer server : SERVERS.values()) {
      server.close();
    }
    SERVERS.clear();
  }
}
