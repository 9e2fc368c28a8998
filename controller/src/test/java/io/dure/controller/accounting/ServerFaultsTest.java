package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.accounting.AccountingDatabase;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.testkit.Await;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever becomes of the database server: its books are what was recorded, nothing twice. */
@Tag("process")
@ParameterizedClass
@EnumSource(DatabaseServer.Kind.class)
class ServerFaultsTest {
  private static final Await SOON = Await.seconds(60);
  private static final String FAILURE = "records are kept and delivered later";

  @Parameter DatabaseServer.Kind kind;
  @TempDir Path temp;
  private DatabaseServer server;
  private String name;

  @BeforeEach
  void begin() throws IOException {
    server = DatabaseServer.start(kind);
    name = server.newDatabase();
  }

  @AfterEach
  void end() throws IOException {
    server.close();
  }

  private RecordedCluster cluster() throws IOException {
    return new RecordedCluster(
        temp,
        AccountingDatabase.on(
            new AccountingServer(
                AccountingStorage.valueOf(kind.name()),
                List.of("127.0.0.1"),
                server.port(),
                name,
                new AccountingServer.Login(DatabaseServer.USER, DatabaseServer.PASSWORD),
                Map.of())));
  }

  private int rows() throws IOException {
    return Integer.parseInt(server.sql(name, "SELECT COUNT(*) FROM job"));
  }

  @Test
  void killedInTheMiddleOfIngest() throws Exception {
    try (RecordedCluster cluster = cluster()) {
      cluster.run(100);
      cluster.check();
      for (int round = 0; round < 2; round++) {
        int before = rows();
        cluster.run(200);
        SOON.until("some are stored", () -> rows() > before);
        cluster.run(200);
        server.kill();
        cluster.run(100);
        server.start();
        cluster.check();
      }
      assertEquals(100 + 2 * 500, rows());
    }
  }

  /** The checker is no rubber stamp. */
  @Test
  void aRowThatDiffersIsNamed() throws Exception {
    try (RecordedCluster cluster = cluster()) {
      cluster.run(50);
      cluster.check();
      server.sql(name, "DELETE FROM step WHERE job_id = 7 AND step = -5");
      server.sql(name, "DELETE FROM job WHERE job_id = 9");
      server.sql(
          name,
          "UPDATE job SET record = (SELECT record FROM (SELECT record FROM job WHERE job_id = 12)"
              + " AS other) WHERE job_id = 11");
      BooksCheck.Result result = cluster.compare();
      assertEquals(
          List.of("job 7,", "job 9,", "job 11,"),
          result.differences().stream()
              .map(line -> line.substring(0, line.indexOf(',') + 1))
              .toList(),
          result.toString());
      assertEquals(result.compared() - 3, result.agreed());
    }
  }

  @Test
  void awayAtTheStart() throws Exception {
    server.stop();
    try (RecordedCluster cluster = cluster()) {
      cluster.run(200);
      SOON.until("it is told", () -> !cluster.log().with(FAILURE).isEmpty());
      server.start();
      cluster.check();
      assertEquals(1, cluster.log().with(FAILURE).size(), cluster.log().with("").toString());
      assertTrue(cluster.log().with(DatabaseServer.PASSWORD).isEmpty());
      assertEquals(1, cluster.log().with("takes records again").size());
    }
  }

  @Test
  void frozenAndGoesOn() throws Exception {
    try (RecordedCluster cluster = cluster()) {
      cluster.run(200);
      cluster.check();
      server.freeze();
      cluster.run(200);
      SOON.until("it is told", () -> !cluster.log().with(FAILURE).isEmpty());
      long begin = System.nanoTime();
      assertThrows(JdbiException.class, cluster::found);
      Duration waited = Duration.ofNanos(System.nanoTime() - begin);
      assertTrue(waited.toSeconds() < 15, "asking a frozen server took " + waited);
      server.thaw();
      cluster.check();
      assertEquals(1, cluster.log().with(FAILURE).size(), cluster.log().with("").toString());
    }
  }

  @Test
  void anOldCopyGetsWhatItLacks() throws Exception {
    try (RecordedCluster cluster = cluster()) {
      cluster.run(200);
      cluster.check();
      server.stop();
      server.backUp();
      server.start();
      cluster.run(300);
      cluster.check();
      server.stop();
      server.restore();
      server.start();
      assertEquals(200, rows());
      cluster.run(100);
      cluster.check();
      assertEquals(600, rows());
    }
  }
}
