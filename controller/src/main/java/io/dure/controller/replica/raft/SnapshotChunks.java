package io.dure.controller.replica.raft;

import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the content of snapshots part by part, so that signs of life pass between, and gives it.
 * The log's thread.
 */
final class SnapshotChunks {
  private static final int PART = 512 * 1024;

  private final Wire wire;
  private final RaftExecutor turns;
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
    private byte[] bytes = new byte[0];
    private int got;

    Fetching(GroupMemberId from, PeerMessage.SnapshotOffer offer) {
      this.from = from;
      this.offer = offer;
    }
  }

  SnapshotChunks(Wire wire, RaftExecutor turns) {
    this.wire = wire;
    this.turns = turns;
  }

  /** Another member offers the content of a snapshot. */
  void offered(GroupMemberId from, PeerMessage.SnapshotOffer offer) {
    Fetching now = fetching;
    if (now == null || !now.from.equals(from) || now.offer.snapshot() != offer.snapshot()) {
      now = new Fetching(from, offer);
      fetching = now;
    }
    now.offer = offer;
    wire.send(from, new PeerMessage.PartWanted(offer.snapshot(), now.got));
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
    if (now.bytes.length != part.total()) {
      now.bytes = Arrays.copyOf(now.bytes, Math.toIntExact(part.total()));
    }
    System.arraycopy(part.bytes(), 0, now.bytes, now.got, part.bytes().length);
    now.got += part.bytes().length;
    if (now.got < part.total()) {
      wire.send(from, new PeerMessage.PartWanted(part.snapshot(), now.got));
    } else {
      fetching = null;
      whole.take(from, now.offer, SnapshotContent.of(now.bytes));
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
    turns.beside(() -> {
      byte[] bytes = content.bytes();
      int at = (int) Math.min(wanted.from(), bytes.length);
      byte[] part = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + PART));
      wire.send(from, new PeerMessage.Part(wanted.snapshot(), bytes.length, at, part));
    });
  }
}
