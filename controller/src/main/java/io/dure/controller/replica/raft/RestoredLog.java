package io.dure.controller.replica.raft;

import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.RaftStoreRecord.Self;
import io.dure.controller.replica.raft.RaftStoreRecord.Term;
import io.dure.journal.EventJournal;
import io.dure.journal.segment.SnapshotItems;
import io.dure.protocol.codec.MalformedMessageException;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a member's journal held when it was opened.
 *
 * @param self the member that the journal belongs to
 * @param unnamed whether the journal does not say so yet
 * @param alone whether it holds what a controller without a group wrote
 * @param voting whether it has a vote
 * @param founders first members of its group, null if it is in none yet
 * @param term newest leadership and vote
 * @param snapshot newest, null if there is none
 * @param entries those behind it
 * @param progress how far the log was known to be kept
 */
public record RestoredLog(
    Self self,
    boolean unnamed,
    boolean alone,
    boolean voting,
    @Nullable Membership founders,
    Term term,
    @Nullable SnapshotEntry snapshot,
    List<LogEntry> entries,
    RaftStoreRecord.Progress progress) {

  /** What a journal holds from which all was made void. */
  public static RestoredLog forgotten(Self self) {
    return new RestoredLog(
        self,
        false,
        false,
        false,
        null,
        new Term(0, null),
        null,
        List.of(),
        RaftStoreRecord.Progress.NONE);
  }

  /** Place of the last entry, 0 for none. */
  public long last() {
    long covered = snapshot == null ? 0 : snapshot.getIndex();
    return entries.isEmpty() ? covered : Math.max(covered, entries.getLast().getIndex());
  }

  /** The term of the last entry, 0 for none. */
  public int lastTerm() {
    int covered = snapshot == null ? 0 : snapshot.getTerm();
    return entries.isEmpty() ? covered : entries.getLast().getTerm();
  }

  /** Tells all of it, kept by a majority or not, to one for whom nothing was told yet. */
  public void replay(ReplicatedStateMachine replica) throws IOException {
    replica.restore(snapshot == null ? null : content(snapshot).items());
    for (LogEntry entry : entries) {
      if (entry.getOperation() instanceof ReplicaStateMachine.Proposal batch) {
        replica.committed(entry.getIndex(), batch.records());
      }
    }
  }

  private static SnapshotContent content(SnapshotEntry snapshot) {
    List<?> chunks = (List<?>) snapshot.getOperation();
    return (SnapshotContent) ((SnapshotChunk) chunks.getFirst()).getOperation();
  }

  /** The term of all that a lone controller wrote. */
  private static final int FIRST_TERM = 1;

  /** Entries are missing: a snapshot is gone that came from the group. */
  public static final class GapException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    GapException(String message) {
      super(message);
    }
  }

  /** Number and bytes of a record. */
  public interface Sink {
    /** Takes the next record. */
    void record(long number, byte[] payload);
  }

  /** Hands over what a journal holds after its snapshot. */
  public interface Source {
    /** Gives all records to it, in order. */
    void into(Sink sink);
  }

  /**
   * Reads a journal.
   *
   * @param fresh the member that this is if the journal does not say
   * @param number last record in the snapshot
   * @param damaged numbers of the snapshots that are damaged
   * @throws MalformedMessageException if a record is not one that this program knows
   * @throws GapException if entries are missing
   * @throws IOException if the snapshot cannot be read
   */
  public static RestoredLog read(
      Self fresh, @Nullable SnapshotItems snapshot, long number, Set<Long> damaged, Source source)
      throws IOException {
    Reader reader = new Reader(fresh, damaged);
    if (snapshot != null) {
      reader.snapshot(snapshot, number);
    }
    source.into(reader);
    return reader.result();
  }

  private static final class Reader implements Sink {
    private final Self fresh;
    private final Set<Long> damaged;
    private final TreeMap<Long, LogEntry> entries = new TreeMap<>();
    private @Nullable Self self;
    private boolean alone;
    private boolean voting;
    private @Nullable Membership founders;
    private @Nullable Term term;
    private long index;
    private int indexTerm;
    private @Nullable Membership members;
    private @Nullable SnapshotItems state;
    private RaftStoreRecord.Progress progress = RaftStoreRecord.Progress.NONE;

    Reader(Self fresh, Set<Long> damaged) {
      this.fresh = fresh;
      this.damaged = damaged;
    }

    void snapshot(SnapshotItems items, long number) throws IOException {
      state = MemberSnapshot.state(items);
      RaftStoreRecord.Image image = MemberSnapshot.image(items);
      if (image == null) {
        alone = true;
        index = number;
        indexTerm = FIRST_TERM;
        return;
      }
      self = image.self();
      voting = image.voting();
      founders = image.founders();
      term = image.now();
      index = image.index();
      indexTerm = image.term();
      members = image.members();
      progress = image.progress() == null ? progress : image.progress();
      image.tail().forEach(this::logged);
    }

    @Override
    public void record(long number, byte[] payload) {
      if (EventJournal.isOne(payload)) {
        if (self != null) {
          throw new MalformedMessageException(
              "record " + number + ": an event among those of a group");
        }
        alone = true;
        logged(
            new PeerMessage.Entry(
                number, FIRST_TERM, new PeerMessage.Batch(List.of(payload.clone()))));
        return;
      }
      switch (RaftStoreFormat.record(payload)) {
        case null ->
            throw new MalformedMessageException("record " + number + " is of an unknown kind");
        case Self said -> self = said;
        case RaftStoreRecord.Progress said -> progress = said;
        case RaftStoreRecord.Forgotten(Self said) -> forget(said);
        case RaftStoreRecord.VotingStatus(boolean said) -> voting = said;
        case RaftStoreRecord.Founders(Membership said) -> founders = said;
        case Term said -> term = said;
        case RaftStoreRecord.Logged(PeerMessage.Entry entry) -> logged(entry);
        case RaftStoreRecord.LogTruncated(long from) -> entries.tailMap(from, true).clear();
        case RaftStoreRecord.SnapshotAnnounced(long upTo) -> {
          // Entries behind it would show the gap; none need be there, and they may be cut.
          if (damaged.contains(number)) {
            throw new GapException(
                "the snapshot of entries up to "
                    + upTo
                    + ", which came from the group, is damaged");
          }
        }
        case RaftStoreRecord.Image _ ->
            throw new MalformedMessageException("a snapshot among records");
      }
    }

    private void forget(Self another) {
      self = another;
      alone = false;
      voting = false;
      founders = null;
      term = null;
      index = 0;
      indexTerm = 0;
      members = null;
      state = null;
      entries.clear();
      progress = RaftStoreRecord.Progress.NONE;
    }

    private void logged(PeerMessage.Entry entry) {
      if (entry.index() > index) {
        entries.tailMap(entry.index(), true).clear();
        entries.put(entry.index(), RaftMapper.logEntry(entry));
      }
    }

    RestoredLog result() {
      Self me = self == null ? fresh : self;
      if (!entries.isEmpty()
          && (entries.firstKey() != index + 1
              || entries.lastKey() - entries.firstKey() + 1 != entries.size())) {
        throw new GapException(
            "entries " + entries.firstKey() + " to " + entries.lastKey() + " behind " + index);
      }
      Term now = term;
      if (now == null) {
        now = alone ? new Term(FIRST_TERM, me.member()) : new Term(0, null);
      }
      return new RestoredLog(
          me,
          self == null,
          alone && founders == null,
          isVoting(me.member()),
          founders,
          now,
          snapshotEntry(me),
          List.copyOf(entries.values()),
          progress);
    }

    /**
     * Whether the member has a vote. A process can end, or its disk be full, between a snapshot
     * that gives or takes the vote and the record of it. MicroRaft 0.7 makes up for that while it
     * has not set the fields which that needs, so a controller would never start again.
     */
    private boolean isVoting(GroupMemberId member) {
      if (founders == null || members == null) {
        return voting;
      }
      boolean now = members.voting().contains(member);
      return now == founders.voting().contains(member) ? voting : now;
    }

    private @Nullable SnapshotEntry snapshotEntry(Self me) {
      if (state == null) {
        return null;
      }
      List<GroupMemberId> first = List.of(me.member());
      Membership then = members;
      if (then == null) {
        then = founders == null ? new Membership(0, first, first) : founders;
      }
      return snapshotEntry(index, indexTerm, then, SnapshotContent.of(state));
    }

    private static SnapshotEntry snapshotEntry(
        long index, int term, Membership members, SnapshotContent content) {
      return RaftMapper.MODELS
          .createSnapshotEntryBuilder()
          .setIndex(index)
          .setTerm(term)
          .setGroupMembersView(RaftMapper.view(members))
          .setSnapshotChunks(
              List.of(
                  RaftMapper.MODELS
                      .createSnapshotChunkBuilder()
                      .setIndex(index)
                      .setTerm(term)
                      .setOperation(content)
                      .setSnapshotChunkIndex(0)
                      .setSnapshotChunkCount(1)
                      .setGroupMembersView(RaftMapper.view(members))
                      .build()))
          .build();
    }
  }
}
