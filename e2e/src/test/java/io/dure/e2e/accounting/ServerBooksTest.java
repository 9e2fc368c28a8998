package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cluster with the files of a site that has slurmdbd: the controller does its part. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ServerBooksTest {
  private static final Await SOON = Await.seconds(60);

  @ParameterizedTest
  @EnumSource(DatabaseServer.Kind.class)
  void sacctReadsWhatTheServerHas(DatabaseServer.Kind kind) throws IOException {
    try (DatabaseServer server = DatabaseServer.start(kind);
        Cluster cluster =
            Cluster.prepare(
                Conf.nodes(1, 4)
                    .with("AccountingStorageType", "accounting_storage/slurmdbd")
                    .with("AccountingStorageHost", "nowhere.example"))) {
      String database = server.newDatabase();
      SiteBooks.onServer(cluster, server, database);
      Path file = cluster.dir().resolve("slurmdbd.conf");
      cluster.startAll();
      Session shell = cluster.admin();
      int job = shell.submit("-J", "두레 😀", "--wrap", "exit 3");
      String id = Integer.toString(job);
      String[] words = {"sacct", "-n", "-P", "-X", "-o", "JobName,State,ExitCode", "-j", id};
      SOON.until(
          "the end is in the books",
          () -> shell.run(words).ok().strip().equals("두레 😀|FAILED|3:0"));
      assertEquals(
          "두레 😀", server.sql(database, "SELECT job_name FROM job WHERE job_id = " + job).strip());
      assertFalse(Files.exists(cluster.dir().resolve("state/accounting/accounting.db")));
      assertTrue(cluster.logs().contains("accounting database: "));
      String shown = shell.run("scontrol", "show", "config").ok();
      assertFalse(shown.contains(DatabaseServer.PASSWORD), shown);
      assertEquals(List.of(), withPassword(cluster.dir(), file));
    }
  }

  /** Files of a cluster that have the password, but for the one that should. */
  private static List<Path> withPassword(Path folder, Path but) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.equals(but))
          .filter(ServerBooksTest::hasPassword)
          .toList();
    }
  }

  private static boolean hasPassword(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
          .contains(DatabaseServer.PASSWORD);
    } catch (IOException e) {
      return false; // a file that is gone by now
    }
  }
}
