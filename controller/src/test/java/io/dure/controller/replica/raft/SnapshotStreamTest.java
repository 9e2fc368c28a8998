package io.dure.controller.replica.raft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.ItemSpool;
import io.dure.journal.segment.SnapshotItems;
import io.dure.protocol.codec.MalformedMessageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Items of a snapshot arrive as they were, whatever is lost, and few are in memory meanwhile. */
@Tag("pure")
class SnapshotStreamTest {
  private final Random random = new Random(7);

  private List<byte[]> items(int... lengths) {
    List<byte[]> items = new ArrayList<>();
    for (int length : lengths) {
      byte[] item = new byte[length];
      random.nextBytes(item);
      items.add(item);
    }
    return items;
  }

  private static SnapshotContent content(List<byte[]> items) {
    return SnapshotContent.of(SnapshotItems.of(items));
  }

  private static void same(List<byte[]> items, SnapshotItems read) throws IOException {
    List<byte[]> found = new ArrayList<>();
    read.into(found::add);
    assertEquals(items.size(), found.size());
    for (int i = 0; i < items.size(); i++) {
      assertArrayEquals(items.get(i), found.get(i), "item " + i);
    }
  }

  @Test
  void whatIsAskedForAgainComesAgain() throws IOException {
    List<byte[]> items = items(3, 0, 2_000_000, 524_284, 1);
    SnapshotStream.Sender sender = new SnapshotStream.Sender(content(items));
    SnapshotStream.Receiver receiver = new SnapshotStream.Receiver(ItemSpool.inMemory());
    long got = 0;
    int parts = 0;
    while (!receiver.isWhole()) {
      if (random.nextInt(3) == 0) {
        // lost on its way, or a request that comes late
        sender.part(9, random.nextInt(4) == 0 ? 0 : got);
      }
      PeerMessage.Part part = sender.part(9, got);
      assertTrue(part.bytes().length <= 512 * 1024);
      assertEquals(got, part.from());
      receiver.add(part.bytes());
      got += part.bytes().length;
      parts++;
      assertEquals(receiver.isWhole() ? got : -1, part.total());
    }
    assertTrue(parts >= 9, parts + " parts");
    same(items, receiver.items().items());
    assertEquals(0, sender.part(9, got).bytes().length);
  }

  @Test
  void partsMayBeCutAnywhere() throws IOException {
    List<byte[]> items = items(5, 0, 1000, 17);
    PeerMessage.Part[] parts = new PeerMessage.Part[1];
    SnapshotStream.Sender sender = new SnapshotStream.Sender(content(items));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    do {
      parts[0] = sender.part(9, all.size());
      all.writeBytes(parts[0].bytes());
    } while (parts[0].total() < 0);
    byte[] stream = all.toByteArray();
    for (int length : new int[] {1, 2, 3, 7, 100, stream.length}) {
      SnapshotStream.Receiver receiver = new SnapshotStream.Receiver(ItemSpool.inMemory());
      for (int at = 0; at < stream.length; at += length) {
        assertFalse(receiver.isWhole());
        receiver.add(Arrays.copyOfRange(stream, at, Math.min(stream.length, at + length)));
      }
      assertTrue(receiver.isWhole());
      same(items, receiver.items().items());
    }
  }

  @Test
  void whatBelongsToAnotherStateIsNotTaken() throws IOException {
    SnapshotStream.Sender one = new SnapshotStream.Sender(content(items(40, 50)));
    SnapshotStream.Sender other = new SnapshotStream.Sender(content(items(40, 50)));
    SnapshotStream.Receiver receiver = new SnapshotStream.Receiver(ItemSpool.inMemory());
    byte[] first = one.part(9, 0).bytes();
    receiver.add(first);
    byte[] second = other.part(9, first.length).bytes();
    receiver.add(second);
    byte[] end = other.part(9, first.length + second.length).bytes();
    assertThrows(MalformedMessageException.class, () -> receiver.add(end));
    assertThrows(
        MalformedMessageException.class,
        () -> new SnapshotStream.Receiver(ItemSpool.inMemory()).add(new byte[] {-2, 0, 0, 0}));
  }

  @Test
  void oneItemIsMadeAtATime() throws IOException {
    int[] made = new int[1];
    SnapshotItems counted =
        () -> {
          SnapshotItems.Reader reader = SnapshotItems.of(items(100, 100, 100)).open();
          return () -> {
            made[0]++;
            return reader.next();
          };
        };
    SnapshotStream.Sender sender = new SnapshotStream.Sender(SnapshotContent.of(counted));
    assertEquals(0, made[0], "nothing on the thread of the log");
    sender.part(9, 0);
    sender.part(9, 0);
    assertEquals(1, made[0]);
    sender.part(9, 104);
    assertEquals(2, made[0]);
  }
}
