package io.dure.faults.world;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.CommandBatchProcessor;
import io.dure.controller.loop.PassPacing;
import io.dure.controller.loop.ReplyListener;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler's thread does in one life of the controller: lets time pass in the state, and
 * starts what the product's plan says.
 */
final class SimulatedSchedulerLoop {
  private static final long SECOND = 1_000_000;
  private static final long SHORTEST_REST = 50_000;

  /** How long a plan takes, nanoseconds. */
  private static final long PLANNING = 10_000_000;

  private final SimulatedLeader leading;
  private final CommandBatchProcessor keeper;
  private final Planner planner = new Planner();
  private final PassPacing pacing = new PassPacing();
  private Planner.Memory memory = Planner.Memory.none();
  private boolean passing;
  private boolean changed;
  private long rested;
  private int number;

  /** Goes on once something is decided, and in any case. */
  record Then(Runnable next) implements ReplyListener {
    @Override
    public void decided(Reply reply) {
      next.run();
    }

    @Override
    public void failed(Throwable failure) {
      next.run();
    }
  }

  SimulatedSchedulerLoop(SimulatedLeader leading, CommandBatchProcessor keeper) {
    this.leading = leading;
    this.keeper = keeper;
  }

  /** Makes a pass; the next follows by itself. */
  void pass() {
    passing = true;
    changed = false;
    plan();
  }

  private void plan() {
    ClusterState state = keeper.decided();
    if (!pacing.isDue(state, leading.clock().instant(), nanos())) {
      tick();
      return;
    }
    Planner.Planned planned =
        planner.plan(
            state,
            leading.clock().instant(),
            (job, index) -> DependencyResolver.taskMayStart(state, job, index),
            memory);
    memory = planned.memory();
    SchedulingPlan plan = planned.plan();
    pacing.planned(state, plan, PLANNING, nanos());
    changed |= plan.unfinished();
    then(
        plan.starts().isEmpty() ? null : new Command.StartJobs(plan.starts()),
        () -> makeRoom(plan));
  }

  private long nanos() {
    return leading.micros() * 1000;
  }

  private void makeRoom(SchedulingPlan plan) {
    boolean none = plan.preemptions().isEmpty();
    then(none ? null : new Command.PreemptJobs(plan.preemptions()), this::tick);
  }

  /** Has it decided, if there is anything, and goes on. */
  private void then(Command.@Nullable InternalCommand command, Runnable next) {
    if (command == null) {
      next.run();
      return;
    }
    leading.submit(
        command,
        new Caller.Self(),
        new Then(() -> {
          changed = true;
          next.run();
        }));
  }

  private void tick() {
    leading.submit(new Command.Tick(), new Caller.Self(), new Then(this::rest));
  }

  private void rest() {
    passing = false;
    rested = leading.micros() + SHORTEST_REST;
    next(changed ? SHORTEST_REST : SECOND);
  }

  private void next(long micros) {
    int which = ++number;
    leading.later(
        micros,
        "pass",
        () -> {
          if (number == which && !passing) {
            pass();
          }
        });
  }

  /** Something changed that may let a job start. */
  void wake() {
    if (!changed) {
      changed = true;
      if (!passing) {
        next(rested - leading.micros());
      }
    }
  }
}
