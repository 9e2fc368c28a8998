package io.dure.simulator.world;

import io.dure.controller.journal.Journal;
import io.dure.controller.journal.JournalListener;
import io.dure.controller.journal.JournalRefusedException;
import io.dure.controller.journal.JournalSettings;
import io.dure.controller.journal.Recovered;
import io.dure.controller.loop.JournalStore;
import io.dure.controller.loop.StateKeeper;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.loop.StateOwner;
import io.dure.controller.node.NodeDialogue;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.node.NodeWay;
import io.dure.core.config.ClusterConfig;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Reply;
import io.dure.host.log.Log;
import io.dure.simulator.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The controller's machine: its disk, its clock, and the controller's process while there is one.
 * State, journal and the talk with nodes are the product's own; here is what its threads do.
 */
final class ControllerMachine implements StateOwner {
  private static final Path DIRECTORY = Path.of("journal");
  private static final JournalSettings SETTINGS =
      new JournalSettings(128 * 1024, 64L << 20, Duration.ofSeconds(1));
  private static final int EVENTS_A_SNAPSHOT = 400;
  private static final long SECOND = 1_000_000;

  private final World world;
  private final Timeline time;
  private final ClusterConfig config;
  private final SplittableRandom random;
  final SimulatedDisk disk;
  final InstantSource clock = this::now;
  private final Log log;
  private final List<StateKeeper.Work> inbox = new ArrayList<>();
  private final List<Runnable> callers = new ArrayList<>();
  private final List<NodeConnection> connections = new ArrayList<>();
  private SimulatedDisk.@Nullable Damage damage;
  private @Nullable Life process;
  private int life;
  private long pausedUntil;
  private Duration skew = Duration.ZERO;
  private long syncMicros;
  private long slowUntil;
  private boolean dyingPower;
  private long dyingDown;

  /** One life of the controller. */
  private static final class Life {
    final Journal journal;
    final StateKeeper keeper;
    final NodeDialogue.Wiring wiring;
    boolean serving;
    boolean deciding;
    boolean writing;
    final Passes passes;
    @Nullable ClusterState last;

    Life(
        ControllerMachine machine,
        Journal journal,
        StateKeeper keeper,
        NodeDialogue.Wiring wiring) {
      this.journal = journal;
      this.keeper = keeper;
      this.wiring = wiring;
      this.passes = new Passes(machine, keeper);
    }
  }

  /** A snapshot that waits for the disk. */
  private @Nullable Runnable snapshot;

  private long snapshotAfter;

  ControllerMachine(World world, ClusterConfig config, SplittableRandom random, Log log) {
    this.world = world;
    this.time = world.time;
    this.config = config;
    this.random = random;
    this.disk = new SimulatedDisk(random.split());
    this.log = log;
  }

  long micros() {
    return time.micros();
  }

  private Instant now() {
    return time.now().plus(skew);
  }

  void jump(Duration by) {
    skew = skew.plus(by);
  }

  /** A clock that is slow is set right; one that is fast keeps its lead. */
  void setRight() {
    skew = skew.isNegative() ? Duration.ZERO : skew;
  }

  boolean up() {
    return process != null;
  }

  /** Whether it takes calls. */
  boolean serving() {
    return process != null && process.serving;
  }

  @Nullable NodeLinks links() {
    return process == null ? null : process.wiring.links();
  }

  /** Does something in this life, later if the process stands still then. */
  void later(long micros, String what, Runnable action) {
    int of = life;
    time.after(micros, what, () -> inLife(of, what, action));
  }

  private void inLife(int of, String what, Runnable action) {
    if (of != life || process == null) {
      return;
    }
    if (time.micros() < pausedUntil) {
      time.at(pausedUntil, what, () -> inLife(of, what, action));
      return;
    }
    action.run();
  }

  void pause(long micros) {
    pausedUntil = Math.max(pausedUntil, time.micros() + micros);
  }

  void slow(long micros, long sync) {
    slowUntil = time.micros() + micros;
    syncMicros = sync;
  }

  /** Dies at that operation of its disk. */
  void dieWriting(int operations, boolean power, long downMicros) {
    if (process != null) {
      dyingPower = power;
      dyingDown = downMicros;
      disk.stopAfter(operations);
    }
  }

  void rot() {
    if (damage == null) {
      damage = disk.flipBit();
      if (damage != null) {
        world.tell("a bit flips in " + damage.text());
      }
    }
  }

  /** The process is gone, and with the power all that was not on the disk. */
  void crash(boolean power, long downMicros) {
    if (process == null) {
      return;
    }
    world.tell(power ? "the controller's machine is dark" : "the controller is gone");
    process = null;
    end(power, downMicros);
  }

  private void end(boolean power, long downMicros) {
    life++;
    inbox.clear();
    snapshot = null;
    pausedUntil = 0;
    disk.restart(power);
    for (NodeConnection connection : List.copyOf(connections)) {
      connection.controllerGone(power);
    }
    if (!power) {
      connections.clear();
      List.copyOf(callers).forEach(Runnable::run);
    }
    callers.clear();
    int of = life;
    time.after(
        downMicros,
        "start controller",
        () -> {
          if (of == life && process == null) {
            start();
          }
        });
  }

  /** Starts the process on what the disk holds. */
  void start() {
    // What was sent to the machine while it was dark is answered now: nobody knows of it.
    connections.forEach(NodeConnection::reset);
    connections.clear();
    List<Recovered> found = new ArrayList<>();
    JournalStore.Place place =
        new JournalStore.Place(
            DIRECTORY,
            (at, listener) -> {
              Recovered recovered =
                  Journal.openStepped(
                      world.wiring.disk(disk), at, SETTINGS, listener, random::nextLong);
              found.add(recovered);
              return recovered;
            },
            EVENTS_A_SNAPSHOT,
            work -> {
              snapshot = work;
              snapshotAfter = found.getFirst().journal().lastAppended();
            });
    try {
      JournalStore.Opened opened = JournalStore.open(place, config, new Listener(), log);
      mend();
      begin(opened, found.getFirst().journal());
    } catch (JournalRefusedException e) {
      refused(e);
    } catch (IOException e) {
      if (!disk.stopped() && e.getCause() instanceof RuntimeException) {
        world.violate("what was stored can be replayed", String.valueOf(e.getMessage()));
      }
      world.tell("the controller cannot start: " + e.getMessage());
      end(disk.stopped() && dyingPower, 2 * SECOND);
    } catch (RuntimeException e) {
      world.violate("what was stored can be replayed", e.toString());
    }
  }

  private void mend() {
    if (damage != null) {
      damage.repair();
      damage = null;
    }
  }

  private void refused(JournalRefusedException e) {
    if (damage == null) {
      world.violate("an undamaged journal is not refused", String.valueOf(e.getMessage()));
      return;
    }
    world.tell("damage is refused and a backup restored: " + e.getMessage());
    world.count("damage refused");
    mend();
    end(false, SECOND);
  }

  private void begin(JournalStore.Opened opened, Journal journal) {
    world.witness.recovered(opened.state(), journal.lastAppended());
    StateKeeper keeper =
        new StateKeeper(
            world.wiring.recovered(opened.state()),
            world.witness.store(world.wiring.store(opened.store())),
            clock,
            world.witness.rules(world.wiring.rules(StateKeeper.Rules.CORE)),
            new Consequences(),
            log);
    NodeLinks links = new NodeLinks();
    Life started =
        new Life(
            this,
            journal,
            keeper,
            new NodeDialogue.Wiring(this, links, clock, work -> later(10, "aside", work), log));
    process = started;
    world.tell("the controller starts, record " + journal.lastAppended());
    submit(
        new Command.Configure(config, Command.Recovery.START),
        new Caller.Self(),
        new Passes.Then(() -> {
          started.serving = true;
          later(0, "first pass", started.passes::pass);
        }));
  }

  @Override
  public ClusterState published() {
    return process().keeper.published();
  }

  private Life process() {
    Life now = process;
    if (now == null) {
      throw new IllegalStateException("the controller is not there");
    }
    return now;
  }

  @Override
  public void submit(Command command, Caller caller, StateLoop.Asker asker) {
    Life now = process();
    inbox.add(new StateKeeper.Work(command, caller, asker));
    if (!now.deciding) {
      now.deciding = true;
      later(20L + random.nextInt(200), "decide", this::decide);
    }
  }

  private void decide() {
    Life now = process();
    now.deciding = false;
    List<StateKeeper.Work> batch = List.copyOf(inbox);
    inbox.clear();
    try {
      now.keeper.process(batch);
    } catch (RuntimeException bug) {
      world.violate("the state's owner meets no bug", bug.toString());
    }
    write(now, syncTime());
  }

  private long syncTime() {
    long usual = 100L + random.nextInt(2000);
    return time.micros() < slowUntil ? usual + syncMicros : usual;
  }

  private void write(Life now, long micros) {
    if (!now.writing) {
      now.writing = true;
      later(micros, "sync", this::sync);
    }
  }

  private void sync() {
    Life now = process();
    now.writing = false;
    boolean done = now.journal.step();
    if (disk.stopped()) {
      crash(dyingPower, dyingDown);
      return;
    }
    if (!done) {
      write(now, SECOND);
    }
    Runnable waiting = snapshot;
    if (waiting != null && now.journal.lastDurable() >= snapshotAfter) {
      snapshot = null;
      later(random.nextInt(20_000), "snapshot", () -> writeSnapshot(waiting));
    }
  }

  private void writeSnapshot(Runnable work) {
    work.run();
    if (disk.stopped()) {
      crash(dyingPower, dyingDown);
    }
  }

  /** A node daemon calls; what it sends comes through the connection. */
  void accept(NodeConnection connection, NodeWay way) {
    connections.add(connection);
    connection.dialogue = NodeDialogue.over(way, connection.node, process().wiring);
  }

  /** Does what a connection brings when the process gets to it. */
  void serve(NodeConnection connection, Runnable action) {
    later(
        0,
        "serve",
        () -> {
          if (!connection.closedHere) {
            action.run();
          }
        });
  }

  void forget(NodeConnection connection) {
    connections.remove(connection);
  }

  /** Somebody's request is under way; {@code broken} is called if the process dies before. */
  void call(Command command, Caller caller, StateLoop.Asker asker, Runnable broken) {
    callers.add(broken);
    later(
        0,
        "request",
        () ->
            submit(
                command,
                caller,
                new StateLoop.Asker() {
                  @Override
                  public void decided(Reply reply) {
                    callers.remove(broken);
                    asker.decided(reply);
                  }

                  @Override
                  public void failed(Throwable failure) {
                    callers.remove(broken);
                    asker.failed(failure);
                  }
                }));
  }

  @SuppressWarnings("ReferenceEquality") // another version, not an unequal one
  private final class Consequences implements StateLoop.Consequences {
    @Override
    public void published(ClusterState state) {
      Life now = process();
      ClusterState before = now.last;
      if (before != state) {
        now.last = state;
        world.witness.published(before, state);
        if (now.serving) {
          now.passes.wake();
        }
      }
    }

    @Override
    public void perform(Effect effect, ClusterState state) {
      if (effect instanceof Effect.OnNode there) {
        process().wiring.links().perform(there, state);
      }
    }

    @Override
    public void stopped(Throwable cause) {
      world.violate("the state's owner meets no bug", cause.toString());
    }
  }

  private final class Listener implements JournalListener {
    @Override
    public void failed(IOException cause) {
      world.tell("the disk refuses: " + cause.getMessage());
    }

    @Override
    public void healed() {
      world.tell("the disk takes writes again");
    }

    @Override
    public void stopped(Throwable cause) {
      world.violate("the journal meets no bug", cause.toString());
    }
  }
}
