package io.dure.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SnapshotItems;
import io.dure.testkit.Cases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random lives of a journal on a disk that stops at any operation, loses power, refuses writes and
 * syncs: what was acknowledged is there, in order, whole batches only, and nothing was invented.
 */
@Tag("pure")
class AnyCrashTest {
  private static final Path DIRECTORY = Path.of("journal");
  private static final int LIVES = Integer.getInteger("dure.journal.lives", Cases.of(600));

  @Test
  void nothingAcknowledgedIsEverLost() throws Exception {
    int crashes = 0;
    long acknowledged = 0;
    for (long seed = 1; seed <= LIVES; seed++) {
      Life life = new Life(seed);
      try {
        life.live();
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      crashes += life.crashes;
      acknowledged += life.acknowledged;
    }
    System.out.println(
        "journal: "
            + LIVES
            + " lives, "
            + crashes
            + " crashes, "
            + acknowledged
            + " acknowledged records, none lost");
  }

  private static final class Life {
    private final Random random;
    private final SimulatedDisk disk;
    private final List<byte[]> model = new ArrayList<>();
    private final TreeSet<Long> batchEnds = new TreeSet<>(List.of(0L));
    private long acknowledged;
    private int crashes;

    Life(long seed) {
      random = new Random(seed + Cases.seeds());
      disk = new SimulatedDisk(random);
    }

    void live() throws Exception {
      for (int session = 0; session < 5; session++) {
        session();
      }
      disk.restart(random.nextBoolean());
      try (Journal journal = open()) {
        assertTrue(journal.lastDurable() >= acknowledged);
      }
    }

    private void session() throws Exception {
      boolean crash = random.nextInt(4) > 0;
      if (crash) {
        disk.stopAfter(random.nextInt(120));
      }
      if (random.nextInt(3) == 0) {
        disk.refuse(0.05);
      }
      List<CompletableFuture<Long>> promises = new ArrayList<>();
      try (Journal journal = open()) {
        int actions = random.nextInt(40);
        for (int i = 0; i < actions; i++) {
          act(journal, promises);
        }
      } catch (JournalRefusedException e) {
        throw e;
      } catch (IOException e) {
        crashes += crash ? 0 : 1; // refused while opening or closing
      }
      for (CompletableFuture<Long> promise : promises) {
        assertTrue(promise.isDone(), "nothing waits after closing");
        if (!promise.isCompletedExceptionally()) {
          acknowledged = Math.max(acknowledged, promise.get());
        }
      }
      if (crash) {
        crashes++;
      }
      disk.restart(crash && random.nextBoolean());
    }

    private void act(Journal journal, List<CompletableFuture<Long>> promises) throws Exception {
      int dice = random.nextInt(20);
      if (dice == 0) {
        long sequence = journal.lastDurable();
        try {
          journal.snapshot(sequence, inItems(state(sequence)));
        } catch (JournalRefusedException e) {
          throw e;
        } catch (IOException e) {
          return; // the disk refused; all is as before
        }
      } else if (dice < 5 && !promises.isEmpty()) {
        CompletableFuture<Long> promise = promises.getLast();
        while (!promise.isDone() && !disk.stopped()) {
          Thread.onSpinWait();
        }
      } else {
        List<byte[]> batch = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
          byte[] payload = new byte[random.nextInt(random.nextInt(10) == 0 ? 3000 : 200)];
          random.nextBytes(payload);
          batch.add(payload);
        }
        promises.add(journal.append(batch));
        model.addAll(batch);
        batchEnds.add((long) model.size());
      }
    }

    private Journal open() throws Exception {
      RecoveredJournal found =
          RecoveredJournal.open(disk, DIRECTORY, Fixtures.settings(4096), new Fixtures.Heard());
      long at = found.snapshotSequence();
      if (at > 0) {
        assertArrayEquals(state(at), Fixtures.state(found));
      }
      for (JournalRecord record : found.records()) {
        at++;
        assertEquals(at, record.sequence());
        assertTrue(at <= model.size(), "invented record " + at);
        assertArrayEquals(model.get((int) at - 1), record.payload());
      }
      assertEquals(at, found.journal().lastDurable());
      assertTrue(at >= acknowledged, "lost: acknowledged " + acknowledged + ", found " + at);
      assertTrue(batchEnds.contains(at), "half a batch: " + at);
      model.subList((int) at, model.size()).clear();
      batchEnds.tailSet(at, false).clear();
      acknowledged = at;
      return found.journal();
    }

    /** One item, or several. */
    private SnapshotItems inItems(byte[] state) {
      int length = 1 + random.nextInt(2 * state.length);
      List<byte[]> items = new ArrayList<>();
      for (int at = 0; at < state.length; at += length) {
        items.add(Arrays.copyOfRange(state, at, Math.min(state.length, at + length)));
      }
      return SnapshotItems.of(items);
    }

    private byte[] state(long sequence) {
      int hash = 1;
      for (byte[] payload : model.subList(0, (int) sequence)) {
        hash = 31 * hash + Arrays.hashCode(payload);
      }
      return ByteBuffer.allocate(12).putLong(sequence).putInt(hash).array();
    }
  }
}
