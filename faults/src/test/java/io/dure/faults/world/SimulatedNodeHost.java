package io.dure.faults.world;

import io.dure.faults.step.FakeStepActions;
import io.dure.faults.step.NodeParts;
import io.dure.faults.step.PartId;
import io.dure.faults.step.PartListener;
import io.dure.faults.step.SimulatedPeers;
import io.dure.faults.step.StepFrontEnd;
import io.dure.faults.step.StepSurroundings;
import io.dure.host.log.DaemonLog;
import io.dure.host.process.EnergyMeter;
import io.dure.model.command.StepEnd;
import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.node.agent.DaemonClocks;
import io.dure.node.agent.DaemonEnvironment;
import io.dure.node.agent.NodeDaemonLoop;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import io.dure.node.peer.NodePeerLinks;
import io.dure.node.peer.Peers;
import io.dure.node.usage.GpuMeter;
import io.dure.node.usage.NodeMeters;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.step.NodePeerMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node: its processes, its spool, its clock, and the daemon while there is one. The daemon's loop
 * is the product's own; here is what it stands on, and the calling of the controller.
 */
final class SimulatedNodeHost implements StepSurroundings.Node {
  private static final long FIRST_PAUSE = 100_000;
  private static final long LONGEST_PAUSE = 5_000_000;
  private static final long CONNECT_TIMEOUT = 10_000_000;

  final SimulatedWorld world;
  final SplittableRandom random;
  final SimulatedChannel.NetworkConditions toHere = new SimulatedChannel.NetworkConditions();
  final SimulatedChannel.NetworkConditions fromHere = new SimulatedChannel.NetworkConditions();
  final TreeMap<RunId, SimulatedStep> steps = new TreeMap<>();
  final NodeParts parts;
  private final SimulatedRunSpool spool;
  private final NodeConfig config;
  private final NodeLocalConfig setup;
  private final DaemonLog log;
  private @Nullable NodeDaemonLoop agent;
  private @Nullable FakeProcesses labour;
  private @Nullable FakeStepActions stepLabour;
  private @Nullable SimulatedNodeConnection connection;
  private @Nullable SimulatedNodeConnection lostInTheDark;
  private Instant daemonStart = VirtualTimeline.START;
  private Duration skew = Duration.ZERO;
  private int life;
  private int boots = 1;
  private boolean powered = true;
  private long pausedUntil;
  private long pause = FIRST_PAUSE;
  private long turn;
  private boolean turning;
  private int door;

  SimulatedNodeHost(
      SimulatedWorld world, NodeLocalConfig setup, SplittableRandom random, DaemonLog log) {
    this.world = world;
    this.random = random;
    this.setup = setup;
    this.config = setup.node();
    Duration killWait = setup.settings().jobs().killWait();
    this.parts =
        new NodeParts(
            world.clients, config.name(), random.split(), VirtualTimeline.micros(killWait));
    this.spool = new SimulatedRunSpool(world.time, parts::forget);
    this.log = log;
  }

  String name() {
    return config.name();
  }

  @Override
  public int life() {
    return life;
  }

  int boots() {
    return boots;
  }

  SimulatedRunSpool spool() {
    return spool;
  }

  @Nullable SimulatedNodeConnection connection() {
    return connection;
  }

  private Instant now() {
    return world.time.now().plus(skew);
  }

  void jump(Duration by) {
    skew = skew.plus(by);
  }

  void pause(long micros) {
    pausedUntil = Math.max(pausedUntil, world.time.micros() + micros);
  }

  /** Does something in this life of the daemon, when it does not stand still. */
  void whenAwake(Runnable action) {
    inLife(life, action);
  }

  private void inLife(int of, Runnable action) {
    if (of != life || agent == null) {
      return;
    }
    if (world.time.micros() < pausedUntil) {
      world.time.at(pausedUntil, "awake", () -> inLife(of, action));
      return;
    }
    action.run();
  }

  /** The daemon starts on what its spool holds. */
  void start() {
    SimulatedNodeConnection former = lostInTheDark;
    if (former != null) {
      former.resetThere();
      lostInTheDark = null;
    }
    powered = true;
    daemonStart = now();
    pausedUntil = 0;
    pause = FIRST_PAUSE;
    FakeProcesses hands = new FakeProcesses(this, life);
    FakeStepActions steps = new FakeStepActions(parts, this::now, new StepDaemon(life));
    NodeDaemonLoop started =
        new NodeDaemonLoop(
            setup,
            spool,
            hands,
            steps,
            new DaemonEnvironment(
                this::facts,
                () -> new NodeMetrics(100, 1000),
                new NodeMeters(new GpuMeter(_ -> null, log), new EnergyMeter(Path.of("none"))),
                null,
                bootId(),
                EmptyUserDatabase.INSTANCE,
                log,
                clocks(),
                new Peers(new SimulatedPeers(world.clients, this, random.split()), 1),
                () -> {},
                () -> {},
                () -> {},
                () -> 0,
                () -> {}));
    labour = hands;
    stepLabour = steps;
    agent = started;
    try {
      started.restore();
    } catch (IOException | RuntimeException e) {
      world.violate("a node daemon starts on its spool", name() + ": " + e);
    }
    soon();
    call(random.nextInt(100_000));
  }

  @Override
  public boolean hear(int of, NodePeerLinks.Caller from, NodePeerMessage message) {
    if (of != life || agent == null) {
      return false;
    }
    inLife(
        of,
        () -> {
          NodeDaemonLoop daemon = agent;
          if (daemon != null) {
            daemon.peers().said(from, message);
            soon();
          }
        });
    return true;
  }

  @Override
  public void losePeer(int of, String node) {
    inLife(
        of,
        () -> {
          NodeDaemonLoop daemon = agent;
          if (daemon != null) {
            daemon.peers().lost(node);
            soon();
          }
        });
  }

  /** The daemon's own clock goes on from the time at its start, however the machine's jumps. */
  private DaemonClocks clocks() {
    Duration atStart = skew;
    return new DaemonClocks(this::now, () -> world.time.now().plus(atStart));
  }

  private String bootId() {
    return name() + "-boot-" + boots;
  }

  private NodeFacts facts() {
    return config
        .asConfigured(VirtualTimeline.START.plusSeconds(boots))
        .with()
        .tmpDiskMib(1000)
        .bootId(bootId())
        .daemonStart(daemonStart)
        .confinement("cgroup/v2")
        .build();
  }

  /** The daemon is killed; jobs run on. */
  void kill(long downMicros) {
    if (agent != null) {
      world.tell("slurmd of " + name() + " is gone");
      end(false);
      comeBack(downMicros);
    }
  }

  /** The machine loses power. */
  void reboot(long downMicros) {
    if (!powered) {
      return;
    }
    world.tell(name() + " is dark");
    powered = false;
    end(true);
    boots++;
    steps.values().forEach(step -> step.calls.forEach(StepFrontEnd::die));
    steps.clear();
    parts.powerLost();
    spool.powerLost(random);
    comeBack(downMicros);
  }

  private void comeBack(long micros) {
    int of = life;
    world.time.after(
        micros,
        "start slurmd",
        () -> {
          if (of == life && agent == null) {
            start();
          }
        });
  }

  private void end(boolean power) {
    life++;
    agent = null;
    labour = null;
    FakeStepActions hands = stepLabour;
    stepLabour = null;
    if (hands != null) {
      hands.gone();
    }
    SimulatedNodeConnection current = connection;
    connection = null;
    if (current != null) {
      current.daemonGone(power);
      lostInTheDark = power ? current : null;
    }
  }

  /** A step ends after that time, unless it has ended or the machine was booted by then. */
  void end(SimulatedStep step, long micros, StepEnd how) {
    int boot = boots;
    world.time.after(
        micros,
        "step ends",
        () -> {
          if (boot == boots && step.lives() && step.stopped && !step.dying) {
            step.due = how;
          } else if (boot == boots && step.lives()) {
            step.ends(how);
            FakeProcesses hands = labour;
            if (hands != null) {
              hands.ended(step);
            }
          }
        });
  }

  /** What hands for steps see of the daemon in one of its lives. */
  private final class StepDaemon implements FakeStepActions.Daemon {
    private final int of;

    StepDaemon(int of) {
      this.of = of;
    }

    @Override
    public void tell(Consumer<NodeDaemonLoop> news) {
      NodeDaemonLoop current = agent;
      // What a daemon that starts finds comes before it is known to others.
      if (of == life && current != null) {
        news.accept(current);
        soon();
      }
    }

    @Override
    public boolean isFull() {
      return spool.isFull();
    }
  }

  @Override
  public boolean launch(PartListener from, int uid, byte[] payload) {
    FakeStepActions hands = stepLabour;
    boolean silent = world.time.micros() < Math.max(toHere.blockedUntil, pausedUntil);
    return hands != null && !silent && hands.launch(from, uid, payload);
  }

  @Override
  public void signal(PartId id, int signal) {
    if (powered) {
      parts.signal(id, signal);
    }
  }

  @Override
  public void frontLost(PartId id) {
    if (powered) {
      parts.frontLost(id);
    }
  }

  /** Something happened to a run, for the daemon of that life. */
  void happened(int of, RunId id, RunInput input) {
    NodeDaemonLoop current = agent;
    if (of == life && current != null) {
      current.happened(id, input);
      soon();
    }
  }

  /** The daemon's loop turns when it was told something, or when it wants to. */
  private void soon() {
    if (!turning) {
      turning = true;
      turnAt(world.time.micros() + 10L + random.nextInt(100));
    }
  }

  private void turnAt(long micros) {
    long which = ++turn;
    world.time.at(
        micros,
        "turn",
        () -> {
          if (which == turn) {
            turning = false;
            whenAwake(this::turn);
          }
        });
  }

  private void turn() {
    NodeDaemonLoop current = agent;
    if (current == null) {
      return;
    }
    try {
      current.turn();
    } catch (RuntimeException bug) {
      world.violate("the node's loop meets no bug", name() + ": " + bug);
    }
    forgetSteps();
    if (!turning) {
      turnAt(world.time.micros() + Math.max(1000, VirtualTimeline.micros(current.patience())));
    }
  }

  /** What has ended and is in no spool leaves nothing on the machine. */
  private void forgetSteps() {
    if (steps.size() > 8) {
      List<RunId> known = spool.runs();
      steps.values().removeIf(step -> !step.lives() && !known.contains(step.id));
    }
  }

  /** Calls the controller after a while, as the product's caller does. */
  private void call(long micros) {
    int of = life;
    world.time.after(micros, "call", () -> inLife(of, this::callNow));
  }

  private void callNow() {
    long now = world.time.micros();
    boolean silent = now < toHere.blockedUntil || now < fromHere.blockedUntil;
    SimulatedControllerHost controller = world.controllers.get(door++ % world.controllers.size());
    SimulatedLeader leading = controller.serving();
    if (silent || controller.dark() || controller.isCut()) {
      callAgain(CONNECT_TIMEOUT);
    } else if (leading == null) {
      callAgain(0);
    } else {
      SimulatedNodeConnection opened = new SimulatedNodeConnection(world, this, controller);
      connection = opened;
      opened.open(leading);
      NodeDaemonLoop current = agent;
      if (current != null) {
        current.connected(opened);
        soon();
      }
    }
  }

  private void callAgain(long waited) {
    pause = Math.min(LONGEST_PAUSE, pause * 2);
    call(waited + pause / 2 + random.nextLong(pause / 2));
  }

  void received(SimulatedNodeConnection from, ControllerToNodeMessage message) {
    NodeDaemonLoop current = agent;
    if (current != null) {
      if (message instanceof ControllerToNodeMessage.Welcome) {
        pause = FIRST_PAUSE / 2;
        world.witness.welcomed(name());
      }
      current.received(from, message);
      soon();
    }
  }

  @SuppressWarnings("ReferenceEquality") // connections are themselves alone
  void disconnected(SimulatedNodeConnection former) {
    NodeDaemonLoop current = agent;
    if (current != null && former == connection) {
      connection = null;
      current.disconnected(former);
      soon();
      callAgain(0);
    }
  }

  /** The daemon's end of a connection ends after a time of silence. */
  void watch(SimulatedNodeConnection watched, long silence) {
    int of = life;
    world.time.after(
        silence - watched.silentThere(),
        "silence",
        () -> {
          if (of == life && !watched.closedThere()) {
            if (watched.silentThere() >= silence) {
              whenAwake(watched::endThere);
            } else {
              watch(watched, silence);
            }
          }
        });
  }
}
