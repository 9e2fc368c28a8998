package io.dure.faults.world;

import io.dure.controller.loop.ReplyListener;
import io.dure.controller.node.NodeChannel;
import io.dure.controller.node.NodeProtocol;
import io.dure.faults.books.BooksSurroundings;
import io.dure.faults.books.SimulatedAccounting;
import io.dure.faults.books.SimulatedBooks;
import io.dure.faults.disk.SimulatedDisk;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** A controller's machine: its disk, its clock, its network, and the process while there is one. */
final class SimulatedControllerHost {
  static final Path DIRECTORY = Path.of("journal");
  private static final JournalSettings SETTINGS =
      new JournalSettings(128 * 1024, 64L << 20, Duration.ofSeconds(1));
  private static final long SECOND = 1_000_000;

  final SimulatedWorld world;
  final VirtualTimeline time;
  final ClusterConfig config;
  final String host;
  final SplittableRandom random;
  final InstantSource clock = this::now;
  final Logger log;

  /** The controller's process on one machine, from its start to its end. */
  interface Program {
    /** What it does as the one that leads, null in standby. */
    @Nullable SimulatedLeader leading();
  }

  /** What comes from nodes and people, and what goes to them. */
  final SimulatedChannel.NetworkConditions toHere = new SimulatedChannel.NetworkConditions();

  final SimulatedChannel.NetworkConditions fromHere = new SimulatedChannel.NetworkConditions();
  SimulatedDisk disk;

  /** Where the records for the accounting database lie. */
  private SimulatedDisk recordsDisk;

  private final SplittableRandom chance;

  /** The books that it alone writes, or all share. */
  final SimulatedBooks books;

  private @Nullable SimulatedAccounting accounting;
  private final List<Runnable> callers = new ArrayList<>();
  private final List<SimulatedNodeConnection> connections = new ArrayList<>();
  private SimulatedDisk.@Nullable FlippedBit damage;
  private SimulatedDisk.@Nullable Copy backup;
  private SimulatedDisk.@Nullable Copy recordsBackup;
  private @Nullable Program process;
  private int life;
  private long pausedUntil;
  private Duration skew = Duration.ZERO;
  private long syncMicros;
  private long slowUntil;
  private long fullUntil;
  private long refusingUntil;
  private double refusals;
  private long darkUntil;
  private boolean dyingPower;
  private long dyingDown;

  SimulatedControllerHost(
      SimulatedWorld world,
      ClusterConfig config,
      String host,
      SplittableRandom random,
      Logger log) {
    this.chance = world.books.chance(host);
    this.recordsDisk = new SimulatedDisk(chance.split());
    this.books = world.books.of(host, chance.split());
    this.world = world;
    this.time = world.time;
    this.config = config;
    this.host = host;
    this.random = random;
    this.disk = new SimulatedDisk(random.split());
    this.log = log;
  }

  private Instant now() {
    return time.now().plus(skew);
  }

  void jump(Duration by) {
    skew = skew.plus(by);
  }

  /** Part of the story. */
  void tell(String what) {
    world.tell(host + " " + what);
  }

  /** The faults stop. A clock that is slow is set right; one that is fast keeps its lead. */
  void setRight() {
    skew = skew.isNegative() ? Duration.ZERO : skew;
    disk.stopAfter(Long.MAX_VALUE);
    recordsDisk.stopAfter(Long.MAX_VALUE);
    fullUntil = 0;
    refusingUntil = 0;
    toHere.blockedUntil = 0;
    fromHere.blockedUntil = 0;
  }

  boolean up() {
    return process != null;
  }

  @Nullable Program process() {
    return process;
  }

  /** What its process does as leader, null if it takes no calls. */
  @Nullable SimulatedLeader serving() {
    SimulatedLeader leading = process == null ? null : process.leading();
    return leading != null && leading.serving() ? leading : null;
  }

  /** Whether it has no power: nobody answers calls, not even to refuse. */
  boolean dark() {
    return time.micros() < darkUntil;
  }

  /** Whether what people and node daemons send does not come here, or no answer goes out. */
  boolean isCut() {
    return time.micros() < toHere.blockedUntil || time.micros() < fromHere.blockedUntil;
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

  /** What goes to node daemons and people does not arrive for so long, or what comes from them. */
  void cutOff(boolean out, boolean in, long micros) {
    long until = time.micros() + micros;
    fromHere.blockedUntil = out ? until : fromHere.blockedUntil;
    toHere.blockedUntil = in ? until : toHere.blockedUntil;
  }

  void slow(long micros, long sync) {
    slowUntil = time.micros() + micros;
    syncMicros = sync;
  }

  void full(long micros) {
    fullUntil = time.micros() + micros;
  }

  void refuse(long micros, double share) {
    refusingUntil = time.micros() + micros;
    refusals = share;
  }

  /** The disk is as it is at that moment, which may lie ahead for a process that waits for it. */
  void feelDisk(long micros) {
    for (SimulatedDisk one : List.of(disk, recordsDisk)) {
      one.full(micros < fullUntil);
      one.refuse(micros < refusingUntil ? refusals : 0);
    }
  }

  /** How long a sync takes that begins at that moment. */
  long syncTime(long micros) {
    long usual = 100L + random.nextInt(2000);
    return micros < slowUntil ? usual + syncMicros : usual;
  }

  /** Dies at that operation of its disk. */
  void dieWriting(int operations, boolean power, long downMicros) {
    if (process != null) {
      dyingPower = power;
      dyingDown = downMicros;
      disk.stopAfter(operations);
      recordsDisk.stopAfter(chance.nextBoolean() ? operations : 1 + operations / 5);
    }
  }

  /** Whether it has come to the operation of a disk at which it ends: it does nothing more. */
  boolean stopped() {
    return disk.stopped() || recordsDisk.stopped();
  }

  /** Ends the process if it was to die at an operation of its disk and has come to it. */
  boolean diesOfDisk() {
    if (stopped()) {
      crash(dyingPower, dyingDown);
      return true;
    }
    return false;
  }

  void rot() {
    if (damage == null) {
      damage = disk.flipBit();
      if (damage != null) {
        tell("has a flipped bit in " + damage.text());
      }
    }
  }

  /** All that it ever stored is gone, and the process with it. */
  void loseDisk(long downMicros) {
    crash(true, downMicros);
    damage = null;
    disk = new SimulatedDisk(random.split());
    recordsDisk = new SimulatedDisk(chance.split());
    backup = null;
    recordsBackup = null;
    books.loseDisk();
    tell("has an empty disk");
    world.count("disk lost");
  }

  /** Somebody makes a backup of its disk, as a snapshot of the file system gives it. */
  void backUp() {
    if (!stopped()) {
      backup = disk.copy();
      recordsBackup = recordsDisk.copy();
      books.backUpDisk();
    }
  }

  /** Whether there is one. */
  boolean hasBackup() {
    return backup != null;
  }

  /** The process ends, and its disk holds again what it held at its backup. */
  void putBack(long downMicros) {
    SimulatedDisk.Copy copy = backup;
    SimulatedDisk.Copy records = recordsBackup;
    if (copy != null && records != null) {
      crash(true, downMicros);
      damage = null;
      disk.putBack(copy);
      recordsDisk.putBack(records);
      books.putBackDisk();
      tell("has the disk of its backup");
      world.count("backup put back");
    }
  }

  /** The process is gone, and with the power all that was not on the disk. */
  void crash(boolean power, long downMicros) {
    if (process == null) {
      return;
    }
    tell(power ? "is dark" : "is gone");
    process = null;
    end(power, downMicros);
  }

  /** The machine loses power: for so long nobody answers. */
  void loseEverything(long downMicros) {
    if (process != null) {
      darkUntil = time.micros() + downMicros;
      crash(true, downMicros);
    }
  }

  /** Number of its present process, or of the next. */
  int life() {
    return life;
  }

  private void end(boolean power, long downMicros) {
    if (!power && world.isGroup()) {
      world.peers.processEnded(host, life);
    }
    life++;
    pausedUntil = 0;
    disk.restart(power);
    recordsDisk.restart(power);
    if (power) {
      books.losePower();
    }
    for (SimulatedNodeConnection connection : List.copyOf(connections)) {
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
    connections.forEach(SimulatedNodeConnection::reset);
    connections.clear();
    feelDisk(time.micros());
    if (world.isGroup()) {
      ReplicatedController started = ReplicatedController.start(this);
      process = started;
      if (started != null) {
        started.begin();
      }
    } else {
      StandaloneController started = StandaloneController.start(this);
      process = started;
      if (started != null) {
        started.begin();
      }
    }
  }

  /** Opens the journal on its disk. */
  RecoveredJournal journal(JournalListener listener) throws IOException {
    return RecoveredJournal.openStepped(
        world.wiring.disk(disk), DIRECTORY, SETTINGS, listener, random::nextLong);
  }

  /** Opens what brings records to the books, for a process that begins. */
  SimulatedAccounting openAccounting() throws IOException {
    SimulatedAccounting opened =
        SimulatedAccounting.open(aroundAccounting(), world.wiring.disk(recordsDisk), books, chance);
    accounting = opened;
    return opened;
  }

  /** That of the process that began last. */
  SimulatedAccounting accounting() {
    return Objects.requireNonNull(accounting, "not open");
  }

  private BooksSurroundings aroundAccounting() {
    return new BooksSurroundings(
        this::later,
        clock,
        log,
        listener(),
        () -> feelDisk(time.micros()),
        this::diesOfDisk,
        () -> process != null && process.leading() != null,
        world.wiring.records((to, message) -> world.peers.send(host, to, message, time.micros())),
        world.peers.others(host),
        world.wiring::books,
        world::count);
  }

  /** What was damaged is right again. */
  void mend() {
    if (damage != null) {
      damage.repair();
      damage = null;
    }
  }

  /** What was damaged does not matter any more. */
  void forgetDamage() {
    damage = null;
  }

  /** The disk did not let it start. */
  void cannotStart(IOException e) {
    tell("cannot start: " + e.getMessage());
    end(stopped() && dyingPower, 2 * SECOND);
  }

  /** A lone controller's journal is refused: there is a backup. */
  void refused(JournalRefusedException e) {
    if (damage == null) {
      world.violate("an undamaged journal is not refused", String.valueOf(e.getMessage()));
      return;
    }
    tell("refuses damage and a backup is restored: " + e.getMessage());
    world.count("damage refused");
    mend();
    end(false, SECOND);
  }

  /** A node daemon calls whoever leads here; what it sends comes through the connection. */
  void accept(SimulatedNodeConnection connection, NodeChannel way, SimulatedLeader leading) {
    connections.add(connection);
    connection.dialogue = NodeProtocol.over(way, connection.node, leading.wiring());
  }

  /** Does what a connection brings when the process gets to it. */
  void serve(SimulatedNodeConnection connection, Runnable action) {
    later(
        0,
        "serve",
        () -> {
          if (!connection.closedHere) {
            action.run();
          }
        });
  }

  void forget(SimulatedNodeConnection connection) {
    connections.remove(connection);
  }

  /** Somebody's request is under way; {@code broken} is called if the process dies before. */
  void call(Command command, Caller caller, ReplyListener asker, Runnable broken) {
    callers.add(broken);
    later(
        0,
        "request",
        () -> {
          SimulatedLeader leading = serving();
          if (leading == null) {
            callers.remove(broken);
            broken.run();
          } else {
            leading.submit(command, caller, new Heard(asker, broken));
          }
        });
  }

  private final class Heard implements ReplyListener {
    private final ReplyListener asker;
    private final Runnable broken;

    Heard(ReplyListener asker, Runnable broken) {
      this.asker = asker;
      this.broken = broken;
    }

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
  }

  /** Hears of its disk. */
  JournalListener listener() {
    return new JournalListener() {
      @Override
      public void failed(IOException cause) {
        tell("has a disk that refuses: " + cause.getMessage());
      }

      @Override
      public void healed() {
        tell("has a disk that takes writes again");
      }

      @Override
      public void stopped(Throwable cause) {
        world.violate("the journal meets no bug", cause.toString());
      }
    };
  }
}
