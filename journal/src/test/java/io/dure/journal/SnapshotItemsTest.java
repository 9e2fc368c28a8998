package io.dure.journal;

import static io.dure.journal.Fixtures.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.SnapshotItems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of several items, in real files: whole, damaged, not finished. */
@Tag("process")
class SnapshotItemsTest {
  private static final int HEAD = 20;
  private static final List<byte[]> ITEMS =
      List.of(bytes("first"), new byte[0], bytes("a third that is longer"), bytes("4"));

  @TempDir Path scratch;

  /** Gives all items, then fails. */
  private static SnapshotItems failing(SnapshotItems.Reader end) {
    return () -> {
      SnapshotItems.Reader all = SnapshotItems.of(ITEMS).open();
      return () -> {
        byte[] item = all.next();
        return item == null ? end.next() : item;
      };
    };
  }

  private RecoveredJournal open() throws IOException {
    return RecoveredJournal.open(directory(), Fixtures.settings(4096), new Fixtures.Heard());
  }

  private Path directory() {
    return scratch.resolve("journal");
  }

  private Path file(int sequence) {
    return directory().resolve("snapshot-%019d".formatted(sequence));
  }

  private static void append(Journal journal, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      journal.append(List.of(new byte[100])).get();
    }
  }

  private List<String> files(String part) throws IOException {
    try (var all = Files.list(directory())) {
      return all.map(f -> f.getFileName().toString()).filter(n -> n.contains(part)).toList();
    }
  }

  @Test
  void itemsAreReadBackOneByOne() throws Exception {
    try (Journal journal = open().journal()) {
      append(journal, 10);
      journal.snapshot(10, SnapshotItems.of(ITEMS));
    }
    RecoveredJournal found = open();
    try (Journal _ = found.journal()) {
      assertEquals(10, found.snapshotSequence());
      List<byte[]> items = new ArrayList<>();
      found.snapshot().into(items::add);
      assertEquals(ITEMS.size(), items.size());
      for (int i = 0; i < ITEMS.size(); i++) {
        assertArrayEquals(ITEMS.get(i), items.get(i));
      }
    }
  }

  @Test
  void closingGivesUpASnapshotInProgress() throws Exception {
    Journal journal = open().journal();
    append(journal, 3);
    CountDownLatch begun = new CountDownLatch(1);
    SnapshotItems endless =
        () ->
            () -> {
              begun.countDown();
              return new byte[100];
            };
    FutureTask<SnapshotItems> writing = new FutureTask<>(() -> journal.snapshot(3, endless));
    Thread.ofPlatform().daemon().start(writing);
    begun.await();
    journal.close();
    String message = assertThrows(ExecutionException.class, writing::get).getMessage();
    assertTrue(message.contains("the journal closes"), message);
    assertEquals(List.of(), files("snapshot"));
    try (Journal again = open().journal()) {
      assertEquals(3, again.lastAppended());
    }
  }

  @Test
  void oneItemIsWrittenAsEarlierProgramsDid() throws Exception {
    try (Journal journal = open().journal()) {
      append(journal, 3);
      journal.snapshot(3, bytes("state"));
    }
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(file(3)));
    assertEquals(HEAD + 5 + 4, file.capacity());
    assertEquals(1, file.getInt(8));
    assertEquals("state", new String(file.array(), HEAD, 5, Fixtures.UTF_8));
  }

  @Test
  void damageAnywhereIsFoundAndTheSnapshotBeforeServes() throws Exception {
    try (Journal journal = open().journal()) {
      append(journal, 20);
      journal.snapshot(10, bytes("older"));
      journal.snapshot(20, SnapshotItems.of(ITEMS));
    }
    byte[] whole = Files.readAllBytes(file(20));
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      olderServes(damaged, "bit at " + at);
      olderServes(Arrays.copyOf(whole, at), "cut at " + at);
    }
    olderServes(Arrays.copyOf(whole, whole.length + 1), "longer");
  }

  private void olderServes(byte[] newest, String damage) throws IOException {
    Files.write(file(20), newest);
    RecoveredJournal found = open();
    try (Journal _ = found.journal()) {
      assertEquals(10, found.snapshotSequence(), damage);
      assertEquals("older", new String(Fixtures.state(found), Fixtures.UTF_8));
      assertEquals(Set.of(20L), found.damagedSnapshots());
    }
    assertEquals(10, Fixtures.texts(again()).size(), "the records behind it are there");
  }

  private RecoveredJournal again() throws IOException {
    RecoveredJournal found = open();
    found.journal().close();
    return found;
  }

  @Test
  void anItemThatChangesAfterTheOpeningIsNotTaken() throws Exception {
    try (Journal journal = open().journal()) {
      append(journal, 1);
      journal.snapshot(1, SnapshotItems.of(ITEMS));
    }
    RecoveredJournal found = open();
    try (Journal _ = found.journal()) {
      Fixtures.flipBit(file(1), HEAD + 12 + 2);
      IOException told = assertThrows(IOException.class, () -> Fixtures.state(found));
      assertEquals(
          file(1) + ":20: item 0 of this snapshot is no longer as it was opened",
          told.getMessage());
    }
  }

  @Test
  void aStateOfOneItemThatChangesAfterTheOpeningIsNotTaken() throws Exception {
    try (Journal journal = open().journal()) {
      append(journal, 1);
      journal.snapshot(1, new byte[] {1, 2, 3});
    }
    RecoveredJournal found = open();
    try (Journal _ = found.journal()) {
      Fixtures.flipBit(file(1), HEAD + 1);
      IOException told = assertThrows(IOException.class, () -> Fixtures.state(found));
      assertEquals(
          file(1) + ":20: item 0 of this snapshot is no longer as it was opened",
          told.getMessage());
    }
  }

  @Test
  void aSnapshotThatFailsMidwayLeavesAllAsItWas() throws Exception {
    List<SnapshotItems> failing =
        List.of(
            failing(() -> {
              throw new IllegalStateException("a job that cannot be written");
            }),
            failing(() -> {
              throw new OutOfMemoryError("Java heap space");
            }),
            () ->
                () -> {
                  throw new IOException("No space left on device");
                });
    List<String> said =
        List.of(
            ": item 4, after 96 bytes: java.lang.IllegalStateException: a job that cannot be"
                + " written",
            ": item 4, after 96 bytes: java.lang.OutOfMemoryError: Java heap space",
            ": item 0, after 0 bytes: No space left on device");
    try (Journal journal = open().journal()) {
      append(journal, 200);
      List<String> before = files("");
      for (int i = 0; i < failing.size(); i++) {
        SnapshotItems items = failing.get(i);
        IOException told = assertThrows(IOException.class, () -> journal.snapshot(200, items));
        assertEquals(file(200) + said.get(i), told.getMessage());
        assertEquals(Set.copyOf(before), Set.copyOf(files("")));
      }
      append(journal, 1);
      journal.snapshot(201, SnapshotItems.of(ITEMS));
    }
    assertEquals(201, again().snapshotSequence());
  }

  @Test
  void whatACrashLeftBetweenItemsIsCleared() throws Exception {
    try (Journal journal = open().journal()) {
      append(journal, 20);
      journal.snapshot(10, bytes("older"));
      journal.snapshot(20, SnapshotItems.of(ITEMS));
    }
    byte[] whole = Files.readAllBytes(file(20));
    Files.delete(file(20));
    for (int at : new int[] {0, HEAD, HEAD + 12 + 5, whole.length - 1}) {
      Files.write(directory().resolve(file(20).getFileName() + ".tmp"), Arrays.copyOf(whole, at));
      RecoveredJournal found = again();
      assertEquals(10, found.snapshotSequence());
      assertEquals(10, Fixtures.texts(found).size());
      assertTrue(files(".tmp").isEmpty());
    }
  }
}
