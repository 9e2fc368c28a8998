package io.dure.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.LocalJournalDisk;
import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records for the accounting database on real files. */
@Tag("process")
class AccountingLogTest {
  private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");

  @TempDir Path temp;

  private AccountingLog open() throws IOException {
    return AccountingLog.open(temp.resolve("log"), Fixtures.settings(4096), new Fixtures.Heard());
  }

  /**
   * An entry for each position; positions may come more than once, as an event may make several.
   */
  private static List<AccountingLog.Entry> entries(long... positions) {
    return LongStream.of(positions)
        .mapToObj(position ->
            new AccountingLog.Entry(
                position,
                new AccountingRecord.StepPart(
                    new AttemptId((int) position, 1), 0, ExitStatus.OK, NOW, null, true)))
        .toList();
  }

  private static List<Long> positions(AccountingLog.Follower follower) throws IOException {
    List<Long> positions = new ArrayList<>();
    for (var next = follower.next(); next != null; next = follower.next()) {
      next.entries().forEach(entry -> positions.add(entry.position()));
    }
    return positions;
  }

  private static List<Long> after(AccountingLog log, long position) throws IOException {
    try (AccountingLog.Follower follower = log.follow(position)) {
      return positions(follower);
    }
  }

  @Test
  void recordsAreReadWhileMoreCome() throws Exception {
    try (AccountingLog log = open();
        AccountingLog.Follower follower = log.follow(0)) {
      assertNull(follower.next());
      log.append(NOW, entries(3, 3, 7));
      log.sync();
      assertEquals(List.of(3L, 3L, 7L), positions(follower));
      for (long position = 8; position < 400; position++) {
        log.append(NOW, entries(position));
        log.sync();
        assertEquals(List.of(position), positions(follower));
      }
      assertEquals(LongStream.range(250, 400).boxed().toList(), after(log, 249));
      assertEquals(399, log.position());
    }
  }

  /** Whoever asks before the first record is durable must not take it for one that is gone. */
  @Test
  void whatIsNotDurableYetIsNotMissing() throws Exception {
    RecoveredJournal found =
        RecoveredJournal.openStepped(
            new LocalJournalDisk(),
            temp.resolve("log"),
            Fixtures.settings(4096),
            new Fixtures.Heard(),
            () -> 7);
    try (AccountingLog log = AccountingLog.of(temp.resolve("log"), found)) {
      log.append(NOW, entries(3, 7));
      assertEquals(0, log.reachesBackTo());
      try (AccountingLog.Follower follower = log.follow(0)) {
        assertNull(follower.next());
        assertTrue(found.journal().step());
        assertEquals(List.of(3L, 7L), positions(follower));
      }
    }
  }

  @Test
  void whatAReplayMakesAgainIsLeftOut() throws Exception {
    try (AccountingLog log = open()) {
      log.append(NOW, entries(1, 2));
      log.sync();
    }
    try (AccountingLog log = open()) {
      assertEquals(2, log.position());
      log.append(NOW, entries(1, 2, 4));
      log.append(NOW, entries(2));
      log.append(NOW, entries(4, 5));
      log.sync();
      assertEquals(List.of(1L, 2L, 4L, 5L), after(log, 0));
      assertEquals(List.of(4L, 5L), after(log, 3));
    }
  }

  /** A snapshot may be made while records of later events are on their way. */
  @Test
  void eventsWithoutRecordsMayBeCoveredMeanwhile() throws Exception {
    try (AccountingLog log = open()) {
      log.append(NOW, entries(1, 2));
      AccountingLog.Part part = log.part();
      entries(6, 7).forEach(part::add);
      log.cover(NOW, 5);
      log.append(NOW, part);
      assertEquals(7, log.position());
      AccountingLog.Part late = log.part();
      entries(8).forEach(late::add);
      log.cover(NOW, 8);
      assertThrows(IllegalArgumentException.class, () -> log.append(NOW, late));
      log.sync();
      assertEquals(List.of(1L, 2L, 6L, 7L), after(log, 0));
    }
  }

  /** A mark says that nothing is missing, a gap is seen by whoever reads over it. */
  @Test
  void whatIsMissingIsKnownAndWhatIsNotIsToo() throws Exception {
    try (AccountingLog log = open()) {
      log.append(NOW, entries(1, 2));
      log.cover(NOW, 9);
      log.cover(NOW, 5);
      log.sync();
    }
    try (AccountingLog log = open()) {
      assertEquals(9, log.position());
      log.append(NOW, entries(8, 11));
      log.skip(NOW, 20);
      log.append(NOW, entries(19, 23));
      log.sync();
      try (AccountingLog.Follower follower = log.follow(1)) {
        List<String> batches = new ArrayList<>();
        for (var next = follower.next(); next != null; next = follower.next()) {
          batches.add(next.previous() + "-" + next.last() + " " + next.entries().size());
        }
        assertEquals(List.of("0-2 1", "2-9 0", "9-11 1", "20-20 0", "20-23 1"), batches);
      }
    }
  }

  @Test
  void marksShortenTheNextOpeningAndLoseNothing() throws Exception {
    int count = 50_000;
    try (AccountingLog log = open()) {
      for (long position = 1; position <= count; position += 100) {
        log.append(NOW, entries(LongStream.range(position, position + 100).toArray()));
        log.sync();
      }
    }
    RecoveredJournal found =
        RecoveredJournal.open(temp.resolve("log"), Fixtures.settings(4096), new Fixtures.Heard());
    assertTrue(found.snapshotSequence() > 0, "a mark");
    try (AccountingLog log = AccountingLog.of(temp.resolve("log"), found)) {
      assertEquals(count, log.position());
      assertEquals(0, log.reachesBackTo());
      assertEquals(LongStream.rangeClosed(1, count).boxed().toList(), after(log, 0));
    }
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("log"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("journal-")).count();
    }
  }

  @Test
  void whatIsDeliveredAndOldGoesAndNothingElse() throws Exception {
    try (AccountingLog log = open()) {
      long position = 0;
      while (position < 100_000) {
        Instant at = NOW.plusSeconds(position);
        log.append(at, entries(LongStream.rangeClosed(position + 1, position + 50).toArray()));
        position += 50;
        log.sync();
        log.release(Math.min(position, 60_000), NOW.plusSeconds(50_000));
      }
      long back = log.reachesBackTo();
      assertTrue(back > 30_000 && back < 50_000, () -> "reaches back to " + back);
      assertEquals(LongStream.rangeClosed(back + 1, position).boxed().toList(), after(log, back));
      assertThrows(IllegalArgumentException.class, () -> log.follow(back - 1));
      long kept = files();
      log.release(position, Instant.MAX);
      for (int i = 0; i < 3; i++) {
        long first = position + 1;
        position += 20_000;
        log.append(NOW, entries(LongStream.rangeClosed(first, position).toArray()));
        log.sync();
      }
      assertTrue(files() < kept, "older files are gone");
      assertEquals(position, log.position());
    }
  }
}
