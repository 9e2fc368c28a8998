package io.dure.controller.replica.raft;

import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.RaftMapper.Endpoint;
import io.microraft.MembershipChangeMode;
import io.microraft.RaftConfig;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftNodeStatus;
import io.microraft.RaftRole;
import io.microraft.persistence.RestoredRaftState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * This member's Raft node: its configuration, its status, changes of membership. Beats are shorter
 * than MicroRaft's seconds, by a {@link RaftClock} that runs faster. The log's thread.
 */
public final class RaftCore {
  private static final int MOST_PENDING = 5000;
  private static final int MOST_ENTRIES = 500;

  private static final int CAUGHT_UP = 100;

  private final PatchedRaftNode node;
  private final JournalRaftStore store;
  private final RaftExecutor turns;
  private final Map<GroupMemberId, Long> heard = new HashMap<>();
  private final long began;
  private final long mostBytes;
  private @Nullable List<PeerMessage.MemberProgress> told;
  private boolean built;

  public RaftCore(
      RaftCoreServices services,
      RestoredRaftState state,
      ReplicaStateMachine machine,
      Runnable changed) {
    store = services.store();
    turns = services.turns();
    began = turns.millis();
    mostBytes = services.settings().bytesASnapshot();
    RaftClock clock = new RaftClock(services.turns(), services.settings().beatMillis());
    // What was not in a snapshot yet is held in memory, however much it is.
    int most = Math.max(MOST_PENDING, state.getLogEntries().size());
    RaftConfig config =
        RaftConfig.newBuilder()
            .setLeaderElectionTimeoutMillis(1000)
            .setLeaderHeartbeatPeriodSecs(1)
            .setLeaderHeartbeatTimeoutSecs(PatchedRaftNode.TIMEOUT_BEATS)
            .setMaxPendingLogEntryCount(most)
            .setAppendEntriesRequestBatchSize(MOST_ENTRIES)
            .setCommitCountToTakeSnapshot(services.settings().entriesASnapshot())
            .setTransferSnapshotsFromFollowersEnabled(false)
            .build();
    node =
        new PatchedRaftNode(
            services,
            clock,
            transport ->
                RaftNode.newBuilder()
                    .setGroupId(RaftMapper.GROUP)
                    .setRestoredState(state)
                    .setConfig(config)
                    .setExecutor(clock)
                    .setTransport(transport)
                    .setStateMachine(machine)
                    .setStore(services.store())
                    .setModelFactory(RaftMapper.MODELS)
                    .setRandom(services.turns().random())
                    .setClock(clock.clock())
                    .setRaftNodeReportListener(_ -> reported(changed))
                    .build());
    built = true;
  }

  private void reported(Runnable changed) {
    if (built) {
      node.reported();
    }
    changed.run();
  }

  /** What MicroRaft begins with. */
  public static RestoredRaftState restored(RestoredLog found, Membership founders, boolean voting) {
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

  public void start() {
    var _ = node.node().start();
  }

  /** Another beat. */
  public void beat() {
    if (store.bytes() > mostBytes) {
      node.takeSnapshot();
    }
    node.beat();
  }

  /** That host has closed its connections, so its process has ended. */
  public void left(String gone) {
    node.left(gone);
  }

  public void end() {
    var _ = node.node().terminate();
  }

  public boolean isLeading() {
    return node.role() == RaftRole.LEADER && node.node().getStatus() != RaftNodeStatus.TERMINATED;
  }

  public boolean isEnded() {
    return node.node().getStatus() == RaftNodeStatus.TERMINATED;
  }

  /** Whether members may be changed now. */
  public boolean isSteady() {
    return node.node().getStatus() == RaftNodeStatus.ACTIVE;
  }

  public long term() {
    return node.term();
  }

  long committed() {
    return node.committed();
  }

  public @Nullable String leader() {
    RaftEndpoint leader = node.leader();
    return leader == null ? null : Endpoint.memberOf(leader).host();
  }

  public Membership members() {
    return node.members();
  }

  public Membership founders() {
    return node.founders();
  }

  /** The voting member on that host, null if there is none. */
  public @Nullable GroupMemberId voter(String host) {
    return members().voting().stream().filter(m -> m.host().equals(host)).findFirst().orElse(null);
  }

  /** Whether a member has nearly all of the log; only a leader knows. */
  public boolean isCaughtUp(GroupMemberId member) {
    long matched = node.matched(member);
    return matched > 0 && matched + CAUGHT_UP > committed();
  }

  public CompletableFuture<?> change(GroupMemberId member, MembershipChangeMode mode) {
    return node.node().changeMembership(new Endpoint(member), mode, members().index());
  }

  public CompletableFuture<?> handOver(GroupMemberId member) {
    return node.node().transferLeadership(new Endpoint(member));
  }

  /**
   * What is known now of how far the log is kept, and with what each member had: a leader sees it,
   * others are told.
   */
  public RaftStoreRecord.Progress progress(GroupMemberId self, RaftStoreRecord.Progress before) {
    long kept = Math.max(before.committed(), committed());
    List<PeerMessage.MemberProgress> all = new ArrayList<>();
    if (isLeading()) {
      for (GroupMemberId member : members().members()) {
        long has = member.equals(self) ? node.flushed() : node.matched(member);
        all.add(new PeerMessage.MemberProgress(member, Math.min(has, committed())));
      }
    } else if (told == null) {
      return new RaftStoreRecord.Progress(kept, before.others());
    } else {
      all.addAll(told);
    }
    all.replaceAll(one ->
        new PeerMessage.MemberProgress(
            one.member(), Math.max(one.index(), before.of(one.member()))));
    return new RaftStoreRecord.Progress(kept, List.copyOf(all));
  }

  /** Keeps it on disk. */
  public RaftStoreRecord.Progress keep(RaftStoreRecord.Progress progress) throws IOException {
    store.progressed(progress);
    return progress;
  }

  /** Puts an entry behind the log. */
  public CompletableFuture<?> propose(Object operation) {
    return node.propose(operation);
  }

  public ControllerGroupStatus status(
      GroupMemberId self, boolean serving, @Nullable String trouble) {
    Membership members = members();
    List<ControllerGroupStatus.MemberStatus> all = new ArrayList<>();
    for (GroupMemberId member : members.members()) {
      long known = node.matched(member);
      long matched = Math.max(known, 0);
      long lag = known < 0 ? -1 : node.last() - matched;
      if (member.equals(self)) {
        matched = node.last();
        lag = node.role() == RaftRole.LEADER ? 0 : -1;
      }
      all.add(
          new ControllerGroupStatus.MemberStatus(
              member,
              members.voting().contains(member),
              matched,
              lag,
              member.equals(self) ? 0 : turns.millis() - heard.getOrDefault(member, began)));
    }
    return new ControllerGroupStatus(
        self,
        role(),
        term(),
        leader(),
        serving,
        committed(),
        node.last(),
        List.copyOf(all),
        trouble);
  }

  private ControllerGroupStatus.Role role() {
    if (isEnded()) {
      return ControllerGroupStatus.Role.REMOVED;
    }
    return switch (node.role()) {
      case LEADER -> ControllerGroupStatus.Role.LEADER;
      case FOLLOWER -> ControllerGroupStatus.Role.FOLLOWER;
      case CANDIDATE -> ControllerGroupStatus.Role.CANDIDATE;
      case LEARNER -> ControllerGroupStatus.Role.LEARNER;
    };
  }

  /** A message of another member. */
  public void take(GroupMemberId from, PeerMessage message) {
    heard.put(from, turns.millis());
    if (message instanceof PeerMessage.Append append
        && append.known() != null
        && append.term() >= term()) {
      told = append.known();
    }
    node.take(from, message);
  }
}
