package io.dure.faults.world;

import io.dure.cluster.ClusterState;
import io.dure.cluster.TextStorage;
import io.dure.controller.StandbyReplay;
import io.dure.controller.accounting.RecordSeeker;
import io.dure.controller.loop.EventStore;
import io.dure.controller.loop.ReplicatedEventStore;
import io.dure.controller.replica.MemberEnvironment;
import io.dure.controller.replica.RaftGroupMember;
import io.dure.controller.replica.ReplicatedLog;
import io.dure.controller.replica.raft.ControllerGroupSettings;
import io.dure.controller.replica.raft.ControllerGroupStatus;
import io.dure.controller.replica.raft.RaftExecutor;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.host.log.LibraryLogging;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.RecoveredJournal;
import io.dure.model.command.Command;
import io.dure.model.config.ClusterSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One controller of several. Its share of the log, and how it succeeds to the one that leads, are
 * the product's own; here is what its threads do, and when leading begins and ends, after the
 * product's ReplicatedRole.
 */
final class ReplicatedController
    implements SimulatedControllerHost.Program,
        MemberEnvironment,
        StandbyReplay.RoleListener,
        SimulatedLeader.Storage {
  private static final String ASIDE = "set-aside-";
  private static final long WATCH = 500_000;

  /** As many beats as in production. */
  private static final int STILL_BEATS = 15;

  private static final long SECOND = 1_000_000;

  private final SimulatedControllerHost machine;
  private final SimulatedRaftExecutor thread;
  private final GroupLogHistory.Reader reader;
  private @Nullable RaftGroupMember member;
  private final Map<String, Connection> connections = new TreeMap<>();
  private Tenure tenure = Tenure.EMPTY;
  private long epoch;
  private long abandoned;
  private boolean configured;
  private long transitionsUntil;
  private @Nullable EventStore store;

  /** A leadership and the epoch for which it was made. */
  private record Tenure(long epoch, @Nullable SimulatedLeader leading) {
    static final Tenure EMPTY = new Tenure(0, null);
  }

  /** On which another controller's process sends. */
  private record Connection(int life, long number) {}

  private ReplicatedController(SimulatedControllerHost machine) {
    this.machine = machine;
    this.thread = new SimulatedRaftExecutor(machine);
    this.reader = machine.world.chronicle.reader(machine);
  }

  /** Starts on what the disk holds; null if it cannot, and then the machine tries again. */
  static @Nullable ReplicatedController start(SimulatedControllerHost machine) {
    ReplicatedController made = new ReplicatedController(machine);
    try {
      made.open();
      return made;
    } catch (IOException e) {
      if (!machine.stopped() && e.getCause() instanceof RuntimeException) {
        machine.world.violate("what was stored can be replayed", machine.host + ": " + e);
      }
      machine.cannotStart(e);
    } catch (RuntimeException e) {
      machine.world.violate("what was stored can be replayed", machine.host + ": " + e);
    }
    return null;
  }

  private void open() throws IOException {
    SimulatedWorld world = machine.world;
    StandbyReplay succession =
        new StandbyReplay(
            SimulatedControllerHost.DIRECTORY,
            machine.config,
            this,
            () -> TextStorage.IN_MEMORY,
            machine.openAccounting());
    ReplicatedStateMachine told = world.wiring.replica(succession);
    List<String> hosts =
        machine.config.settings().controller().hosts().stream()
            .map(ClusterSettings.Host::name)
            .toList();
    member =
        RaftGroupMember.open(
            new RaftGroupMember.MemberServices(
                SimulatedControllerHost.DIRECTORY, machine.listener(), this::send, machine.log),
            new ControllerGroupSettings(
                machine.host,
                hosts,
                world.beatMillis,
                world.entriesASnapshot,
                world.bytesASnapshot),
            reader.replica(told, succession),
            this);
    reader.found(status().self().toString(), member().found());
    machine.tell("starts");
  }

  /** Begins to work. */
  void begin() {
    machine.accounting().start();
    member().start();
  }

  private RaftGroupMember member() {
    RaftGroupMember now = member;
    if (now == null) {
      throw new IllegalStateException("not open");
    }
    return now;
  }

  private ReplicatedLog log() {
    return member().log();
  }

  ControllerGroupStatus status() {
    return log().status();
  }

  /** Where it stands among all that was ever decided. */
  GroupLogHistory.Reader reader() {
    return reader;
  }

  /** Asks it to let another lead. */
  void handOver(String host) {
    var _ = log().handOver(host).exceptionally(_ -> null);
  }

  private void send(String to, byte[] message) {
    if (!machine.stopped()) {
      machine.world.peers.send(machine.host, to, message, thread.micros());
    }
  }

  /**
   * A message of another controller.
   *
   * @param life which of its processes sent it, on a connection of its own
   */
  void receive(String from, int life, byte[] message) {
    Connection known = connections.get(from);
    if (known == null || known.life() < life) {
      connections.put(from, new Connection(life, member().came(from)));
    }
    if (RecordSeeker.isOfRecords(message)) {
      machine.accounting().receive(from, message);
    } else {
      member().receive(message);
    }
  }

  /** The connection of another controller's process ends. */
  void left(String from, int life) {
    Connection known = connections.get(from);
    if (known != null && known.life() == life) {
      connections.remove(from);
      member().left(from, known.number());
    }
  }

  @Override
  public @Nullable SimulatedLeader leading() {
    return tenure.epoch() == epoch && epoch != abandoned ? tenure.leading() : null;
  }

  // Of the listener.

  @Override
  public void elected(ClusterState state, long told) {
    if (machine.stopped()) {
      return;
    }
    long elected = log().epoch();
    epoch = elected;
    machine.tell("leads, term " + status().term());
    machine.world.count("leadership begins");
    boolean takesOver = told > member().found() || (told > 0 && log().followed());
    inOrder("begin to lead", () -> begin(state, elected, takesOver));
  }

  /** Somebody else does it, one after the other, mostly soon. */
  private void inOrder(String what, Runnable task) {
    long now = machine.time.micros();
    long takes = machine.random.nextInt(3) == 0 ? machine.random.nextInt(4_000_000) : 100;
    transitionsUntil = Math.max(transitionsUntil, now) + takes;
    machine.later(transitionsUntil - now, what, task);
  }

  private void begin(ClusterState state, long elected, boolean takesOver) {
    if (elected != epoch) {
      return;
    }
    store =
        machine.world.witness.rememberDecided(
            reader,
            machine.world.wiring.store(
                new ReplicatedEventStore(
                    reader.log(machine.world.wiring.log(log()), thread), elected)));
    SimulatedLeader next = new SimulatedLeader(machine, state, this);
    tenure = new Tenure(elected, next);
    Command.InternalCommand first =
        takesOver || configured
            ? new Command.TakeOver()
            : new Command.Configure(machine.config, Command.Recovery.START);
    next.begin(first, () -> configured = true);
    watch(elected);
  }

  /** Looks every now and then whether the log stands still, and gives up then. */
  private void watch(long watched) {
    machine.later(
        WATCH,
        "watch",
        () -> {
          SimulatedLeader leading = tenure.leading();
          if (leading == null || tenure.epoch() != watched || watched != epoch) {
            return;
          }
          if (watched != abandoned
              && log().stillMillis() > (long) STILL_BEATS * machine.world.beatMillis) {
            machine.tell("leads no more until its log turns");
            machine.world.count("leadership abandoned");
            abandoned = watched;
            log().abandon(watched);
            leading.close();
          }
          watch(watched);
        });
  }

  @Override
  public @Nullable ClusterState deposed() {
    ClusterState last = published();
    epoch = 0;
    machine.tell("leads no more");
    inOrder("end to lead", this::end);
    return last;
  }

  private void end() {
    SimulatedLeader last = tenure.leading();
    tenure = Tenure.EMPTY;
    if (last != null) {
      last.close();
    }
  }

  @Override
  public @Nullable ClusterState published() {
    thread.catchUp();
    SimulatedLeader leading = tenure.epoch() == epoch ? tenure.leading() : null;
    return leading == null ? null : leading.published();
  }

  @Override
  public void stopped(Throwable cause) {
    if (!machine.stopped()) {
      machine.world.violate("the controllers' log meets no bug", machine.host + ": " + cause);
    }
  }

  // Of what decisions are kept by.

  @Override
  public EventStore store() {
    EventStore now = store;
    if (now == null) {
      throw new IllegalStateException("it does not lead");
    }
    return now;
  }

  @Override
  public boolean accepting() {
    return log().accepting();
  }

  @Override
  public void handedOver() {
    // the log's thread does the rest
  }

  // What the member stands on.

  @Override
  public RaftExecutor turns() {
    return thread;
  }

  @Override
  public RecoveredJournal journal(JournalListener listener) throws IOException {
    return machine.world.wiring.journal(() -> machine.journal(listener), machine.disk);
  }

  @Override
  public String setAside() throws IOException {
    machine.world.count("damage set aside");
    machine.forgetDamage();
    int number = 1;
    for (String name : machine.disk.list(SimulatedControllerHost.DIRECTORY)) {
      number += name.startsWith(ASIDE) ? 1 : 0;
    }
    for (String prefix : List.of("journal-", "snapshot-", "origin-")) {
      for (String name : machine.disk.list(SimulatedControllerHost.DIRECTORY)) {
        if (name.startsWith(prefix)) {
          Path file = SimulatedControllerHost.DIRECTORY.resolve(name);
          machine.disk.rename(file, file.resolveSibling(ASIDE + number + "-" + name));
        }
      }
      machine.disk.syncDirectory(SimulatedControllerHost.DIRECTORY);
    }
    return ASIDE + number;
  }

  @Override
  public boolean wasSetAside() {
    return machine.disk.list(SimulatedControllerHost.DIRECTORY).stream()
        .anyMatch(name -> name.startsWith(ASIDE));
  }

  @Override
  public String newDisk() {
    return Long.toHexString(machine.random.nextLong());
  }

  @Override
  public void complaints(LibraryLogging.Sink sink) {
    RaftErrorRouter.hear();
    thread.complaints(sink);
  }

  @Override
  public void write(Journal journal) throws IOException {
    while (journal.lastDurable() < journal.lastAppended()) {
      machine.feelDisk(thread.micros());
      if (!thread.isBeside()) {
        thread.spend(machine.syncTime(thread.micros()));
      }
      boolean done = journal.step();
      if (machine.stopped()) {
        throw new IOException("the process ends here");
      }
      if (!done) {
        pause(journal, SECOND * 1000);
      }
    }
  }

  @Override
  public void pause(Journal journal, long nanos) throws IOException {
    if (machine.stopped() || thread.isBeside()) {
      throw new IOException("nobody waits for it");
    }
    thread.spend(nanos / 1000);
    machine.feelDisk(thread.micros());
  }

  @Override
  public void close() {
    // there is no thread to end
  }
}
