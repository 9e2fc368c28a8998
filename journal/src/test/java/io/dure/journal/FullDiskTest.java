package io.dure.journal;

import static io.dure.journal.Fixtures.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real file system of 2 MiB that fills up. */
@Timeout(60)
@Tag("process")
class FullDiskTest {
  private static final int SEGMENT = 256 * 1024;
  private static final JournalSettings SETTINGS =
      new JournalSettings(SEGMENT, 100_000, Duration.ofMillis(1));

  @TempDir Path temp;
  private Path mount;
  private final Fixtures.Heard heard = new Fixtures.Heard();

  @BeforeEach
  void mountIt() throws Exception {
    mount = Files.createDirectory(temp.resolve("small"));
    Process mounting =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", mount.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(mounting.getInputStream().readAllBytes(), Fixtures.UTF_8).strip();
    boolean mounted = mounting.waitFor() == 0;
    if (!mounted) {
      mount = null;
    }
    assumeTrue(mounted, "cannot mount a small file system: " + said);
  }

  @AfterEach
  void unmountIt() throws Exception {
    if (mount != null) {
      assertEquals(0, new ProcessBuilder("umount", mount.toString()).start().waitFor());
    }
  }

  private Path directory() {
    return mount.resolve("journal");
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

  /** Fills the journal and then its queue; what was told about it. */
  private String appendUntilRefused(Journal journal, List<CompletableFuture<Long>> promises)
      throws InterruptedException {
    while (heard.rest().isEmpty() || journal.accepting()) {
      if (journal.accepting()) {
        promises.add(journal.append(List.of(new byte[1000])));
      }
    }
    return heard.next();
  }

  @Test
  void appendsWaitForSpaceAndAreThenAllThere() throws Exception {
    List<CompletableFuture<Long>> promises = new ArrayList<>();
    try (Journal journal = RecoveredJournal.open(directory(), SETTINGS, heard).journal()) {
      journal.append(List.of(bytes("first"))).get();
      Path ballast = ballast();
      for (int i = 0; i < 200; i++) {
        promises.add(journal.append(List.of(new byte[1000])));
        promises.getLast().get(); // the segment has its space already
      }
      String told = appendUntilRefused(journal, promises);
      assertTrue(told.matches("failed: .*journal-.*No space left on device"), told);
      assertFalse(promises.getLast().isDone());
      assertThrows(JournalFullException.class, () -> journal.append(List.of(new byte[1])));
      long durable = journal.lastDurable();
      assertTrue(durable >= 200 && durable < promises.size(), "durable " + durable);
      assertThrows(IOException.class, () -> journal.snapshot(durable, new byte[100_000]));

      Files.delete(ballast);
      assertEquals("healed", heard.next());
      assertEquals(promises.size() + 1, promises.getLast().get());
      assertTrue(journal.accepting());
      journal.snapshot(promises.size(), bytes("state"));
    }
    assertEquals(List.of(), heard.rest());
    RecoveredJournal found = RecoveredJournal.open(directory(), SETTINGS, heard);
    assertEquals(promises.size(), found.snapshotSequence());
    assertEquals(1, Fixtures.texts(found).size());
    found.journal().close();
  }

  @Test
  void closingAJournalOnAFullDiskTellsWhoWaits() throws Exception {
    List<CompletableFuture<Long>> promises = new ArrayList<>();
    Journal journal = RecoveredJournal.open(directory(), SETTINGS, heard).journal();
    ballast();
    assertTrue(appendUntilRefused(journal, promises).startsWith("failed"));
    long durable = journal.lastDurable();
    journal.close();
    ExecutionException told =
        assertThrows(ExecutionException.class, () -> promises.getLast().get());
    assertEquals(
        "the journal was closed while the disk refused writes", told.getCause().getMessage());
    RecoveredJournal found = RecoveredJournal.open(directory(), SETTINGS, heard);
    assertEquals(durable, found.journal().lastDurable());
    found.journal().close();
  }

  @Test
  void aJournalDoesNotBeginOnAFullDisk() throws Exception {
    Path ballast = ballast();
    IOException refused =
        assertThrows(IOException.class, () -> RecoveredJournal.open(directory(), SETTINGS, heard));
    assertTrue(refused.getMessage().contains("No space left"), refused.getMessage());
    Files.delete(ballast);
    RecoveredJournal.open(directory(), SETTINGS, heard).journal().close();
  }
}
