package io.dure.bench.explanations;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.controller.loop.InMemoryController;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.request.Dependency;
import io.dure.model.reservation.Reservation;
import io.dure.rules.JobReadiness;
import io.dure.rules.PlannerTime;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.rules.preemption.PreemptionEligibility;
import io.dure.rules.preemption.ResumeRules;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that goes on: the controller's own rules decide on what its scheduler, its clock and
 * its node daemons would tell it, and every job runs to its limit. One thread.
 */
final class ReferenceCluster {
  static final Caller.User ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of(), true);
  private static final Caller SELF = new Caller.Self();
  private static final int MOST_PASSES = 40;
  private static final int MOST_STEPS = 3_000;

  private final Planner planner = new Planner();
  private Planner.Memory memory = Planner.Memory.none();
  private final InMemoryController controller;
  private @Nullable SchedulingPlan plan;

  /** Whether anything happened when it settled: then its clock looks at once what follows. */
  private boolean moved;

  ReferenceCluster(ClusterState state, Instant now) {
    controller = new InMemoryController(state, now);
  }

  ClusterState state() {
    return controller.state();
  }

  Instant now() {
    return controller.now();
  }

  /** Why a job waits, null for nothing known. */
  @Nullable String reason(int job) {
    SchedulingPlan last = plan;
    var verdict = last == null ? null : last.verdicts().get(job);
    return verdict == null ? null : verdict.reason();
  }

  Reply decide(Command command, Caller caller) {
    return controller.decide(command, caller);
  }

  void apply(Event event) {
    controller.apply(event);
  }

  /** What is due now happens, and the scheduler starts what it can. */
  @SuppressWarnings("ReferenceEquality") // where nothing happened they are the same objects
  void settle() {
    ClusterState before = state();
    settleNow();
    moved = before.pending() != state().pending() || before.active() != state().active();
  }

  /** The clock is looked at. */
  void tick() {
    decide(new Command.Tick(), SELF);
    if (clean()) {
      decide(new Command.Tick(), SELF);
    }
  }

  private void settleNow() {
    tick();
    for (int i = 0; i < MOST_PASSES; i++) {
      clean();
      Planner.Planned planned =
          planner.plan(
              state(),
              now(),
              (job, index) -> DependencyResolver.taskMayStart(state(), job, index),
              memory);
      memory = planned.memory();
      SchedulingPlan next = planned.plan();
      plan = next;
      decide(new Command.StartJobs(next.starts()), SELF);
      decide(new Command.PreemptJobs(next.preemptions()), SELF);
      for (Job job : state().active().values()) {
        if (job.state() instanceof JobState.Running run && !run.launched()) {
          Caller daemon = new Caller.NodeDaemon(run.allocation().batchHost());
          decide(new Command.StepLaunched(job.id(), job.run()), daemon);
        }
      }
      if (next.starts().isEmpty() && next.preemptions().isEmpty() && !next.unfinished()) {
        return;
      }
    }
  }

  /** Nodes are clean at once; whether one was to be cleaned. */
  private boolean clean() {
    boolean some = false;
    for (Job job : state().active().values()) {
      if (job.state() instanceof JobState.Completing ended) {
        for (String node : ended.nodesLeft()) {
          some = true;
          decide(new Command.NodeCleaned(job.id(), job.run(), null), new Caller.NodeDaemon(node));
        }
      }
    }
    return some;
  }

  /** A running job is over, and was successful: its limit came to the second. */
  void end(Job job) {
    Job its = state().job(job.id());
    if (its == null || its.state().runningOrSuspended() == null) {
      return;
    }
    JobOutcome well = new JobOutcome.Completed(ExitStatus.OK);
    apply(
        new Event.JobEnding(its.id(), its.run(), well, now(), List.of(), PostRunAction.END, false));
    apply(new Event.JobFinished(its.id()));
    if (its.het() != null && its.het().leads()) {
      // The script runs in the one that leads: with it all are over.
      for (int id = its.id() + 1; id <= its.het().last(); id++) {
        Job component = state().job(id);
        if (component != null) {
          end(component);
        }
      }
    }
  }

  /** A job, with all components that it has, is over now and was successful. */
  void over(Job job) {
    int first = job.het() == null ? job.id() : job.het().leader();
    int last = job.het() == null ? job.id() : job.het().last();
    for (int id = first; id <= last; id++) {
      Job one = state().job(id);
      if (one != null && one.state() instanceof JobState.Pending) {
        apply(new Event.JobDropped(id, new JobOutcome.Completed(ExitStatus.OK), now(), null));
      } else if (one != null) {
        end(one);
      }
    }
    clean();
  }

  /** Time passes until something is due; false if nothing is any more. */
  boolean next() {
    Instant due = null;
    PreemptionEligibility rules = PreemptionEligibility.of(state(), (job, _) -> job.priority());
    for (Job job : state().active().values()) {
      due = earlier(due, job.state() instanceof JobState.Running run ? run.end() : null);
      due = earlier(due, job.spec().deadline());
      if (job.state() instanceof JobState.Running run) {
        due = earlier(due, run.notice() == null ? null : run.notice().killAt());
        due = earlier(due, rules == null ? null : rules.eligible(job, run.start()));
      }
      if (job.state() instanceof JobState.Suspended still) {
        due = earlier(due, ResumeRules.patientUntil(still));
      }
    }
    for (Job job : state().pending().values()) {
      Instant latest = JobReadiness.latestStart(job.spec());
      due = earlier(due, job.spec().beginTime());
      due = earlier(due, latest == null ? null : latest.plusSeconds(1));
      if (job.state() instanceof JobState.Pending wait) {
        due = earlier(due, wait.notBefore());
        for (Dependency condition : wait.waitingFor()) {
          due = earlier(due, DependencyResolver.due(state(), condition));
        }
      }
    }
    for (Reservation one : state().reservations()) {
      due = earlier(earlier(due, one.start(now())), one.end(now()));
    }
    Instant soon = now().plusSeconds(1);
    if (moved && (due == null || due.isAfter(soon)) && follows(soon)) {
      return true;
    }
    if (due == null) {
      return false;
    }
    controller.setTime(Instant.ofEpochSecond(PlannerTime.second(due)));
    for (Job job : state().active().values()) {
      Instant end = job.state() instanceof JobState.Running run ? run.end() : null;
      Instant deadline = job.spec().deadline();
      if (end != null && !end.isAfter(now()) && (deadline == null || now().isBefore(deadline))) {
        end(job);
      }
    }
    settle();
    return true;
  }

  /**
   * What comes of what has just happened with the next look at the clock; whether anything does.
   */
  @SuppressWarnings("ReferenceEquality") // where nothing happened they are the same objects
  private boolean follows(Instant soon) {
    ClusterState before = state();
    Instant then = now();
    controller.setTime(soon);
    decide(new Command.Tick(), SELF);
    if (before.pending() == state().pending() && before.active() == state().active()) {
      controller.setTime(then);
      moved = false;
      return false;
    }
    settle();
    return true;
  }

  private @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (other == null || !other.isAfter(now())) {
      return one;
    }
    return one == null || other.isBefore(one) ? other : one;
  }

  /** When the job starts, null if it does not by then. */
  @Nullable Instant start(int id, Instant horizon) {
    settle();
    for (int step = 0; step < MOST_STEPS; step++) {
      Job job = state().job(id);
      Instant began =
          switch (job == null ? null : job.state()) {
            case JobState.Running run -> run.start();
            case JobState.Completing over -> over.start();
            case JobState.Ended over -> over.start();
            case JobState.Suspended stood -> stood.run().start();
            case JobState.Pending _ -> firstTask(id);
            case null -> firstTask(id);
          };
      if (began != null || now().isAfter(horizon) || !next()) {
        return began;
      }
    }
    return null;
  }

  /** When a task of an array started that had no record of its own before. */
  private @Nullable Instant firstTask(int array) {
    Instant first = null;
    for (int id : state().arrayTasks(array).values()) {
      Job task = state().active().get(id);
      if (task != null && task.state() instanceof JobState.Running run && !known.contains(id)) {
        first = first == null || run.start().isBefore(first) ? run.start() : first;
      }
    }
    return first;
  }

  private final TreeSet<Integer> known = new TreeSet<>();

  /** Tasks that have records of their own by now are none of those that are waited for. */
  ReferenceCluster knowing() {
    known.addAll(state().active().keys());
    known.addAll(state().pending().keys());
    return this;
  }
}
