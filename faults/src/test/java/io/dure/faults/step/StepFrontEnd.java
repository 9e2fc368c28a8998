package io.dure.faults.step;

import io.dure.cluster.RequestId;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.step.StepSpec;
import io.dure.node.noderun.RunId;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StepCredential;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.step.TaskBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A process of {@code srun}: asks for a step, waits for room, launches it, and ends with its tasks;
 * the way is that of {@code StepLauncher} and of the client in C.
 */
public final class StepFrontEnd implements PartListener {
  private static final long SECOND = 1_000_000;
  private static final long CONNECT_PATIENCE = 10 * SECOND;
  private static final int MOST_WAITS = 200;
  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;
  private static final RecordCodec<StepLaunchOrder> ORDERS = WireCodecs.launchOrders();
  private static final RecordCodec<StepCredential> CREDENTIALS = WireCodecs.credentials();

  private final StepSurroundings world;
  private final SplittableRandom random;
  private final Caller.User user;
  private final int job;
  private final StepProgram program;
  private final Runnable over;
  private final RequestId name;

  /** Nodes to which it has connections, or makes them. */
  private final TreeSet<String> nodes = new TreeSet<>();

  private boolean alive = true;
  private boolean launching;
  private int asked;
  private int failed;
  private int waits;
  private int killWaitSeconds = 30;
  private @Nullable PartId step;

  /**
   * One that has asked for nothing yet.
   *
   * @param over told when it has ended, however
   */
  StepFrontEnd(
      StepSurroundings world,
      SplittableRandom random,
      Caller.User user,
      int job,
      StepProgram program,
      Runnable over) {
    this.world = world;
    this.random = random;
    this.user = user;
    this.job = job;
    this.program = program;
    this.over = over;
    this.name = world.name();
  }

  @Override
  public boolean isAlive() {
    return alive;
  }

  /** For how long nobody answers, or nothing is free. */
  private long pause() {
    return SECOND + random.nextLong(4 * SECOND);
  }

  /** Asks for a step and runs it. */
  void create(StepSpec spec) {
    if (!alive) {
      return;
    }
    world.change(
        user,
        name,
        new Command.CreateStep(job, spec),
        reply -> {
          switch (reply) {
            case Reply.StepCreated(int id, int number) -> {
              world.observer().acknowledged(id, number);
              launch(number);
            }
            case Reply.Refused refused when refused.code() == ErrorCode.NODES_BUSY ->
                awaitRoom(spec);
            case Reply.Refused refused
                when refused.code() == ErrorCode.JOB_PENDING
                    || refused.code() == ErrorCode.JOB_SUSPENDED ->
                later(() -> create(spec));
            case Reply.Refused _,
                Reply.Done _,
                Reply.Reserved _,
                Reply.Killed _,
                Reply.Submitted _ ->
                exit();
          }
        },
        this::exit);
  }

  /** Does something soon, unless it has waited for too long. */
  private void later(Runnable what) {
    if (++waits > MOST_WAITS) {
      exit();
    } else {
      world.after(pause(), "srun waits", what);
    }
  }

  private void awaitRoom(StepSpec spec) {
    if (!alive) {
      return;
    }
    world.count("a step waited for room");
    world.question(
        steps -> {
          try {
            return steps.awaitRoom(new Request.AwaitStepRoom(job, spec, 0), user);
          } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts", e);
          }
        },
        response -> {
          if (response instanceof Response.Decided) {
            create(spec);
          } else if (response instanceof Response.StillWaiting) {
            later(() -> awaitRoom(spec));
          } else {
            exit();
          }
        });
  }

  /** Launches a step that was created. */
  void launch(int number) {
    if (!alive) {
      return;
    }
    world.question(
        steps -> steps.launch(new Request.LaunchStep(job, number), user),
        response -> {
          if (response instanceof Response.StepLaunch launch && alive) {
            send(launch);
          } else if (alive) {
            kill(number);
            exit();
          }
        });
  }

  private void kill(int number) {
    world.change(user, world.name(), new Command.KillStep(job, number, null), _ -> {}, () -> {});
  }

  private void send(Response.StepLaunch launch) {
    int run = CREDENTIALS.decode(launch.credential()).job().run();
    step = new PartId(new RunId(job, run), launch.step().number());
    byte[] order =
        ORDERS.encode(
            new StepLaunchOrder(
                launch.credential(),
                launch.signature(),
                program.sent(),
                List.of(),
                "/",
                022,
                List.of(),
                StepLaunchOrder.Streams.OF_FRONT_END,
                StepLaunchOrder.MpiService.NONE,
                TaskBinding.NONE,
                null,
                null,
                false,
                null,
                null,
                false));
    killWaitSeconds = launch.killWaitSeconds();
    launching = true;
    List<String> all = launch.step().nodes();
    asked = all.size();
    nodes.addAll(all);
    long until = world.micros() + CONNECT_PATIENCE;
    for (String node : all) {
      connect(node, order, until);
    }
  }

  private void connect(String node, byte[] order, long until) {
    world.after(
        100L + random.nextInt(2000),
        "connect",
        () -> {
          if (!alive || world.node(node).launch(this, user.identity().uid(), order)) {
            return;
          }
          if (world.micros() < until) {
            world.after(SECOND / 2, "connect again", () -> connect(node, order, until));
          } else {
            refused(node, "nobody listens");
          }
        });
  }

  @Override
  public void begun(String node) {
    if (!alive && step != null) {
      world.node(node).frontLost(step);
    }
  }

  @Override
  public void refused(String node, String why) {
    if (alive && nodes.remove(node)) {
      world.tell("a launch on " + node + " failed: " + why);
      failed++;
      PartId id = step;
      if (failed == asked && id != null) {
        kill(id.step());
      } else {
        abort();
      }
      exitIfDone();
    }
  }

  @Override
  public void left(String node) {
    if (alive && nodes.remove(node)) {
      exitIfDone();
    }
  }

  private void exitIfDone() {
    if (launching && nodes.isEmpty()) {
      exit();
    }
  }

  /** Has all tasks ended: SIGTERM, then SIGKILL. */
  void abort() {
    if (step == null) {
      exit();
    }
    signal(SIGTERM);
    world.after(killWaitSeconds * SECOND, "srun kills", () -> signal(SIGKILL));
  }

  /** Passes a signal on to all tasks. */
  void signal(int signal) {
    PartId id = step;
    if (alive && id != null) {
      List.copyOf(nodes).forEach(node -> world.node(node).signal(id, signal));
    }
  }

  /** Its process is killed. */
  public void die() {
    if (!alive) {
      return;
    }
    List<String> connected = new ArrayList<>(nodes);
    exit();
    PartId id = step;
    if (id != null) {
      connected.forEach(node ->
          world.after(
              10L + random.nextInt(500), "front lost", () -> world.node(node).frontLost(id)));
    }
  }

  private void exit() {
    if (alive) {
      alive = false;
      over.run();
    }
  }
}
