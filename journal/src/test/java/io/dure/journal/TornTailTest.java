package io.dure.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.JournalFrame;
import io.dure.journal.segment.SegmentHeader;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a journal, cut at random bytes after what was acknowledged, on real files. */
@Tag("process")
class TornTailTest {
  private static final int CUTS = 80;

  @TempDir Path temp;
  private final Random random = new Random(7);
  private final List<byte[]> model = new ArrayList<>();
  private final TreeSet<Long> batchEnds = new TreeSet<>();

  @Test
  void acknowledgedRecordsSurviveAnyCut() throws Exception {
    int torn = 0;
    for (int cut = 0; cut < CUTS; cut++) {
      model.clear();
      batchEnds.clear();
      Path directory = temp.resolve("live" + cut);
      long acknowledged;
      try (Journal journal = open(directory).journal()) {
        append(journal, random.nextInt(30));
        acknowledged = journal.append(List.of()).get();
        // One more round that nobody was told of: what a crash may tear.
        append(journal, 1);
        Path copy = temp.resolve("crashed" + cut);
        journal.append(List.of()).get();
        Fixtures.copy(directory, copy);
        tear(copy, acknowledged);
        torn += check(copy, acknowledged);
      }
    }
    System.out.println("journal: " + CUTS + " cut copies read back, " + torn + " with a torn tail");
  }

  private static RecoveredJournal open(Path directory) throws Exception {
    return RecoveredJournal.open(directory, Fixtures.settings(4096), new Fixtures.Heard());
  }

  private void append(Journal journal, int batches) {
    for (int i = 0; i < batches; i++) {
      List<byte[]> batch = new ArrayList<>();
      for (int r = random.nextInt(5); r >= 0; r--) {
        byte[] payload = new byte[random.nextInt(400)];
        random.nextBytes(payload);
        batch.add(payload);
      }
      model.addAll(batch);
      batchEnds.add((long) model.size());
      CompletableFuture<Long> promise = journal.append(batch);
      assertEquals(model.size(), journal.lastAppended());
      assertTrue(!promise.isCompletedExceptionally());
    }
  }

  /** Spoils the last segment somewhere after the acknowledged part. */
  private void tear(Path directory, long acknowledged) throws Exception {
    Path last = Fixtures.segments(directory).getLast();
    Fixtures.forgetMark(last);
    long from = SegmentHeader.BYTES;
    long to = from;
    for (JournalFrame frame : Fixtures.frames(last)) {
      to = frame.offset() + frame.length();
      from = frame.sequence() <= acknowledged ? to : from;
    }
    try (RandomAccessFile file = new RandomAccessFile(last.toFile(), "rw")) {
      long size = file.length();
      long at = from + random.nextLong(to - from + 1);
      switch (random.nextInt(2)) {
        case 0 -> overwrite(file, at, new byte[(int) (size - at)]);
        default -> {
          byte[] garbage = new byte[random.nextInt((int) (size - at) + 1)];
          random.nextBytes(garbage);
          overwrite(file, at, garbage);
        }
      }
    }
  }

  private static void overwrite(RandomAccessFile file, long at, byte[] bytes) throws Exception {
    file.seek(at);
    file.write(bytes);
  }

  private int check(Path directory, long acknowledged) throws Exception {
    RecoveredJournal found = open(directory);
    long count = 0;
    try (Journal journal = found.journal()) {
      for (JournalRecord record : found.records()) {
        count++;
        assertEquals(count, record.sequence());
        assertArrayEquals(model.get((int) count - 1), record.payload());
      }
      assertTrue(count >= acknowledged, "lost records after " + count);
      assertTrue(count == 0 || batchEnds.contains(count), "half a batch at " + count);
      assertEquals(count + 1, journal.append(List.of(new byte[3])).get());
    }
    RecoveredJournal again = open(directory);
    again.journal().close();
    assertEquals(List.of(), again.notes());
    assertEquals(count + 1, Fixtures.texts(again).size());
    return found.notes().size();
  }
}
