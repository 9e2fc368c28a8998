package io.dure.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SegmentDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal without a thread: nothing is durable before it is stepped. */
@Tag("pure")
class SteppedJournalTest {
  private static final Path DIRECTORY = Path.of("journal");

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final Fixtures.Heard heard = new Fixtures.Heard();

  private Journal open() throws Exception {
    return open(disk);
  }

  private Journal open(SimulatedDisk disk) throws Exception {
    return RecoveredJournal.openStepped(disk, DIRECTORY, Fixtures.settings(4096), heard, () -> 5)
        .journal();
  }

  @Test
  void aStepWritesWhatWaits() throws Exception {
    CompletableFuture<Long> three;
    try (Journal journal = open()) {
      CompletableFuture<Long> one = journal.append(List.of(Fixtures.bytes("one")));
      CompletableFuture<Long> two = journal.append(List.of(Fixtures.bytes("two")));
      assertFalse(one.isDone());
      assertTrue(journal.step());
      assertEquals(1, one.get());
      assertEquals(2, two.get());
      three = journal.append(List.of(Fixtures.bytes("three")));
      assertFalse(three.isDone());
    }
    assertEquals(3, three.get(), "closing writes what waits");
    try (Journal journal = open()) {
      assertEquals(3, journal.lastDurable());
    }
  }

  @Test
  void whatTheDiskRefusesIsWrittenByALaterStep() throws Exception {
    try (Journal journal = open()) {
      disk.refuse(1);
      CompletableFuture<Long> one = journal.append(List.of(Fixtures.bytes("one")));
      assertFalse(journal.step());
      assertTrue(heard.next().startsWith("failed"));
      assertFalse(journal.step());
      assertFalse(one.isDone());
      disk.refuse(0);
      assertTrue(journal.step());
      assertEquals("healed", heard.next());
      assertEquals(1, one.get());
    }
  }

  @Test
  void aSegmentThatIsLeftAfterARefusalSaysThatMoreFollows() throws Exception {
    try (Journal journal = open()) {
      var _ = journal.append(List.of(new byte[3000]));
      assertTrue(journal.step());
      disk.refuse(1);
      var _ = journal.append(List.of(new byte[3000]));
      assertFalse(journal.step());
      assertFalse(journal.step());
      disk.refuse(0);
      assertTrue(journal.step());
    }
    disk.delete(DIRECTORY.resolve(SegmentDirectory.numbered("journal-", 2)));
    String refusal = assertThrows(JournalRefusedException.class, this::open).getMessage();
    assertTrue(refusal.contains(": record 2 and all later ones are missing"), refusal);
  }

  /**
   * An opening that stops anywhere proves nothing by its mark: what the page cache showed may be on
   * the medium in parts, and was never promised.
   */
  @Test
  void anOpeningThatLosesPowerCutsWhatWasNeverSynced() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      for (int operations = 0; operations < 8; operations++) {
        SimulatedDisk torn = new SimulatedDisk(new Random(seed));
        try (Journal journal = open(torn)) {
          var _ = journal.append(List.of(Fixtures.bytes("one")));
          assertTrue(journal.step());
          torn.refuse(1);
          var _ = journal.append(List.of(new byte[1500]));
          assertFalse(journal.step());
          torn.stopAfter(0);
        } catch (IOException e) {
          // closed on a disk that has stopped
        }
        torn.restart(false);
        torn.stopAfter(operations);
        try (Journal journal = open(torn)) {
          assertTrue(journal.lastDurable() >= 1);
        } catch (IOException e) {
          // stopped while it opened
        }
        torn.restart(true);
        try (Journal journal = open(torn)) {
          assertTrue(journal.lastDurable() >= 1, "seed " + seed + ", operations " + operations);
        }
      }
    }
  }

  @Test
  void oneWithAThreadIsNotStepped(@TempDir Path directory) throws Exception {
    try (Journal journal =
        RecoveredJournal.open(directory, Fixtures.settings(4096), heard).journal()) {
      assertThrows(IllegalStateException.class, journal::step);
    }
  }
}
