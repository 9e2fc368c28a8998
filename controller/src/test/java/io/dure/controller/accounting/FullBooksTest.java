package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.accounting.AccountingDatabase;
import io.dure.journal.JournalListener;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.testkit.Await;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real file systems that fill up, under the books or under the log: nothing is lost. */
@Tag("process")
class FullBooksTest {
  private static final Await SOON = Await.seconds(120);
  private static final String FAILURE = "records are kept and delivered later";
  private static final int ROUNDS = 40;

  @TempDir Path temp;
  private Path mount;

  private void mount(int mib) throws Exception {
    Path place = Files.createDirectory(temp.resolve("small"));
    Process mounting =
        new ProcessBuilder(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "mode=1777,size=" + mib + "m",
                "tmpfs",
                place.toString())
            .redirectErrorStream(true)
            .start();
    String said =
        new String(mounting.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assumeTrue(mounting.waitFor() == 0, "cannot mount a small file system: " + said);
    mount = place;
  }

  @AfterEach
  void unmount() throws Exception {
    if (mount != null) {
      SOON.until(
          "it is unmounted",
          () -> new ProcessBuilder("umount", mount.toString()).start().waitFor() == 0);
    }
  }

  /** Takes all space that is left. */
  private Path ballast() throws IOException {
    Path ballast = mount.resolve("ballast");
    try (var out = Files.newOutputStream(ballast)) {
      byte[] page = new byte[4096];
      while (true) {
        out.write(page);
      }
    } catch (IOException full) {
      assertTrue(full.getMessage().contains("No space left"), full.getMessage());
      return ballast;
    }
  }

  /** Jobs until the database has no room for their records; then it gets room. */
  private void fillAndFree(RecordedCluster cluster) throws Exception {
    cluster.run(50);
    cluster.check();
    Path ballast = ballast();
    for (int round = 0; round < ROUNDS && cluster.log().with(FAILURE).isEmpty(); round++) {
      cluster.run(100);
    }
    SOON.until("it is told", () -> !cluster.log().with(FAILURE).isEmpty());
    cluster.run(50);
    Files.delete(ballast);
  }

  @Test
  void theEmbeddedDatabaseHasNoRoom() throws Exception {
    mount(8);
    try (RecordedCluster cluster =
        new RecordedCluster(temp, AccountingDatabase.inFile(mount.resolve("accounting.db")))) {
      fillAndFree(cluster);
      cluster.check();
      List<String> told = cluster.log().with(FAILURE);
      assertEquals(1, told.size(), told.toString());
      assertTrue(told.getFirst().contains("full"), told.getFirst());
      assertEquals(1, cluster.log().with("takes records again").size());
    }
  }

  @ParameterizedTest
  @EnumSource(DatabaseServer.Kind.class)
  void theServerHasNoRoom(DatabaseServer.Kind kind) throws Exception {
    mount(400);
    // PostgreSQL is no program for root, and reads its files as another user.
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (DatabaseServer server = DatabaseServer.start(kind, mount);
        RecordedCluster cluster =
            new RecordedCluster(
                temp,
                AccountingDatabase.on(
                    new AccountingServer(
                        AccountingStorage.valueOf(kind.name()),
                        List.of("127.0.0.1"),
                        server.port(),
                        server.newDatabase(),
                        new AccountingServer.Login(DatabaseServer.USER, DatabaseServer.PASSWORD),
                        Map.of())))) {
      fillAndFree(cluster);
      // One that could not write its log has ended, or is of no use until it is started anew.
      server.kill();
      server.start();
      cluster.check();
    }
  }

  @Test
  void theLogHasNoRoom() throws Exception {
    mount(4);
    List<String> heard = new CopyOnWriteArrayList<>();
    JournalListener disk =
        new JournalListener() {
          @Override
          public void failed(IOException cause) {
            heard.add("failed: " + cause.getMessage());
          }

          @Override
          public void healed() {
            heard.add("healed");
          }

          @Override
          public void stopped(Throwable cause) {
            heard.add("stopped: " + cause);
          }
        };
    try (RecordedCluster cluster =
        new RecordedCluster(
            temp,
            mount.resolve("log"),
            disk,
            AccountingDatabase.inFile(temp.resolve("accounting.db")))) {
      cluster.run(50);
      cluster.check();
      Path ballast = ballast();
      for (int round = 0; round < ROUNDS && heard.isEmpty(); round++) {
        cluster.run(100);
      }
      SOON.until("it is told", () -> !heard.isEmpty());
      assertTrue(heard.getFirst().matches("failed: .*No space left.*"), heard.toString());
      cluster.run(50);
      Files.delete(ballast);
      cluster.check();
      assertEquals(List.of("healed"), heard.subList(1, heard.size()));
    }
  }
}
