package io.dure.controller.replica.raft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.controller.replica.raft.PeerMessage.Entry;
import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.journal.segment.SnapshotItems;
import io.microraft.model.log.LogEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a member's snapshot holds is read as it was written, in one item or in many. */
@Tag("pure")
class MemberSnapshotTest {
  private static final GroupMemberId MEMBER = new GroupMemberId("c1", "d1");
  private static final Membership ALONE = new Membership(0, List.of(MEMBER), List.of(MEMBER));
  private static final RaftStoreRecord.Image HEAD =
      new RaftStoreRecord.Image(
          new RaftStoreRecord.Self(MEMBER, false),
          true,
          ALONE,
          new RaftStoreRecord.Term(3, MEMBER),
          10,
          2,
          ALONE,
          List.of(),
          new byte[0],
          RaftStoreRecord.Progress.NONE,
          false);

  private static List<LogEntry> tail(int count, int bytes) {
    List<LogEntry> tail = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] record = new byte[bytes];
      record[0] = (byte) i;
      tail.add(RaftMapper.logEntry(new Entry(11 + i, 3, new PeerMessage.Batch(List.of(record)))));
    }
    return tail;
  }

  private static List<byte[]> all(SnapshotItems items) throws IOException {
    List<byte[]> all = new ArrayList<>();
    items.into(all::add);
    return all;
  }

  /** Number of items; what is in them is compared. */
  private static int written(List<LogEntry> tail, List<byte[]> state) throws IOException {
    List<byte[]> items = all(MemberSnapshot.of(HEAD, tail, SnapshotItems.of(state)));
    SnapshotItems stored = SnapshotItems.of(items);
    RaftStoreRecord.@Nullable Image image = MemberSnapshot.image(stored);
    assertNotNull(image);
    assertEquals(HEAD.now(), image.now());
    assertEquals(tail.size(), image.tail().size());
    for (int i = 0; i < tail.size(); i++) {
      assertEquals(11 + i, image.tail().get(i).index());
      byte[] record = ((PeerMessage.Batch) image.tail().get(i).payload()).records().getFirst();
      assertEquals((byte) i, record[0]);
    }
    for (int times = 0; times < 2; times++) {
      List<byte[]> read = all(MemberSnapshot.state(stored));
      assertEquals(state.size(), read.size());
      for (int i = 0; i < state.size(); i++) {
        assertArrayEquals(state.get(i), read.get(i));
      }
    }
    for (byte[] item : items) {
      assertTrue(item.length < 6 << 20, item.length + " bytes in one item");
    }
    return items.size();
  }

  @Test
  void aSmallOneIsOneItemThatEarlierProgramsRead() throws IOException {
    assertEquals(1, written(List.of(), List.of(new byte[] {1, 2})));
    assertEquals(1, written(tail(3, 100), List.of(new byte[100])));
    byte[] only =
        all(MemberSnapshot.of(HEAD, List.of(), SnapshotItems.of(new byte[] {1}))).getFirst();
    assertArrayEquals(RaftStoreFormat.image(HEAD.with(List.of(), new byte[] {1}, false)), only);
  }

  @Test
  void aLargeOneIsDivided() throws IOException {
    assertEquals(3, written(List.of(), List.of(new byte[5], new byte[0])));
    assertEquals(4, written(tail(2, 10), List.of(new byte[] {1}, new byte[] {2})));
    assertEquals(1 + 3 + 1, written(tail(11, 1 << 20), List.of(new byte[9])));
  }

  @Test
  void thatOfASingleControllerIsTheState() throws IOException {
    SnapshotItems lone = SnapshotItems.of(List.of(new byte[] {9, 9}, new byte[] {1, 7}));
    assertNull(MemberSnapshot.image(lone));
    assertEquals(2, all(MemberSnapshot.state(lone)).size());
    assertArrayEquals(new byte[] {1, 7}, all(MemberSnapshot.state(lone)).getLast());
  }
}
