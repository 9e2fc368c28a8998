package io.dure.journal;

import static io.dure.journal.Fixtures.bytes;
import static io.dure.journal.Fixtures.texts;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.JournalRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ordinary life of a journal on real files. */
@Tag("process")
class JournalTest {
  @TempDir Path temp;

  private Path directory() {
    return temp.resolve("journal");
  }

  private RecoveredJournal open(int segmentBytes) throws Exception {
    return RecoveredJournal.open(
        directory(), Fixtures.settings(segmentBytes), new Fixtures.Heard());
  }

  private List<String> files(String prefix) throws Exception {
    try (Stream<Path> files = Files.list(directory())) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  @Test
  void anEmptyDirectoryHoldsNothing() throws Exception {
    RecoveredJournal recovered = open(4096);
    try (Journal journal = recovered.journal()) {
      assertNull(recovered.snapshot());
      assertEquals(List.of(), texts(recovered));
      assertEquals(0, journal.lastAppended());
      assertEquals(List.of(), recovered.notes());
    }
  }

  @Test
  void aFollowerReadsTheFileInWhichARecordWasWrittenLast() throws Exception {
    String big = "x".repeat(3000);
    byte[] stale;
    try (Journal journal = open(8192).journal()) {
      journal.append(List.of(bytes(big), bytes("refused, written again, and lost"))).get();
      stale = Files.readAllBytes(directory().resolve(files("journal-").getFirst()));
    }
    for (String file : files("")) {
      Files.delete(directory().resolve(file));
    }
    try (Journal journal = open(4096).journal()) {
      journal.append(List.of(bytes(big))).get();
      journal.append(List.of(bytes("y".repeat(3000)))).get();
    }
    Files.write(directory().resolve(files("journal-").getFirst()), stale);
    RecoveredJournal again = open(4096);
    try (Journal journal = again.journal();
        JournalFollower follower = journal.follow(0)) {
      assertEquals(List.of("1 " + big, "2 " + "y".repeat(3000)), texts(again));
      List<String> followed = new ArrayList<>();
      for (JournalRecord next = follower.next(); next != null; next = follower.next()) {
        followed.add(next.sequence() + " " + new String(next.payload(), Fixtures.UTF_8));
      }
      assertEquals(List.of("1 " + big, "2 " + "y".repeat(3000)), followed);
    }
  }

  @Test
  void recordsComeBackInOrder() throws Exception {
    try (Journal journal = open(4096).journal()) {
      assertEquals(2, journal.append(List.of(bytes("a"), bytes("b"))).get());
      assertEquals(3, journal.append(List.of(bytes(""))).get());
      assertEquals(3, journal.append(List.of()).get());
      assertEquals(3, journal.lastDurable());
    }
    RecoveredJournal again = open(4096);
    try (Journal journal = again.journal()) {
      assertEquals(List.of("1 a", "2 b", "3 "), texts(again));
      assertEquals(4, journal.append(List.of(bytes("d"))).get());
    }
    again = open(4096);
    try (Journal journal = again.journal()) {
      assertEquals(List.of("1 a", "2 b", "3 ", "4 d"), texts(again));
      assertEquals(List.of(), again.notes());
      assertEquals(4, journal.lastDurable());
    }
  }

  @Test
  void whoWouldWaitWritesHimselfAndAmongOthers() throws Exception {
    try (Journal journal = open(4096).journal()) {
      for (int i = 1; i <= 200; i++) {
        var mine = journal.put(List.of(bytes("mine")));
        if (i % 3 == 0) {
          var _ = journal.append(List.of(bytes("other")));
        }
        journal.help();
        assertTrue(mine.get() >= i, "it is durable");
      }
    }
    RecoveredJournal again = open(4096);
    try (Journal journal = again.journal()) {
      assertEquals(266, texts(again).size());
      assertEquals(266, journal.lastDurable());
    }
  }

  @Test
  void closingWritesWhatWaits() throws Exception {
    Journal journal = open(4096).journal();
    for (int i = 0; i < 1000; i++) {
      var _ = journal.append(List.of(bytes("x")));
    }
    journal.close();
    journal.close();
    assertThrows(IllegalStateException.class, () -> journal.append(List.of(bytes("y"))));
    assertTrue(journal.accepting(), "who waits for room hears of the end");
    RecoveredJournal again = open(4096);
    try (Journal reopened = again.journal()) {
      assertEquals(1000, texts(again).size());
      assertEquals(1000, reopened.lastAppended());
    }
  }

  @Test
  void recordsLargerThanASegmentGetOneOfTheirOwn() throws Exception {
    byte[] large = new byte[100_000];
    large[99_999] = 7;
    try (Journal journal = open(4096).journal()) {
      journal.append(List.of(bytes("a"))).get();
      journal.append(List.of(large)).get();
      journal.append(List.of(bytes("c"))).get();
    }
    RecoveredJournal again = open(4096);
    try (Journal journal = again.journal()) {
      List<JournalRecord> records = new ArrayList<>();
      again.records().forEach(records::add);
      assertEquals(3, records.size());
      assertArrayEquals(large, records.get(1).payload());
      assertEquals(3, journal.lastAppended());
    }
  }

  @Test
  void snapshotsReplaceWhatTheyCover() throws Exception {
    try (Journal journal = open(4096).journal()) {
      fill(journal, 300);
      int before = files("journal-").size();
      assertTrue(before > 3, "segments: " + before);
      journal.snapshot(200, bytes("state 200"));
      assertEquals(before, files("journal-").size(), "all needed while there is one snapshot");
      journal.snapshot(250, bytes("state 250"));
      journal.snapshot(300, bytes("state 300"));
      assertEquals(
          List.of("snapshot-0000000000000000250", "snapshot-0000000000000000300"),
          files("snapshot-"));
      assertTrue(files("journal-").size() < before);
      fill(journal, 10);
    }
    RecoveredJournal again = open(4096);
    try (Journal journal = again.journal()) {
      assertArrayEquals(bytes("state 300"), Fixtures.state(again));
      assertEquals(300, again.snapshotSequence());
      assertEquals(10, texts(again).size());
      assertTrue(texts(again).getFirst().startsWith("301 "));
      assertEquals(310, journal.lastDurable());
    }
  }

  @Test
  void aDamagedSnapshotGivesWayToTheOneBefore() throws Exception {
    try (Journal journal = open(4096).journal()) {
      fill(journal, 300);
      journal.snapshot(100, bytes("state 100"));
      journal.snapshot(200, bytes("state 200"));
      journal.snapshot(290, bytes("state 290"));
    }
    Path newest = directory().resolve("snapshot-0000000000000000290");
    Fixtures.flipBit(newest, 22);
    RecoveredJournal again = open(4096);
    try (Journal journal = again.journal()) {
      assertArrayEquals(bytes("state 200"), Fixtures.state(again));
      assertEquals(100, texts(again).size());
      assertTrue(again.notes().getFirst().startsWith(newest + ": this snapshot is damaged"));
      assertEquals(300, journal.lastDurable());
    }
  }

  @Test
  void aSnapshotOfAFutureRecordIsAMistake() throws Exception {
    try (Journal journal = open(4096).journal()) {
      assertThrows(IllegalArgumentException.class, () -> journal.snapshot(1, bytes("s")));
    }
  }

  @Test
  void aSecondOpenerIsRefused() throws Exception {
    RecoveredJournal first = open(4096);
    try (Journal journal = first.journal()) {
      JournalRefusedException refused =
          assertThrows(JournalRefusedException.class, () -> open(4096));
      assertEquals(
          "journal "
              + directory()
              + " is in use by another controller (process "
              + ProcessHandle.current().pid()
              + "); stop that one first, or set another StateSaveLocation",
          refused.getMessage());
      assertEquals(1, journal.append(List.of(bytes("a"))).get());
    }
    open(4096).journal().close();
  }

  @Test
  void othersCannotReadIt() throws Exception {
    try (Journal journal = open(4096).journal()) {
      journal.append(List.of(bytes("secret"))).get();
      journal.snapshot(1, bytes("secret"));
    }
    try (Stream<Path> files = Files.list(directory())) {
      for (Path file : files.toList()) {
        assertEquals(
            "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    }
  }

  private static void fill(Journal journal, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      var _ =
          journal.append(List.of(bytes("record number " + i + " of " + count + " ".repeat(50))));
    }
    journal.append(List.of()).get();
  }
}
