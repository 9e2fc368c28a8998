package io.dure.bench.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.StalePositionException;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code ./dure bench accounting}. */
public final class AccountingBenchMain {
  private AccountingBenchMain() {}

  private static final String USAGE =
      "Usage: ./dure bench accounting [COUNT=1000000] [ON=sqlite,mariadb,postgresql]"
          + " [FILE=...]";

  /** What a server of accounts has for pages, where the machine has several times as much. */
  private static final int SERVER_MIB = 6 << 10;

  /** Exit code 2 for wrong usage. */
  public static void main(String[] arguments)
      throws IOException, SQLException, StalePositionException {
    int jobs = 1_000_000;
    Path kept = null;
    List<String> kinds = List.of("sqlite", "mariadb", "postgresql");
    for (String word : arguments) {
      if (word.matches("COUNT=[1-9][0-9]{2,7}")) {
        jobs = Integer.parseInt(word.substring("COUNT=".length()));
      } else if (word.startsWith("FILE=/")) {
        kept = Path.of(word.substring("FILE=".length()));
      } else if (word.matches("ON=(sqlite|mariadb|postgresql)(,(sqlite|mariadb|postgresql))*")) {
        kinds = List.of(word.substring("ON=".length()).split(",", -1));
      } else {
        System.err.println(USAGE);
        System.exit(2);
      }
    }
    if (kinds.contains("sqlite")) {
      embedded(jobs, kept);
    }
    for (DatabaseServer.Kind kind : DatabaseServer.Kind.values()) {
      if (kinds.contains(kind.name().toLowerCase(Locale.ROOT))) {
        server(kind, jobs);
      }
    }
  }

  private static void embedded(int jobs, @Nullable Path kept)
      throws IOException, SQLException, StalePositionException {
    Path folder = Files.createTempDirectory("dure-accounting-bench");
    Path file = kept == null ? folder.resolve("bench.db") : kept;
    BareInserts bare = new BareInserts("jdbc:sqlite:" + folder.resolve("bare.db"), "", "", "BLOB");
    try (AccountingDatabase database = AccountingDatabase.inFile(file)) {
      measure("SQLite", database, jobs, bare, null);
      System.out.printf(Locale.ROOT, "  %.1f GB in its file%n", Files.size(file) / 1e9);
    } finally {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path one : files.toList()) {
          Files.delete(one);
        }
      }
      Files.delete(folder);
    }
  }

  private static void server(DatabaseServer.Kind kind, int jobs)
      throws IOException, SQLException, StalePositionException {
    boolean mariadb = kind == DatabaseServer.Kind.MARIADB;
    try (DatabaseServer server = DatabaseServer.startLarge(kind, SERVER_MIB);
        AccountingDatabase database = AccountingDatabase.on(address(server))) {
      BareInserts bare =
          new BareInserts(
              "jdbc:"
                  + (mariadb ? "mariadb" : "postgresql")
                  + "://127.0.0.1:"
                  + server.port()
                  + "/"
                  + server.newDatabase()
                  + (mariadb ? "?useBulkStmts=true" : "?reWriteBatchedInserts=true"),
              DatabaseServer.USER,
              DatabaseServer.PASSWORD,
              mariadb ? "BLOB" : "BYTEA");
      String name = (mariadb ? "MariaDB" : "PostgreSQL") + " with " + SERVER_MIB + " MiB for pages";
      measure(name, database, jobs, bare, server);
    }
  }

  private static AccountingServer address(DatabaseServer server) throws IOException {
    return new AccountingServer(
        AccountingStorage.valueOf(server.kind().name()),
        List.of("127.0.0.1"),
        server.port(),
        server.newDatabase(),
        new AccountingServer.Login(DatabaseServer.USER, DatabaseServer.PASSWORD),
        Map.of());
  }

  private static void measure(
      String name,
      AccountingDatabase database,
      int jobs,
      BareInserts bare,
      @Nullable DatabaseServer server)
      throws SQLException, StalePositionException {
    System.out.println(name + ", " + jobs + " jobs with a step each, " + MachineUse.load());
    MachineUse use = new MachineUse(server);
    System.out.printf(
        Locale.ROOT, "  %,.0f bare rows/s into a table without an index%n", bare.rowsASecond());
    new AccountingBench(database, jobs, use).measure(line -> System.out.println("  " + line));
    System.out.println("  " + use.memory() + "; " + MachineUse.load());
  }
}
