package io.dure.journal.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Items that came are given back as they were, wherever they lay. */
@Tag("pure")
final class ItemSpoolTest {
  private static final int ITEMS = 20;

  @TempDir Path scratch;

  private static byte[] bytes(int number) {
    byte[] bytes = new byte[number * 10];
    Arrays.fill(bytes, (byte) number);
    return bytes;
  }

  private static void fill(ItemSpool spool) throws IOException {
    for (int i = 0; i < ITEMS; i++) {
      spool.item(bytes(i));
    }
  }

  private static void isAll(SnapshotItems items) throws IOException {
    SnapshotItems.Reader reader = items.open();
    for (int i = 0; i < ITEMS; i++) {
      assertArrayEquals(bytes(i), reader.next());
    }
    assertNull(reader.next());
  }

  @Test
  void whatIsLongLiesInTheFileUntilItIsClosed() throws IOException {
    Path file = scratch.resolve("spool");
    Files.write(file, new byte[100_000]);
    ItemSpool spool = ItemSpool.withFile(file, 300);
    fill(spool);
    // Those of 0 to 70 bytes are in memory, those from 80 bytes on are not.
    assertEquals((8 + 19) * 12 / 2 * 10, Files.size(file));
    isAll(spool.items());
    isAll(spool.items());
    spool.close();
    assertFalse(Files.exists(file));
    assertThrows(IOException.class, () -> isAll(spool.items()));
    spool.close();
  }

  @Test
  void whatIsShortNeedsNoFile() throws IOException {
    Path file = scratch.resolve("spool");
    try (ItemSpool spool = ItemSpool.withFile(file)) {
      fill(spool);
      isAll(spool.items());
      assertFalse(Files.exists(file));
    }
    try (ItemSpool spool = ItemSpool.inMemory()) {
      fill(spool);
      isAll(spool.items());
    }
  }

  @Test
  void damageIsNoticed() throws IOException {
    Path file = scratch.resolve("spool");
    try (ItemSpool spool = ItemSpool.withFile(file, 0)) {
      fill(spool);
      byte[] all = Files.readAllBytes(file);
      all[100] ^= 4;
      Files.write(file, all);
      String message =
          String.valueOf(assertThrows(IOException.class, () -> isAll(spool.items())).getMessage());
      assertTrue(message.contains(file.toString()), message);
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() throws IOException {
    Path file = Files.createDirectory(scratch.resolve("spool")).resolve("gone").resolve("x");
    try (ItemSpool spool = ItemSpool.withFile(file, 0)) {
      String message =
          String.valueOf(
              assertThrows(IOException.class, () -> spool.item(new byte[10])).getMessage());
      assertTrue(message.contains(file.toString()), message);
    }
  }
}
