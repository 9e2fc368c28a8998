package io.dure.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that each wait for their record share syncs; the figures are printed, not judged. */
@Tag("process")
class GroupCommitTest {
  private static final long NANOS = 500_000_000;

  @TempDir Path temp;

  @Test
  void manyCallersShareASync() throws Exception {
    for (int callers : new int[] {1, 4, 16, 256}) {
      Path directory = temp.resolve("journal" + callers);
      AtomicLong done = new AtomicLong();
      JournalSettings settings = JournalSettings.defaults();
      try (Journal journal =
          RecoveredJournal.open(directory, settings, new Fixtures.Heard()).journal()) {
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
          threads.add(
              Thread.ofVirtual()
                  .start(() -> {
                    byte[] record = new byte[200];
                    while (System.nanoTime() - start < NANOS) {
                      journal.append(List.of(record)).join();
                      done.incrementAndGet();
                    }
                  }));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        assertEquals(done.get(), journal.lastDurable());
        System.out.printf(
            Locale.ROOT,
            "journal: %d callers, %.0f durable appends of 200 bytes a second%n",
            callers,
            done.get() / seconds);
      }
      readBack(directory, done.get());
    }
  }

  private static void readBack(Path directory, long records) throws Exception {
    long start = System.nanoTime();
    RecoveredJournal found =
        RecoveredJournal.open(directory, JournalSettings.defaults(), new Fixtures.Heard());
    long read = 0;
    for (JournalRecord record : found.records()) {
      read = record.sequence();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    found.journal().close();
    assertEquals(records, read);
    System.out.printf(
        Locale.ROOT, "journal: %d records checked and read back in %.2f s%n", read, seconds);
  }
}
