package io.dure.cluster.decide;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.decide.administration.AccountingRules;
import io.dure.cluster.decide.administration.TriggerRules;
import io.dure.cluster.decide.job.CrontabRules;
import io.dure.cluster.decide.job.DependencyRules;
import io.dure.cluster.decide.job.EligibilityRules;
import io.dure.cluster.decide.job.JobSignals;
import io.dure.cluster.decide.job.PreemptRules;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.cluster.decide.job.StepKillRules;
import io.dure.cluster.decide.job.SuspendRules;
import io.dure.cluster.decide.node.NodeConditions;
import io.dure.cluster.decide.node.PowerRules;
import io.dure.cluster.decide.node.RebootRules;
import io.dure.cluster.reservations.ReservationTimeRules;
import io.dure.model.ExitStatus;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.request.SignalRequest;
import io.dure.model.reservation.Reservation;
import io.dure.rules.JobReadiness;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.rules.limits.RunLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the passing of time brings: limits, deadlines, dependencies, begin times, silence, purge.
 * What is too much for one decision is left to the next tick.
 */
final class TickRules {
  private static final int SIGCONT = 18;

  private TickRules() {}

  static Reply tick(DecisionBuilder draft) {
    ClusterState before = draft.state();
    AccountingRules.resetIfDue(draft);
    RunLimits limits = RunLimits.of(draft.state(), draft.now());
    for (Job one : draft.state().active().values()) {
      if (draft.isLong()) {
        return draft.done();
      }
      Job job = asItIs(draft, one);
      switch (job.state()) {
        case JobState.Running running -> running(draft, job, running, limits);
        case JobState.Suspended suspended -> suspended(draft, job, suspended);
        // A journal that ended between the two events leaves such a job behind.
        case JobState.Completing _ -> RunEndRules.finishIfClean(draft, job.id());
        case JobState.Pending _, JobState.Ended _ -> {}
      }
    }
    SuspendRules.turn(draft);
    reservations(draft);
    DependencyResolver.DependencyContext others =
        DependencyResolver.DependencyContext.of(draft.state());
    for (Job job : draft.state().timeDependentJobs().values()) {
      if (draft.isLong()) {
        return draft.done();
      }
      if (job.het() == null || draft.state().pending().contains(job.id())) {
        pending(draft, asItIs(draft, job), others);
      }
    }
    EligibilityRules.ageing(draft);
    PowerRules.tick(draft);
    RebootRules.tick(draft);
    for (NodeRecord node : draft.state().nodes().values()) {
      silence(draft, node);
    }
    purge(draft, before);
    TriggerRules.tick(draft);
    return draft.done();
  }

  /** A component of a heterogeneous job may have ended with another one that came before. */
  private static Job asItIs(DecisionBuilder draft, Job job) {
    Job now = job.het() == null ? job : draft.state().job(job.id());
    return now == null ? job : now;
  }

  private static void reservations(DecisionBuilder draft) {
    for (Reservation reservation : draft.state().reservations()) {
      ReservationTimeRules.events(draft.state(), reservation, draft.now()).forEach(draft::emit);
    }
  }

  private static void running(
      DecisionBuilder draft, Job job, JobState.Running running, @Nullable RunLimits limits) {
    Instant deadline = job.spec().deadline();
    if (deadline != null && !draft.now().isBefore(deadline)) {
      RunEndRules.end(
          draft,
          job,
          new JobOutcome.DeadlineMissed(ExitStatus.OK),
          PostRunAction.END,
          Effect.TerminationReason.TIME_LIMIT);
    } else if (RunEndRules.overLimit(draft, job, running)
        || limits != null && limits.isSpent(job.id(), running.start())) {
      RunEndRules.end(
          draft,
          job,
          new JobOutcome.TimedOut(ExitStatus.OK),
          PostRunAction.END,
          Effect.TerminationReason.TIME_LIMIT);
    } else if (!PreemptRules.endIfOver(draft, job, running)) {
      warn(draft, job, running);
      StepKillRules.tick(draft, job);
    }
  }

  private static void suspended(DecisionBuilder draft, Job job, JobState.Suspended suspended) {
    if (!PreemptRules.endIfOver(draft, job, suspended.run())) {
      SuspendRules.tick(draft, job, suspended);
      StepKillRules.tick(draft, job);
    }
  }

  private static void warn(DecisionBuilder draft, Job job, JobState.Running running) {
    SignalRequest signal = job.spec().signal();
    Instant end = running.end();
    if (signal == null
        || end == null
        || running.warned()
        || !running.launched()
        || draft.now().isBefore(end.minusSeconds(signal.secondsBefore()))) {
      return;
    }
    draft.emit(new Event.JobWarned(job.id(), job.run()));
    Effect.Scope scope = signal.batchShellOnly() ? Effect.Scope.BATCH_SHELL : Effect.Scope.STEPS;
    JobSignals.send(draft, job, running, SIGCONT, scope);
    JobSignals.send(draft, job, running, signal.signal(), scope);
  }

  private static void pending(
      DecisionBuilder draft, Job job, DependencyResolver.DependencyContext others) {
    JobState.Pending pending = (JobState.Pending) job.state();
    boolean failed = pending.dependencyFailed();
    if (!pending.waitingFor().isEmpty()) {
      DependencyResolver.Resolved now = DependencyResolver.resolve(others, job, draft.now());
      if (!now.waitingFor().equals(pending.waitingFor()) || now.failed() != failed) {
        draft.emit(new Event.DependencyChanged(job.id(), now.waitingFor(), now.failed()));
      }
      failed = now.failed();
    }
    if (failed && DependencyResolver.cancelsOnInvalidDependency(job, draft.state().settings())) {
      JobOutcome killed = new JobOutcome.Cancelled(ExitStatus.OK, 0);
      CrontabRules.disable(draft, job);
      RunEndRules.drop(draft, job, killed, JobState.Pending.NEVER_SATISFIED);
    } else if (JobReadiness.isLate(job.spec(), draft.now())) {
      CrontabRules.disable(draft, job);
      RunEndRules.drop(draft, job, new JobOutcome.DeadlineMissed(ExitStatus.OK), null);
    } else {
      DependencyRules.splitHopeless(draft, draft.state().pending().require(job.id()));
      EligibilityRules.eligibility(draft, job.id());
    }
  }

  private static void silence(DecisionBuilder draft, NodeRecord node) {
    Duration patience = draft.state().settings().controller().nodeTimeout();
    Instant since = node.silentSince();
    if (since != null
        && !node.condition().down()
        && !node.condition().isOff()
        && !node.condition().isBeingSwitchedOff()
        && node.config().state() != NodeConfig.State.EXTERNAL
        && !patience.isZero()
        && !draft.now().isBefore(since.plus(patience))) {
      NodeConditions.silent(draft, node);
    }
  }

  /**
   * Only what was over before this tick and is not referred to is forgotten: now all that waited
   * for it has seen so.
   */
  private static void purge(DecisionBuilder draft, ClusterState state) {
    Duration age = draft.state().settings().jobs().minJobAge();
    if (age.isZero()) {
      return;
    }
    Instant oldest = draft.now().minus(age);
    List<Job> old = new ArrayList<>();
    TreeMap<Integer, Boolean> arrays = new TreeMap<>();
    for (Job job : state.ended().values()) {
      if (isOld(job, oldest)
          && arrays.computeIfAbsent(job.baseId(), _ -> wholeArrayIsOld(state, job, oldest))) {
        old.add(job);
      }
    }
    if (old.isEmpty()) {
      return;
    }
    Map<Integer, Integer> records = new TreeMap<>();
    old.forEach(job -> records.merge(job.baseId(), 1, Integer::sum));
    Set<Integer> asked = DependencyRules.asked(state, records);
    List<Integer> ids =
        old.stream().filter(job -> !asked.contains(job.baseId())).map(Job::id).toList();
    if (!ids.isEmpty()) {
      draft.emit(new Event.JobsPurged(ids));
    }
  }

  private static boolean isOld(Job job, Instant oldest) {
    return job.state() instanceof JobState.Ended ended && !ended.end().isAfter(oldest);
  }

  /** Tasks of an array are kept together: dependencies ask for the result of all of them. */
  private static boolean wholeArrayIsOld(ClusterState state, Job job, Instant oldest) {
    return state.records(job.baseId()).stream().allMatch(r -> isOld(r, oldest));
  }
}
