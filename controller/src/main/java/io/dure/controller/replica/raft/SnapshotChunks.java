package io.dure.controller.replica.raft;

import io.dure.journal.segment.ItemSpool;
import io.dure.protocol.codec.MalformedMessageException;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the content of snapshots part by part, so that signs of life pass between, and gives it.
 * The log's thread.
 */
final class SnapshotChunks {
  private static final int PART = 512 * 1024;

  private final Wire wire;
  private final RaftExecutor turns;
  private final JournalRaftStore store;
  private final Map<GroupMemberId, SnapshotStream.Sender> sending = new HashMap<>();
  private @Nullable Fetching fetching;

  /** Sends to a member. */
  public interface Wire {
    /** May lose it. */
    void send(GroupMemberId to, PeerMessage message);
  }

  /** A content that is whole. */
  interface CompletedSnapshot {
    /** Takes the offer's content. */
    void take(GroupMemberId from, PeerMessage.SnapshotOffer offer, SnapshotContent content);
  }

  private static final class Fetching {
    private final GroupMemberId from;
    private PeerMessage.SnapshotOffer offer;
    private long got;
    private final SnapshotStream.Receiver stream;
    private byte[] joined = new byte[0]; // of a member that knows no items

    Fetching(GroupMemberId from, PeerMessage.SnapshotOffer offer, ItemSpool spool) {
      this.from = from;
      this.offer = offer;
      stream = new SnapshotStream.Receiver(spool);
    }

    /** Adds a part; the content if it is whole then. */
    @Nullable SnapshotContent add(PeerMessage.Part part) throws IOException {
      byte[] bytes = part.bytes();
      if (part.items()) {
        stream.add(bytes);
        got += bytes.length;
        return stream.isWhole() ? SnapshotContent.received(stream.items()) : null;
      }
      if (joined.length != part.total()) {
        joined = Arrays.copyOf(joined, Math.toIntExact(part.total()));
      }
      System.arraycopy(bytes, 0, joined, (int) got, bytes.length);
      got += bytes.length;
      if (got < part.total()) {
        return null;
      }
      stream.items().item(joined);
      return SnapshotContent.received(stream.items());
    }
  }

  SnapshotChunks(Wire wire, RaftExecutor turns, JournalRaftStore store) {
    this.wire = wire;
    this.turns = turns;
    this.store = store;
  }

  /** Another member offers the content of a snapshot. */
  void offered(GroupMemberId from, PeerMessage.SnapshotOffer offer) {
    Fetching now = fetching;
    if (now == null || !now.from.equals(from) || now.offer.snapshot() != offer.snapshot()) {
      drop();
      now = new Fetching(from, offer, store.spool());
      fetching = now;
    }
    now.offer = offer;
    ask(now);
  }

  private void ask(Fetching now) {
    wire.send(now.from, new PeerMessage.PartWanted(now.offer.snapshot(), now.got, true));
  }

  /** The next part came. */
  void part(GroupMemberId from, PeerMessage.Part part, CompletedSnapshot whole) {
    Fetching now = fetching;
    if (now == null
        || !now.from.equals(from)
        || now.offer.snapshot() != part.snapshot()
        || part.from() != now.got) {
      return;
    }
    SnapshotContent content;
    try {
      content = now.add(part);
    } catch (MalformedMessageException e) {
      drop(); // the next offer begins anew
      store.complain("a snapshot of " + from + " is fetched again: " + e.getMessage());
      return;
    } catch (IOException e) {
      drop();
      store.complain(
          "a snapshot of "
              + from
              + " cannot be kept, and is fetched again: "
              + e.getMessage()
              + "; make room there");
      return;
    }
    if (content == null) {
      ask(now);
    } else {
      fetching = null;
      whole.take(from, now.offer, content);
    }
  }

  /** What was fetched of a snapshot up to that entry or an earlier one is needed no more. */
  void forget(long committed) {
    if (fetching != null && fetching.offer.snapshot() <= committed) {
      drop();
    }
  }

  private void drop() {
    if (fetching != null) {
      fetching.stream.items().close();
      fetching = null;
    }
  }

  /** Another member asks for a part of the newest snapshot. */
  void wanted(GroupMemberId from, PeerMessage.PartWanted wanted, SnapshotEntry snapshot) {
    if (snapshot.getIndex() != wanted.snapshot() || snapshot.getIndex() == 0) {
      return; // a newer offer is on its way
    }
    @SuppressWarnings("unchecked")
    List<SnapshotChunk> chunks = (List<SnapshotChunk>) snapshot.getOperation();
    SnapshotContent content = (SnapshotContent) chunks.getFirst().getOperation();
    SnapshotStream.Sender sender = sender(from, content);
    turns.beside(() -> {
      try {
        wire.send(
            from,
            wanted.items()
                ? sender.part(wanted.snapshot(), wanted.from())
                : joined(content, wanted));
      } catch (IOException e) {
        turns.next(() -> store.complain("a snapshot cannot be sent to " + from + ": " + e));
      }
    });
  }

  private SnapshotStream.Sender sender(GroupMemberId to, SnapshotContent content) {
    sending.values().removeIf(sender -> !sender.isOf(content));
    return sending.computeIfAbsent(to, _ -> new SnapshotStream.Sender(content));
  }

  private static PeerMessage.Part joined(SnapshotContent content, PeerMessage.PartWanted wanted)
      throws IOException {
    byte[] bytes = content.joined();
    int at = (int) Math.min(wanted.from(), bytes.length);
    byte[] part = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + PART));
    return new PeerMessage.Part(wanted.snapshot(), bytes.length, at, part, false);
  }
}
