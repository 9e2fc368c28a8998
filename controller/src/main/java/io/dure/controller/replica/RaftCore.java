package io.dure.controller.replica;

import io.dure.controller.replica.PeerMessage.Membership;
import io.dure.controller.replica.RaftMapper.Endpoint;
import io.microraft.MembershipChangeMode;
import io.microraft.RaftConfig;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftNodeStatus;
import io.microraft.RaftRole;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.handler.AppendEntriesFailureResponseHandler;
import io.microraft.impl.handler.InstallSnapshotRequestHandler;
import io.microraft.impl.log.RaftLog;
import io.microraft.impl.log.SnapshotChunkCollector;
import io.microraft.impl.state.CandidateState;
import io.microraft.impl.state.FollowerState;
import io.microraft.impl.state.LeaderState;
import io.microraft.impl.task.ReplicateTask;
import io.microraft.impl.util.OrderedFuture;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.log.LogEntry;
import io.microraft.persistence.RestoredRaftState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * MicroRaft with what it lacks for us: beats shorter than a second, by a clock that runs quicker
 * for it; answers in the one place where it has none ({@link MicroRaftPatches.AppendEntries}); a
 * leap instead of one step back for each refusal of a follower that is far behind; requests bounded
 * in bytes. The log's thread.
 */
final class RaftCore {
  private static final int MOST_PENDING = 5000;
  private static final int MOST_ENTRIES = 500;

  /** A dead process is seen at once; one that is silent may be at work on something large. */
  private static final int TIMEOUT_BEATS = 10;

  private static final int ATTEMPT_BEATS = 5;
  private static final int CAUGHT_UP = 100;

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
  private MicroRaftPatches.@Nullable LogBuffer ring;
  private @Nullable CandidateState attempt;
  private int attemptBeats;
  private final MicroRaftPatches.Shift shift = new MicroRaftPatches.Shift();

  /** What the core stands on. */
  record Ground(
      RaftExecutor turns,
      JournalRaftStore store,
      SnapshotChunks.Wire wire,
      ControllerGroupSettings settings) {}

  RaftCore(Ground ground, RestoredRaftState state, ReplicaStateMachine machine, Runnable changed) {
    turns = ground.turns();
    wire = ground.wire();
    store = ground.store();
    pulse = new RaftClock(turns, ground.settings().beatMillis());
    host = ground.settings().host();
    parts = new SnapshotChunks(wire, turns);
    // What was not in a snapshot yet is held in memory, however much it is.
    int most = Math.max(MOST_PENDING, state.getLogEntries().size());
    RaftTransport transport = new RaftTransport(wire, turns, pulse.beatMillis(), shift, this::hint);
    node =
        (RaftNodeImpl)
            RaftNode.newBuilder()
                .setGroupId(RaftMapper.GROUP)
                .setRestoredState(state)
                .setConfig(
                    RaftConfig.newBuilder()
                        .setLeaderElectionTimeoutMillis(1000)
                        .setLeaderHeartbeatPeriodSecs(1)
                        .setLeaderHeartbeatTimeoutSecs(TIMEOUT_BEATS)
                        .setMaxPendingLogEntryCount(most)
                        .setAppendEntriesRequestBatchSize(MOST_ENTRIES)
                        .setCommitCountToTakeSnapshot(ground.settings().entriesASnapshot())
                        .setTransferSnapshotsFromFollowersEnabled(false)
                        .build())
                .setExecutor(pulse)
                .setTransport(transport)
                .setStateMachine(machine)
                .setStore(ground.store())
                .setModelFactory(RaftMapper.MODELS)
                .setRandom(turns.random())
                .setClock(pulse.clock())
                .setRaftNodeReportListener(_ -> {
                  if (ring != null) {
                    ring.check();
                  }
                  changed.run();
                })
                .build();
    ring = new MicroRaftPatches.LogBuffer(node.state().log());
  }

  /** What MicroRaft begins with. */
  static RestoredRaftState restored(RestoredLog found, Membership founders, boolean voting) {
    Endpoint self = new Endpoint(found.self().member());
    return new RestoredRaftState(
        RaftMapper.MODELS
            .createRaftEndpointPersistentStateBuilder()
            .setLocalEndpoint(self)
            .setVoting(voting)
            .build(),
        RaftMapper.view(founders),
        RaftMapper.MODELS
            .createRaftTermPersistentStateBuilder()
            .setTerm(found.term().term())
            .setVotedFor(
                found.term().votedFor() == null ? null : new Endpoint(found.term().votedFor()))
            .build(),
        found.snapshot(),
        found.entries());
  }

  void start() {
    var _ = node.start();
  }

  /**
   * Another beat. MicroRaft 0.7 never asks for votes again once an attempt was overtaken by a
   * leader or a term: it takes the attempt, which nobody pursues, for one that is on its way. A
   * pursued attempt is made anew within two beats; one that stands longer is begun again.
   */
  void beat() {
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
    return isSteady() || node.getStatus() == RaftNodeStatus.UPDATING_RAFT_GROUP_MEMBER_LIST;
  }

  void end() {
    var _ = node.terminate();
  }

  boolean isLeading() {
    return node.state().role() == RaftRole.LEADER && node.getStatus() != RaftNodeStatus.TERMINATED;
  }

  boolean isEnded() {
    return node.getStatus() == RaftNodeStatus.TERMINATED;
  }

  /** Whether members may be changed now. */
  boolean isSteady() {
    return node.getStatus() == RaftNodeStatus.ACTIVE;
  }

  long term() {
    return node.state().term();
  }

  long committed() {
    return node.state().commitIndex();
  }

  @Nullable String leader() {
    RaftEndpoint leader = node.state().leader();
    return leader == null ? null : Endpoint.memberOf(leader).host();
  }

  Membership members() {
    return RaftMapper.membership(
        node.getCommittedMembers().populate(RaftMapper.MODELS.createRaftGroupMembersViewBuilder()));
  }

  Membership founders() {
    return RaftMapper.membership(
        node.getInitialMembers().populate(RaftMapper.MODELS.createRaftGroupMembersViewBuilder()));
  }

  /** The voting member on that host, null if there is none. */
  @Nullable GroupMemberId voter(String host) {
    return members().voting().stream().filter(m -> m.host().equals(host)).findFirst().orElse(null);
  }

  /** Whether a member has nearly all of the log; only a leader knows. */
  boolean isCaughtUp(GroupMemberId member) {
    LeaderState leader = node.state().leaderState();
    FollowerState state =
        leader == null ? null : leader.getFollowerStateOrNull(new Endpoint(member));
    return state != null && state.matchIndex() > 0 && state.matchIndex() + CAUGHT_UP > committed();
  }

  CompletableFuture<?> change(GroupMemberId member, MembershipChangeMode mode) {
    return node.changeMembership(
        new Endpoint(member), mode, node.getCommittedMembers().getLogIndex());
  }

  CompletableFuture<?> handOver(GroupMemberId member) {
    return node.transferLeadership(new Endpoint(member));
  }

  /** Puts an entry behind the log. */
  CompletableFuture<?> propose(Object operation) {
    OrderedFuture<Object> done = new OrderedFuture<>();
    new ReplicateTask(node, operation, done).run();
    return done;
  }

  ControllerGroupStatus status(GroupMemberId self, boolean serving, @Nullable String trouble) {
    LeaderState leader = node.state().leaderState();
    Membership members = members();
    RaftLog log = node.state().log();
    List<ControllerGroupStatus.MemberStatus> all = new ArrayList<>();
    for (GroupMemberId member : members.members()) {
      FollowerState state =
          leader == null ? null : leader.getFollowerStateOrNull(new Endpoint(member));
      long matched = state == null ? 0 : state.matchIndex();
      long lag = state == null ? -1 : log.lastLogOrSnapshotIndex() - matched;
      if (member.equals(self)) {
        matched = log.lastLogOrSnapshotIndex();
        lag = leader == null ? -1 : 0;
      }
      all.add(
          new ControllerGroupStatus.MemberStatus(
              member, members.voting().contains(member), matched, lag));
    }
    return new ControllerGroupStatus(
        self,
        role(),
        term(),
        leader(),
        serving,
        committed(),
        log.lastLogOrSnapshotIndex(),
        List.copyOf(all),
        trouble);
  }

  private ControllerGroupStatus.Role role() {
    if (isEnded()) {
      return ControllerGroupStatus.Role.REMOVED;
    }
    return switch (node.state().role()) {
      case LEADER -> ControllerGroupStatus.Role.LEADER;
      case FOLLOWER -> ControllerGroupStatus.Role.FOLLOWER;
      case CANDIDATE -> ControllerGroupStatus.Role.CANDIDATE;
      case LEARNER -> ControllerGroupStatus.Role.LEARNER;
    };
  }

  /** A message of another member. */
  void take(GroupMemberId from, PeerMessage message) {
    switch (message) {
      case PeerMessage.Append append ->
          new MicroRaftPatches.AppendEntries(node, from, append, shift).run();
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
        // of those who seek a group
      }
      case PeerMessage.Vote _, PeerMessage.Voted _, PeerMessage.PreVote _, PeerMessage.PreVoted _ ->
          node.handle(RaftMapper.vote(from, message));
      case PeerMessage.Appended _, PeerMessage.SnapshotWanted _, PeerMessage.StartElection _ ->
          node.handle(RaftMapper.plain(from, message));
    }
  }

  private void offered(GroupMemberId from, PeerMessage.SnapshotOffer offer) {
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
}
