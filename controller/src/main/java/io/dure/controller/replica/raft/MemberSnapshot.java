package io.dure.controller.replica.raft;

import io.dure.journal.segment.SnapshotItems;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import io.microraft.model.log.LogEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member's snapshot as its journal holds it. A small one is one item, a {@link
 * RaftStoreRecord.Image}. Of a larger one the first item is that without tail and state; then come
 * items of kind 1, rows of entries of the tail, and of kind 2, the items of the state. Any thread.
 */
final class MemberSnapshot {
  private static final int ITEM = 4 * 1024 * 1024;
  private static final byte TAIL = 1;
  private static final byte STATE = 2;
  private static final RecordCodec<PeerMessage.Entry> ENTRIES =
      RecordCodec.of(PeerMessage.Entry.class).exact();

  private MemberSnapshot() {}

  /**
   * The items of a snapshot, made while they are taken.
   *
   * @param head without tail and state
   * @param tail entries behind the state
   */
  static SnapshotItems of(
      RaftStoreRecord.Image head, Collection<LogEntry> tail, SnapshotItems state) {
    List<LogEntry> entries = List.copyOf(tail);
    return () -> new Writer(head, entries, state.open());
  }

  /**
   * What a snapshot says beside the state, the tail included; null if a standalone controller wrote
   * it.
   *
   * @throws MalformedMessageException if it is none, or a newer program wrote it
   */
  static RaftStoreRecord.@Nullable Image image(SnapshotItems items) throws IOException {
    SnapshotItems.Reader reader = items.open();
    RaftStoreRecord.Image image = RaftStoreFormat.image(require(reader.next()));
    if (image == null || !image.divided()) {
      return image;
    }
    List<PeerMessage.Entry> tail = new ArrayList<>();
    byte[] item = reader.next();
    while (item != null && isOf(TAIL, item)) {
      tail.addAll(ENTRIES.decodeAll(body(item)));
      item = reader.next();
    }
    return image.with(tail, new byte[0], true);
  }

  /** The items of the state in a snapshot, read when they are needed. */
  static SnapshotItems state(SnapshotItems items) {
    return () -> new StateReader(items.open());
  }

  private static byte[] require(byte @Nullable [] item) {
    if (item == null) {
      throw new MalformedMessageException("a snapshot without items");
    }
    return item;
  }

  private static boolean isOf(byte kind, byte[] item) {
    return item.length > 0 && item[0] == kind;
  }

  private static byte[] body(byte[] item) {
    return Arrays.copyOfRange(item, 1, item.length);
  }

  private static byte[] item(byte kind, byte[] body) {
    byte[] item = new byte[1 + body.length];
    item[0] = kind;
    System.arraycopy(body, 0, item, 1, body.length);
    return item;
  }

  private static final class Writer implements SnapshotItems.Reader {
    private final RaftStoreRecord.Image head;
    private final List<LogEntry> tail;
    private final Iterator<LogEntry> rest;
    private final SnapshotItems.Reader state;
    private byte @Nullable [] first;
    private byte @Nullable [] second;
    private boolean begun;
    private boolean ended;

    Writer(RaftStoreRecord.Image head, List<LogEntry> tail, SnapshotItems.Reader state) {
      this.head = head;
      this.tail = tail;
      this.state = state;
      rest = tail.iterator();
    }

    @Override
    public byte @Nullable [] next() throws IOException {
      if (!begun) {
        begun = true;
        return begin();
      } else if (ended) {
        return null;
      } else if (rest.hasNext()) {
        return tail();
      }
      byte[] next = first == null ? state.next() : first;
      first = second;
      second = null;
      return next == null ? null : item(STATE, next);
    }

    private byte[] begin() throws IOException {
      byte[] only = require(state.next());
      second = state.next();
      long bytes = tail.stream().mapToLong(RaftMapper::bytes).sum();
      ended = second == null && bytes < ITEM;
      if (ended) {
        return RaftStoreFormat.image(head.with(RaftMapper.entries(tail), only, false));
      }
      first = only;
      return RaftStoreFormat.image(head.with(List.of(), new byte[0], true));
    }

    private byte[] tail() {
      RecordCodec<PeerMessage.Entry>.Row row = ENTRIES.row();
      while (rest.hasNext() && row.size() < ITEM) {
        row.add(RaftMapper.entry(rest.next()));
      }
      return item(TAIL, row.toByteArray());
    }
  }

  private static final class StateReader implements SnapshotItems.Reader {
    private final SnapshotItems.Reader items;
    private boolean begun;
    private boolean divided;

    StateReader(SnapshotItems.Reader items) {
      this.items = items;
    }

    @Override
    public byte @Nullable [] next() throws IOException {
      if (!begun) {
        begun = true;
        byte[] first = require(items.next());
        RaftStoreRecord.Image image = RaftStoreFormat.image(first);
        divided = image != null && image.divided();
        if (!divided) {
          return image == null ? first : image.state();
        }
      }
      byte[] item = items.next();
      while (divided && item != null && isOf(TAIL, item)) {
        item = items.next();
      }
      if (!divided || item == null) {
        return item;
      } else if (!isOf(STATE, item)) {
        throw new MalformedMessageException("an item of an unknown kind in a snapshot");
      }
      return body(item);
    }
  }
}
