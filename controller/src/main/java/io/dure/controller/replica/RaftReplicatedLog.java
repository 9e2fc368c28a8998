package io.dure.controller.replica;

import io.dure.controller.replica.raft.ControllerGroupSettings;
import io.dure.controller.replica.raft.ControllerGroupStatus;
import io.dure.controller.replica.raft.GroupMemberId;
import io.dure.controller.replica.raft.JournalRaftStore;
import io.dure.controller.replica.raft.JournalRaftStore.RaftLogFile;
import io.dure.controller.replica.raft.LostRecordsException;
import io.dure.controller.replica.raft.PeerMessage;
import io.dure.controller.replica.raft.PeerMessage.CommitMarker;
import io.dure.controller.replica.raft.PeerMessage.Envelope;
import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.RaftCore;
import io.dure.controller.replica.raft.RaftCoreServices;
import io.dure.controller.replica.raft.RaftExecutor;
import io.dure.controller.replica.raft.RaftStoreFormat;
import io.dure.controller.replica.raft.RaftStoreRecord;
import io.dure.controller.replica.raft.ReplicaStateMachine;
import io.dure.controller.replica.raft.ReplicaStateMachine.Proposal;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.controller.replica.raft.RestoredLog;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A member's share of a replicated log. Everything but the edges runs on the log's thread, see
 * {@link RaftExecutor}.
 */
final class RaftReplicatedLog implements ReplicatedLog {
  private static final RecordCodec<Envelope> CODEC = RecordCodec.of(Envelope.class).strict();

  /** Without so many the others elect another. */
  private static final int STILL_BEATS = 10;

  private final RaftExecutor turns;
  private final RaftLogFile file;
  private final ReplicatedStateMachine replica;
  private final PeerTransport transport;
  private final AdminNotices notes;
  private RestoredLog restored;
  private RaftStoreRecord.Progress progress;
  private final ControllerGroupSettings settings;
  private final GroupBootstrap admission;
  private final PendingBatches pending = new PendingBatches(this::broken);
  private volatile ControllerGroupStatus status;
  private volatile boolean followed;
  private List<String> hosts;
  private @Nullable RaftCore core;
  private @Nullable CommitMarker awaited;
  private boolean serving;
  private long elections;
  private volatile long epoch;
  private volatile long turned;
  private long place;
  private boolean handingOver;
  private boolean closed;

  /** What a member stands on. */
  record RaftLogServices(
      RaftExecutor turns, RaftLogFile file, PeerTransport transport, AdminNotices notes) {}

  RaftReplicatedLog(
      RaftLogServices ground,
      RestoredLog restored,
      ControllerGroupSettings settings,
      ReplicatedStateMachine replica) {
    turns = ground.turns();
    file = ground.file();
    transport = ground.transport();
    notes = ground.notes();
    this.restored = restored;
    this.settings = settings;
    this.replica = replica;
    hosts = settings.hosts();
    progress = restored.progress();
    admission = new GroupBootstrap(this::send, new Wishes(), notes, new Known(), settings.host());
    turned = turns.millis();
    status =
        new ControllerGroupStatus(
            self(), ControllerGroupStatus.Role.JOINING, 0, null, false, 0, 0, List.of(), null);
  }

  private GroupMemberId self() {
    return restored.self().member();
  }

  /** Begins to work. */
  void start() {
    turns.next(() -> {
      try {
        if (restored.unnamed()) {
          file.append(List.of(RaftStoreFormat.record(restored.self())));
          file.sync();
        }
        if (restored.snapshot() == null) {
          replica.restore(null);
        }
        tick();
      } catch (IOException | RuntimeException e) {
        broken(e);
      }
    });
  }

  /** What admission may know. */
  private final class Known implements GroupBootstrap.GroupKnowledge {
    @Override
    public RestoredLog restored() {
      return restored;
    }

    @Override
    public long past(GroupMemberId member) {
      return progress.of(member);
    }
  }

  /** What admission leads to. */
  private final class Wishes implements GroupBootstrap.MembershipActions {
    @Override
    public void found(Membership founders) {
      if (core == null && !closed) {
        begin(founders, founders.voting().contains(self()));
      }
    }

    @Override
    public void resume(Membership founders) {
      if (core == null && !closed) {
        begin(founders, restored.voting());
      }
    }

    @Override
    public void forget() {
      String disk = Long.toHexString(turns.random().nextLong());
      RaftStoreRecord.Self another =
          new RaftStoreRecord.Self(new GroupMemberId(settings.host(), disk), true);
      try {
        file.append(List.of(RaftStoreFormat.record(new RaftStoreRecord.Forgotten(another))));
        file.sync();
        restored = RestoredLog.forgotten(another);
        progress = restored.progress();
        replica.restore(null);
      } catch (IOException e) {
        broken(e);
      }
    }

    @Override
    public void handOver(GroupMemberId target) {
      RaftReplicatedLog.this.handOver(target.host(), new CompletableFuture<>());
    }
  }

  private void begin(Membership founders, boolean voting) {
    JournalRaftStore store = new JournalRaftStore(file, restored, turns, notes::error);
    RaftCore made =
        new RaftCore(
            new RaftCoreServices(turns, store, this::send, settings),
            RaftCore.restored(restored, founders, voting),
            new ReplicaStateMachine(replica, new Entries()),
            this::roleChanged);
    core = made;
    made.start();
  }

  private void tick() {
    if (closed) {
      return;
    }
    if (serving && stillMillis() > (long) STILL_BEATS * settings.beatMillis()) {
      // Another may lead by now; before this log can be taken for a live one.
      stepBack("this log stood still");
    }
    turned = turns.millis();
    admission.tick(core, hosts, handingOver, turns.millis());
    RaftCore now = core;
    if (now != null) {
      now.beat();
      remember(now);
      if (now.isLeading()
          && !serving
          && !handingOver
          && awaited == null
          && admission.enough(now, hosts, turns.millis())) {
        CommitMarker mark = begin();
        var _ =
            now.propose(mark)
                .whenComplete((_, failure) -> {
                  if (failure != null && mark.equals(awaited)) {
                    awaited = null;
                  }
                });
      }
    }
    publish();
    turns.later(this::tick, settings.beatMillis());
  }

  private void remember(RaftCore now) {
    try {
      progress = now.keep(now.progress(self(), progress));
    } catch (IOException e) {
      broken(e);
    }
  }

  private CommitMarker begin() {
    awaited = new CommitMarker(self(), turns.random().nextLong());
    return awaited;
  }

  private void publish() {
    RaftCore now = core;
    if (now == null) {
      status =
          new ControllerGroupStatus(
              self(),
              ControllerGroupStatus.Role.JOINING,
              0,
              null,
              false,
              0,
              0,
              List.of(),
              admission.trouble());
    } else {
      status = now.status(self(), serving, admission.trouble());
      String leader = status.leader();
      followed |= leader != null && !leader.equals(settings.host());
    }
  }

  /** MicroRaft's role, members or status became others. */
  private void roleChanged() {
    RaftCore now = core;
    if (now != null && serving && !now.isLeading()) {
      stepBack("another leads");
    }
    if (now != null && !now.isLeading()) {
      awaited = null;
    }
    publish();
  }

  /** What was appended and is not kept yet may still be, but its appender shall not wait for it. */
  private void stepBack(String why) {
    serving = false;
    RaftCore now = core;
    NotCommittedException cause = new NotCommittedException(why, now == null ? null : now.leader());
    pending.failAll(cause);
    publish();
    replica.deposed();
  }

  @Override
  public void append(long ofEpoch, List<byte[]> records, Consumer<@Nullable Throwable> done) {
    Proposal proposal = new Proposal(records, done);
    pending.count(proposal);
    turns.next(() -> propose(ofEpoch, proposal));
  }

  @Override
  public long epoch() {
    return epoch;
  }

  /** Place of the last batch of this member that was kept in this epoch. The log's thread. */
  long place() {
    return place;
  }

  private void propose(long ofEpoch, Proposal proposal) {
    RaftCore now = core;
    if (now == null || !serving || closed || ofEpoch != epoch) {
      pending.end(
          proposal, new NotCommittedException("this controller does not lead", status.leader()));
    } else if (proposal.records().isEmpty()) {
      if (pending.isEmpty()) {
        pending.end(proposal, null);
      } else {
        pending.add(proposal);
      }
    } else {
      pending.add(proposal);
      var _ =
          now.propose(proposal)
              .whenComplete((_, failure) -> {
                if (failure != null && serving) {
                  // One batch is missing, so none that was decided after it may follow.
                  String why = failure.getMessage();
                  stepBack(why == null ? "the others do not answer, or have another leader" : why);
                }
              });
    }
  }

  /** What MicroRaft tells of entries. */
  private final class Entries implements ReplicaStateMachine.Listener {
    @Override
    public void kept(Proposal proposal, long at) {
      place = at;
      pending.kept(proposal);
    }

    @Override
    public void marked(CommitMarker mark) {
      RaftCore now = core;
      if (!mark.equals(awaited) || now == null || !now.isLeading()) {
        return;
      }
      awaited = null;
      if (!serving && !handingOver && admission.enough(now, hosts, turns.millis())) {
        serving = true;
        epoch = ++elections;
        publish();
        notes.info("this controller leads, term " + now.term());
        replica.elected(now.term());
      }
    }

    @Override
    public CommitMarker begin() {
      return RaftReplicatedLog.this.begin();
    }

    @Override
    public void broken(Throwable cause) {
      RaftReplicatedLog.this.broken(cause);
    }
  }

  private void broken(Throwable cause) {
    if (!closed) {
      closed = true;
      pending.failAll(cause);
      RaftCore now = core;
      if (now != null) {
        now.end();
      }
      replica.stopped(cause);
    }
  }

  @Override
  public long stillMillis() {
    return turns.millis() - turned;
  }

  @Override
  public void abandon(long ofEpoch) {
    turns.next(() -> {
      if (serving && epoch == ofEpoch) {
        stepBack("this log stood still");
      }
    });
  }

  @Override
  public boolean accepting() {
    return pending.accepting();
  }

  @Override
  public boolean followed() {
    return followed;
  }

  @Override
  public ControllerGroupStatus status() {
    return status;
  }

  @Override
  public void configure(List<String> wanted) {
    List<String> copy = List.copyOf(wanted);
    turns.next(() -> hosts = copy);
  }

  @Override
  public CompletableFuture<Void> handOver(String host) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    turns.next(() -> handOver(host, done));
    return done;
  }

  private void handOver(String host, CompletableFuture<Void> done) {
    RaftCore now = core;
    GroupMemberId target = now == null ? null : now.voter(host);
    if (now == null || !now.isLeading()) {
      done.completeExceptionally(
          new NotCommittedException("this controller does not lead", status.leader()));
    } else if (target == null) {
      done.completeExceptionally(new NotCommittedException(host + " has no vote", settings.host()));
    } else if (target.equals(self())) {
      done.complete(null);
    } else if (handingOver || admission.isChanging() || !now.isSteady()) {
      done.completeExceptionally(
          new NotCommittedException("the group is changing, try again", settings.host()));
    } else {
      handingOver = true;
      if (serving) {
        stepBack("leadership is handed to " + host);
      }
      var _ =
          now.handOver(target)
              .whenComplete((_, failure) -> {
                handingOver = false;
                if (failure == null) {
                  done.complete(null);
                } else {
                  done.completeExceptionally(failure);
                }
              });
    }
  }

  private void send(GroupMemberId to, PeerMessage message) {
    send(to.host(), to, message);
  }

  private void send(String host, @Nullable GroupMemberId to, PeerMessage message) {
    transport.send(host, CODEC.encode(new Envelope(self(), host, to, message)));
  }

  /** A message came from a controller of the cluster. Any thread. */
  void receive(byte[] message) {
    Envelope envelope;
    try {
      envelope = CODEC.decode(message);
    } catch (MalformedMessageException e) {
      notes.error(
          "replication: dropped an unreadable message of another controller: " + e.getMessage());
      return;
    }
    turns.next(() -> take(envelope));
  }

  /** A controller of the cluster has closed its connection. Any thread. */
  void left(String host) {
    turns.next(() -> {
      RaftCore now = core;
      if (now != null && !closed) {
        now.left(host);
      }
    });
  }

  private void take(Envelope envelope) {
    GroupMemberId to = envelope.to();
    if (closed
        || !envelope.toHost().equals(settings.host())
        || (to != null && !to.equals(self()))) {
      return;
    }
    GroupMemberId from = envelope.from();
    RaftCore now = core;
    if (envelope.message() instanceof PeerMessage.JoinProbe(PeerMessage.Disk disk)) {
      admission.knocked(from, disk, now, turns.millis());
    } else if (envelope.message() instanceof PeerMessage.Answer answer) {
      admission.answered(from, answer, now == null, turns.millis());
    } else if (now != null) {
      try {
        now.take(from, envelope.message());
      } catch (LostRecordsException e) {
        broken(e);
      }
    }
  }

  @Override
  public void close() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    turns.next(() -> {
      if (!closed) {
        closed = true;
        pending.failAll(new NotCommittedException("the log is closed", null));
        RaftCore now = core;
        if (now != null) {
          now.end();
        }
      }
      done.complete(null);
    });
    turns.await(done);
  }
}
