package io.dure.bench.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.StalePositionException;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** {@code ./dure bench accounting}. */
public final class AccountingBenchMain {
  private AccountingBenchMain() {}

  /** Exit code 2 for wrong usage. */
  public static void main(String[] arguments) throws IOException, StalePositionException {
    int jobs = 1_000_000;
    for (String word : arguments) {
      if (!word.matches("COUNT=[1-9][0-9]{2,7}")) {
        System.err.println("Usage: ./dure bench accounting [COUNT=1000000]");
        System.exit(2);
      }
      jobs = Integer.parseInt(word.substring("COUNT=".length()));
    }
    Path folder = Files.createTempDirectory("dure-accounting-bench");
    try (AccountingDatabase embedded = AccountingDatabase.inFile(folder.resolve("bench.db"))) {
      print("SQLite", embedded, jobs);
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
    for (DatabaseServer.Kind kind : DatabaseServer.Kind.values()) {
      try (DatabaseServer server = DatabaseServer.start(kind);
          AccountingDatabase database = AccountingDatabase.on(address(server))) {
        print(kind == DatabaseServer.Kind.MARIADB ? "MariaDB" : "PostgreSQL", database, jobs);
      }
    }
  }

  private static AccountingServer address(DatabaseServer server) throws IOException {
    return new AccountingServer(
        AccountingStorage.valueOf(server.kind().name()),
        "127.0.0.1",
        server.port(),
        server.newDatabase(),
        new AccountingServer.Login(DatabaseServer.USER, DatabaseServer.PASSWORD),
        Map.of());
  }

  private static void print(String name, AccountingDatabase database, int jobs)
      throws StalePositionException {
    System.out.println(name + ", " + jobs + " jobs with a step each");
    new AccountingBench(database, jobs).measure().forEach(line -> System.out.println("  " + line));
  }
}
