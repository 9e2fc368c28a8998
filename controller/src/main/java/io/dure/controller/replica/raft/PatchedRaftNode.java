package io.dure.controller.replica.raft;

import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.RaftMapper.Endpoint;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftNodeStatus;
import io.microraft.RaftRole;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.handler.AppendEntriesFailureResponseHandler;
import io.microraft.impl.handler.AppendEntriesRequestHandler;
import io.microraft.impl.handler.InstallSnapshotRequestHandler;
import io.microraft.impl.log.RaftLog;
import io.microraft.impl.log.SnapshotChunkCollector;
import io.microraft.impl.state.CandidateState;
import io.microraft.impl.state.FollowerState;
import io.microraft.impl.state.LeaderState;
import io.microraft.impl.task.ReplicateTask;
import io.microraft.impl.util.ArrayRingbuffer;
import io.microraft.impl.util.OrderedFuture;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.log.LogEntry;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.transport.Transport;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * MicroRaft 0.7 with corrections that need its internals, which no other class touches: elections
 * that were overtaken or stand still, a leap instead of one step back for each refusal of a
 * follower that is far behind, snapshots that contradict the log. The log's thread.
 */
final class PatchedRaftNode {
  /** A dead process is seen at once; one that is silent may be at work on something large. */
  static final int TIMEOUT_BEATS = 10;

  private static final int ATTEMPT_BEATS = 5;

  /** What a vote takes on a busy machine; so much later the next candidate follows. */
  private static final int TURN_MILLIS = 100;

  private static final int FIRST_TURN_MILLIS = 20;

  private final RaftNodeImpl node;
  private final RaftExecutor turns;
  private final SnapshotChunks.Wire wire;
  private final SnapshotChunks parts;
  private final JournalRaftStore store;
  private final RaftClock pulse;
  private final String host;
  private final AnsweredIndexShift shift = new AnsweredIndexShift();
  private final LogBuffer buffer;
  private @Nullable CandidateState attempt;
  private int attemptBeats;

  /** A builder of MicroRaft's node with all but its transport and listener. */
  interface Configured {
    /** Sets both and builds the node. */
    RaftNode build(Transport transport);
  }

  /** A node that has not started. */
  PatchedRaftNode(RaftCoreServices services, RaftClock clock, Configured configured) {
    turns = services.turns();
    wire = services.wire();
    store = services.store();
    host = services.settings().host();
    pulse = clock;
    parts = new SnapshotChunks(wire, turns, store);
    node =
        (RaftNodeImpl)
            configured.build(
                new RaftTransport(
                    wire, turns, clock.beatMillis(), shift, this::hint, store::known));
    buffer = new LogBuffer(node.state().log(), services.settings().bytesASnapshot() / 4);
  }

  /** To be called when MicroRaft reports a change, before it sends anything. */
  void reported() {
    buffer.check();
  }

  RaftNode node() {
    return node;
  }

  RaftRole role() {
    return node.state().role();
  }

  int term() {
    return node.state().term();
  }

  long committed() {
    return node.state().commitIndex();
  }

  @Nullable RaftEndpoint leader() {
    return node.state().leader();
  }

  /** The last entry, or the last that the snapshot covers. */
  long last() {
    return node.state().log().lastLogOrSnapshotIndex();
  }

  /**
   * The last entry that a member is known to have, -1 if this is not known; only a leader knows.
   */
  long matched(GroupMemberId member) {
    LeaderState leader = node.state().leaderState();
    FollowerState state =
        leader == null ? null : leader.getFollowerStateOrNull(new Endpoint(member));
    return state == null ? -1 : state.matchIndex();
  }

  /** The last entry that this member has on its disk; only a leader knows, 0 for others. */
  long flushed() {
    LeaderState leader = node.state().leaderState();
    return leader == null ? 0 : leader.flushedLogIndex();
  }

  /** Puts an entry behind the log. */
  CompletableFuture<?> propose(Object operation) {
    OrderedFuture<Object> done = new OrderedFuture<>();
    new ReplicateTask(node, operation, done).run();
    return done;
  }

  /** Takes a snapshot of what is committed, if there is anything new. */
  void takeSnapshot() {
    if (node.state().lastApplied() > node.state().log().snapshotIndex()) {
      var _ = node.takeSnapshot();
    }
  }

  /** The committed members. */
  Membership members() {
    return RaftMapper.membership(
        node.getCommittedMembers().populate(RaftMapper.MODELS.createRaftGroupMembersViewBuilder()));
  }

  /** The members that the group began with. */
  Membership founders() {
    return RaftMapper.membership(
        node.getInitialMembers().populate(RaftMapper.MODELS.createRaftGroupMembersViewBuilder()));
  }

  /**
   * Another beat. MicroRaft 0.7 never asks for votes again once an attempt was overtaken by a
   * leader or a term: it takes the abandoned attempt for one that is on its way. A pursued attempt
   * is made anew within two beats; one that stands longer is begun again.
   */
  void beat() {
    parts.forget(committed());
    CandidateState now = node.state().preCandidateState();
    if (now == null || now != attempt) {
      attempt = now;
      attemptBeats = 0;
    } else if (++attemptBeats >= ATTEMPT_BEATS
        && node.state().role() == RaftRole.FOLLOWER
        && isSteadyOrChanging()
        && node.isLeaderHeartbeatTimeoutElapsed()) {
      attemptBeats = 0;
      if (node.state().leader() != null) {
        node.leader(null);
      }
      node.runPreVote();
    }
  }

  /**
   * That host has closed its connections, so its process has ended: if it led, no beat will come
   * for which to wait. For MicroRaft the time of waiting is over at once; to stand for election the
   * others take turns, so that they do not take the votes from each other.
   */
  void left(String gone) {
    RaftEndpoint leader = node.state().leader();
    if (leader == null
        || node.state().role() != RaftRole.FOLLOWER
        || !Endpoint.memberOf(leader).host().equals(gone)) {
      return;
    }
    pulse.leap(TIMEOUT_BEATS);
    long earlier =
        members().voting().stream()
            .map(GroupMemberId::host)
            .filter(other -> !other.equals(gone) && other.compareTo(host) < 0)
            .count();
    long pause = FIRST_TURN_MILLIS + earlier * TURN_MILLIS;
    pulse.hesitate(pause);
    turns.later(
        () -> {
          if (node.state().role() == RaftRole.FOLLOWER
              && leader.equals(node.state().leader())
              && node.isLeaderHeartbeatTimeoutElapsed()) {
            node.leader(null);
            node.runPreVote();
          }
        },
        pause);
  }

  private boolean isSteadyOrChanging() {
    return node.getStatus() == RaftNodeStatus.ACTIVE
        || node.getStatus() == RaftNodeStatus.UPDATING_RAFT_GROUP_MEMBER_LIST;
  }

  /** A message of another member. */
  void take(GroupMemberId from, PeerMessage message) {
    switch (message) {
      case PeerMessage.Append append -> {
        keepsWhatIsKept(from, append);
        new AppendEntries(node, from, append, shift).run();
      }
      case PeerMessage.AppendRefused refused -> refused(from, refused);
      case PeerMessage.SnapshotOffer offer -> offered(from, offer);
      case PeerMessage.SnapshotWanted wanted
          when wanted.snapshot() > node.state().log().snapshotIndex() -> {
        // of an earlier leader; the next offer is of ours
      }
      case PeerMessage.PartWanted wanted ->
          parts.wanted(from, wanted, node.state().log().snapshotEntry());
      case PeerMessage.Part part -> parts.part(from, part, this::install);
      case PeerMessage.PreVoted(int term, boolean granted)
          when !granted && term > term() + 1 && node.state().role() == RaftRole.FOLLOWER ->
          // MicroRaft goes on to ask for a term that the other has left behind.
          node.toFollower(term);
      case PeerMessage.JoinProbe _, PeerMessage.Answer _ -> {
        // of controllers without a group
      }
      case PeerMessage.Vote _, PeerMessage.Voted _, PeerMessage.PreVote _, PeerMessage.PreVoted _ ->
          node.handle(RaftMapper.vote(from, message));
      case PeerMessage.Appended _, PeerMessage.SnapshotWanted _, PeerMessage.StartElection _ ->
          node.handle(RaftMapper.plain(from, message));
    }
  }

  /**
   * What a majority has once kept no leader replaces, unless members of that majority have lost it.
   *
   * @throws LostRecordsException if this one would
   */
  private void keepsWhatIsKept(GroupMemberId from, PeerMessage.Append append) {
    if (append.term() < term()) {
      return;
    }
    keepsWhatIsKept(from, append.previous(), append.previousTerm());
    for (PeerMessage.Entry entry : append.entries()) {
      keepsWhatIsKept(from, entry.index(), entry.term());
    }
  }

  private void keepsWhatIsKept(GroupMemberId from, long index, int itsTerm) {
    RaftLog log = node.state().log();
    long kept = Math.max(store.committed(), committed());
    LogEntry held =
        index > log.snapshotIndex() && index <= Math.min(kept, log.lastLogOrSnapshotIndex())
            ? log.getLogEntry(index)
            : null;
    if (held != null && held.getTerm() != itsTerm) {
      throw new LostRecordsException(Endpoint.memberOf(node.getLocalEndpoint()), from, index, kept);
    }
  }

  private void offered(GroupMemberId from, PeerMessage.SnapshotOffer offer) {
    if (offer.leader() && offer.term() >= term()) {
      keepsWhatIsKept(from, offer.snapshot(), offer.snapshotTerm());
    }
    SnapshotChunkCollector begun = node.state().snapshotChunkCollector();
    if (offer.leader()
        && offer.term() == term()
        && begun != null
        && begun.getSnapshotIndex() > offer.snapshot()) {
      // A newer one of an earlier leader, for which MicroRaft would wait for ever.
      node.state().snapshotChunkCollector(null);
    }
    if (offer.leader() && holds(from, offer)) {
      // MicroRaft would take the snapshot, and keep entries behind it that may contradict it.
      node.leaderHeartbeatReceived();
      wire.send(
          from,
          new PeerMessage.Appended(offer.term(), offer.snapshot(), offer.query(), offer.flow()));
      return;
    }
    if (offer.content() && offer.snapshot() > committed()) {
      alive(from, offer.term());
      parts.offered(from, offer);
      return;
    }
    new InstallSnapshotRequestHandler(node, RaftMapper.offer(from, offer, null)).run();
    if (offer.leader() && offer.term() == term() && offer.snapshot() < committed()) {
      // MicroRaft is silent to an offer that it does not need, and the leader repeats it for ever.
      wire.send(
          from,
          new PeerMessage.Appended(offer.term(), offer.snapshot(), offer.query(), offer.flow()));
    }
  }

  /** Whether the log has all that the snapshot of the current leader covers. */
  private boolean holds(GroupMemberId from, PeerMessage.SnapshotOffer offer) {
    if (offer.term() != term()
        || offer.snapshot() <= committed()
        || !new Endpoint(from).equals(node.state().leader())) {
      return false;
    }
    LogEntry held = node.state().log().getLogEntry(offer.snapshot());
    return held != null && held.getTerm() == offer.snapshotTerm();
  }

  /**
   * Takes the state instead of the log. What is not committed here goes in the same breath, as
   * MicroRaft would keep what lies behind the snapshot, and members that were never agreed on.
   */
  private void install(
      GroupMemberId from, PeerMessage.SnapshotOffer offer, SnapshotContent content) {
    RaftLog log = node.state().log();
    if (offer.term() == term()
        && offer.snapshot() > committed()
        && log.lastLogOrSnapshotIndex() > committed()) {
      store.replacing(true);
      boolean changes = false;
      for (LogEntry entry : log.truncateEntriesFrom(committed() + 1)) {
        changes |= entry.getOperation() instanceof UpdateRaftGroupMembersOp;
      }
      store.replacing(false);
      if (changes && node.getStatus() == RaftNodeStatus.UPDATING_RAFT_GROUP_MEMBER_LIST) {
        node.setStatus(RaftNodeStatus.ACTIVE);
        node.revertGroupMembers();
      }
    }
    new InstallSnapshotRequestHandler(node, RaftMapper.offer(from, offer, content)).run();
  }

  /** Content that takes long to come is a sign of life, too. */
  private void alive(GroupMemberId from, int term) {
    if (term == node.state().term() && new Endpoint(from).equals(node.state().leader())) {
      node.leaderHeartbeatReceived();
    }
  }

  /** MicroRaft goes back one entry for each refusal; the follower's hint saves the steps. */
  private void refused(GroupMemberId from, PeerMessage.AppendRefused refused) {
    long next = refused.next();
    LeaderState leader = node.state().leaderState();
    FollowerState state = leader == null ? null : leader.getFollowerStateOrNull(new Endpoint(from));
    if (state != null && refused.term() <= term() && state.nextIndex() == next) {
      if (next <= state.matchIndex() + 1) {
        // From before it matched; MicroRaft would complain.
        state.responseReceived(refused.flow(), node.getClock().millis());
        return;
      }
      long wanted = Math.max(refused.hint(), state.matchIndex()) + 1;
      if (wanted + 1 < next) {
        next = wanted + 1;
        state.nextIndex(next);
      }
    }
    new AppendEntriesFailureResponseHandler(node, RaftMapper.refused(from, refused, next)).run();
  }

  /** The last entry that may match what the leader has, if the one it named does not. */
  private long hint(long named) {
    long last = node.state().log().lastLogOrSnapshotIndex();
    return last < named ? last : committed();
  }

  /**
   * Takes entries from a leader. MicroRaft 0.7 forgets the term of its snapshot's last entry as
   * soon as entries follow: asked to append right behind the snapshot it answers that it knows no
   * such entry, and leader and follower repeat that for ever. What a snapshot covers is committed
   * and the same everywhere, so here it is cut off the request, which then says the same from a
   * later place that MicroRaft can check. Where there is none, as the entry behind the snapshot is
   * another one or none was sent, at most one entry is handed on as standing at the beginning of
   * the log, whose place needs no proof, and the answer is put right by {@link AnsweredIndexShift}.
   */
  static final class AppendEntries extends AppendEntriesRequestHandler {
    private final GroupMemberId from;
    private final PeerMessage.Append words;
    private final AnsweredIndexShift shift;

    AppendEntries(
        RaftNodeImpl node, GroupMemberId from, PeerMessage.Append words, AnsweredIndexShift shift) {
      super(node, RaftMapper.append(from, words));
      this.from = from;
      this.words = words;
      this.shift = shift;
    }

    @Override
    protected void handle(AppendEntriesRequest request) {
      RaftLog log = state.log();
      long snapshot = log.snapshotIndex();
      long previous = request.getPreviousLogIndex();
      boolean known = previous == snapshot && log.lastLogOrSnapshotIndex() > snapshot;
      if (snapshot == 0 || request.getTerm() < state.term() || !(previous < snapshot || known)) {
        super.handle(from(previous, request.getPreviousLogTerm(), request.getLogEntries()));
        return;
      }
      List<LogEntry> entries = request.getLogEntries();
      int covered = (int) Math.min(snapshot - previous, entries.size());
      List<LogEntry> rest = entries.subList(covered, entries.size());
      if (log.lastLogOrSnapshotIndex() == snapshot && previous + covered == snapshot) {
        super.handle(from(snapshot, log.snapshotEntry().getTerm(), rest));
      } else if (!rest.isEmpty() && isHeld(log, rest.getFirst())) {
        LogEntry first = rest.getFirst();
        super.handle(from(first.getIndex(), first.getTerm(), rest.subList(1, rest.size())));
      } else {
        shift.set(previous + covered);
        try {
          super.handle(
              RaftMapper.append(from, words, 0, 0, 0, rest.subList(0, Math.min(1, rest.size()))));
        } finally {
          shift.set(0);
        }
      }
    }

    private AppendEntriesRequest from(long previous, int term, List<LogEntry> entries) {
      // MicroRaft would take back its commit index for a request that ends before it.
      long committed = previous + entries.size() < state.commitIndex() ? 0 : words.committed();
      return RaftMapper.append(from, words, term, previous, committed, entries);
    }

    private static boolean isHeld(RaftLog log, LogEntry entry) {
      LogEntry held = log.getLogEntry(entry.getIndex());
      return held != null && held.getTerm() == entry.getTerm();
    }
  }

  /**
   * The entries that MicroRaft holds in memory. After a snapshot MicroRaft 0.7 keeps a tenth of an
   * interval before it, and believes so even where it does not have them, because it was started or
   * sent a snapshot since: as leader it then stumbles over the gap for ever. There is no way to
   * that number but by reflection. Of what it keeps, no more bytes than are allowed stay. The log's
   * thread.
   */
  static final class LogBuffer {
    private final RaftLog log;
    private final ArrayRingbuffer<LogEntry> entries;
    private final long keptBytes;
    private long first;
    private long snapshot;

    @SuppressWarnings("unchecked")
    LogBuffer(RaftLog log, long keptBytes) {
      this.log = log;
      this.keptBytes = keptBytes;
      snapshot = log.snapshotIndex();
      try {
        Field field = RaftLog.class.getDeclaredField("log");
        field.setAccessible(true);
        entries = (ArrayRingbuffer<LogEntry>) field.get(log);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("another MicroRaft than 0.7", e);
      }
      first = entries.headSequence();
    }

    /** Puts the beginning right; after each snapshot, before anything is sent. */
    void check() {
      if (entries.headSequence() < first) {
        entries.setHeadSequence(first);
      }
      if (log.snapshotIndex() != snapshot) {
        snapshot = log.snapshotIndex();
        cut();
      }
      first = entries.headSequence();
    }

    /** Sequences of entries are one less than their indices. */
    private void cut() {
      long head = entries.headSequence();
      long bytes = 0;
      for (long sequence = snapshot - 1; sequence >= head; sequence--) {
        LogEntry entry = log.getLogEntry(sequence + 1);
        bytes += entry == null ? 0 : RaftMapper.bytes(entry);
        if (bytes > keptBytes) {
          for (long old = head; old <= sequence; old++) {
            entries.set(old, null);
          }
          entries.setHeadSequence(sequence + 1);
          return;
        }
      }
    }
  }
}
