package io.dure.cluster;

import io.dure.model.HostList;
import io.dure.model.config.PartitionConfig;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunResources;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.job.PostRunAction;
import io.dure.model.reservation.Reservation;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepName;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/** What the events of runs make of the state; part of {@link EventApplier}. */
final class RunEventApplier {
  private RunEventApplier() {}

  static void started(ClusterState.StateBuilder parts, Event.JobStarted e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    JobState.Pending p = EventTargets.state(job, JobState.Pending.class, e);
    if (e.run() != job.run() + 1 || job.array() instanceof ArrayPart.Waiting) {
      throw EventTargets.illegal(job, e);
    }
    parts.tally = parts.tally.withRuns(parts.tally.runs().started(e.at()));
    Job eligible = job.eligibleTime() == null ? job.withEligibleTime(e.at()) : job;
    Allocation given = given(parts, e.allocation());
    parts.put(
        eligible
            .withRun(e.run())
            .withState(
                JobState.Running.begun(
                    given, e.at(), e.end(), p.hold(), e.configuring(), e.contained())));
    AccountingEventApplier.started(parts, job, given, e.at());
    for (NodeShare share : given.shares()) {
      parts.put(EventTargets.node(parts, share.node(), e).holding(e.jobId(), share));
    }
  }

  /** What was given, with what the books tell of it. */
  private static Allocation given(ClusterState.StateBuilder parts, Allocation allocation) {
    String name = allocation.reservation();
    Reservation in = name == null ? null : parts.reservations.named(name);
    return AccountingEventApplier.billed(parts, allocation)
        .withReservationId(in == null ? null : in.id());
  }

  static void configured(ClusterState.StateBuilder parts, Event.JobConfigured e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running running = EventTargets.state(job, JobState.Running.class, e);
    if (!running.configuring()) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(job.withState(running.configured(e.end())));
  }

  static void launched(ClusterState.StateBuilder parts, Event.JobLaunched e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState next =
        job.state() instanceof JobState.Suspended suspended
            ? suspended.with(suspended.run().withLaunched(true))
            : EventTargets.state(job, JobState.Running.class, e).withLaunched(true);
    parts.put(job.withState(next));
  }

  static void warned(ClusterState.StateBuilder parts, Event.JobWarned e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    parts.put(job.withState(EventTargets.state(job, JobState.Running.class, e).withWarned(true)));
  }

  static void ending(ClusterState.StateBuilder parts, Event.JobEnding e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running r = job.state().runningOrSuspended();
    if (r == null) {
      throw EventTargets.illegal(job, e);
    }
    JobState.SuspensionTotals pauses =
        job.state() instanceof JobState.Suspended s ? s.pausesUntil(e.at()) : r.pauses();
    Job over = job.launched() == null ? job : job.withLaunched(job.launched().over());
    parts.put(
        over.withState(
            new JobState.Completing(
                r.allocation(),
                r.start(),
                e.at(),
                e.outcome(),
                e.nodesLeft(),
                e.afterwards(),
                r.hold(),
                e.epilog(),
                pauses,
                false)));
    AccountingEventApplier.ended(parts, e.jobId(), e.at());
    Duration since = Duration.between(r.start(), e.at());
    learn(parts, job, pauses == null ? since : since.minus(pauses.total()), e);
    for (NodeShare share : r.allocation().shares()) {
      if (!e.nodesLeft().contains(share.node())) {
        release(parts, e.jobId(), share.node(), e.at());
      } else {
        // The cores of a suspended job are its own again until its processes are gone.
        hold(parts, job, share);
      }
    }
  }

  /** How long it ran tells of the jobs like it, if the job itself or its limit ended it. */
  private static void learn(
      ClusterState.StateBuilder parts, Job job, Duration ran, Event.JobEnding ending) {
    boolean telling =
        switch (ending.outcome()) {
          case JobOutcome.Completed _,
              JobOutcome.Failed _,
              JobOutcome.Cancelled _,
              JobOutcome.TimedOut _,
              JobOutcome.OutOfMemory _ ->
              ending.afterwards() == PostRunAction.END
                  || ending.afterwards() == PostRunAction.RECUR;
          case JobOutcome.LaunchFailed _,
              JobOutcome.NodeFailed _,
              JobOutcome.DeadlineMissed _,
              JobOutcome.Preempted _ ->
              false;
        };
    JobState.Running run = job.state().runningOrSuspended();
    PartitionConfig partition =
        run == null ? null : AccountingEventApplier.partition(parts, run.allocation().partition());
    if (telling && run != null && partition != null) {
      long limit = PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
      parts.tally =
          parts.tally.withRuns(
              parts
                  .tally
                  .runs()
                  .ended(
                      job.owner().uid(),
                      SimilarRunKey.of(job.spec(), limit),
                      RunResources.of(job.spec().resources(), run.allocation()),
                      new RecordedRun(PlannerTime.seconds(ran), limit)));
    }
  }

  /** What stood still already stands still for another reason now. */
  static void suspended(ClusterState.StateBuilder parts, Event.JobSuspended e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running running = job.state().runningOrSuspended();
    if (running == null || running.configuring()) {
      throw EventTargets.illegal(job, e);
    }
    Instant since = job.state() instanceof JobState.Suspended before ? before.since() : e.at();
    JobState.Suspended next = new JobState.Suspended(running, since, e.cause(), e.forJob());
    parts.put(job.withState(next));
    AccountingEventApplier.ended(parts, e.jobId(), e.at());
    if (e.cause() == JobState.Suspended.Cause.TIME_SLICE) {
      AccountingEventApplier.waits(parts, job, running.allocation(), e.at());
    }
    next.retainedShares().forEach(share -> hold(parts, job, share));
  }

  static void resumed(ClusterState.StateBuilder parts, Event.JobResumed e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Suspended suspended = EventTargets.state(job, JobState.Suspended.class, e);
    JobState.SuspensionTotals pauses = suspended.pausesUntil(e.at()).inVain(e.inVain());
    JobState.Running running = suspended.run().afterPause(pauses, e.end());
    parts.put(job.withState(running));
    AccountingEventApplier.ended(parts, e.jobId(), e.at());
    AccountingEventApplier.started(parts, job, running.allocation(), e.at());
    for (NodeShare share : running.allocation().shares()) {
      hold(parts, job, share);
    }
  }

  static void noticed(ClusterState.StateBuilder parts, Event.JobNoticed e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running running = EventTargets.state(job, JobState.Running.class, e);
    parts.put(job.withState(running.withNotice(e.notice())));
  }

  /** From now on the job holds that on the node, in place of what it held there. */
  private static void hold(ClusterState.StateBuilder parts, Job job, NodeShare share) {
    NodeRecord node = parts.node(share.node());
    if (node != null && !share.equals(node.shares().get(job.id()))) {
      parts.put(node.releasing(job.id(), null).holding(job.id(), share));
    }
  }

  static void stepCreated(ClusterState.StateBuilder parts, Event.StepCreated e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    EventTargets.state(job, JobState.Running.class, e);
    int number = e.step().number();
    boolean isNext =
        number == StepName.InteractiveStep.NUMBER
            ? !job.runSteps().shell()
            : number == job.runSteps().next();
    if (!isNext) {
      throw EventTargets.illegal(job, e);
    }
    putSteps(parts, job.withLaunched(job.runSteps().with(e.step())));
  }

  static void stepCancelled(ClusterState.StateBuilder parts, Event.StepCancelled e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    LaunchedStep step = job.runSteps().step(e.step());
    if (step == null) {
      throw EventTargets.illegal(job, e);
    }
    putSteps(parts, job.withLaunched(job.runSteps().changed(step.withCancelled(true))));
  }

  static void stepLimitChanged(ClusterState.StateBuilder parts, Event.StepLimitChanged e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    LaunchedStep step = job.runSteps().step(e.step());
    if (step == null) {
      throw EventTargets.illegal(job, e);
    }
    putSteps(parts, job.withLaunched(job.runSteps().changed(step.withEnd(e.end()))));
  }

  static void stepPartEnded(ClusterState.StateBuilder parts, Event.StepPartEnded e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    LaunchedStep step = job.runSteps().step(e.step());
    Set<String> ended = new LinkedHashSet<>(HostList.expand(e.nodes()));
    LaunchedStep after = step == null ? null : step.endedOn(ended, e.exit());
    if (step == null
        || after == null
        || step.nodesLeft().size() != after.nodesLeft().size() + ended.size()) {
      throw EventTargets.illegal(job, e);
    }
    putSteps(parts, job.withLaunched(job.runSteps().changed(after)));
  }

  static void stepExitKnown(ClusterState.StateBuilder parts, Event.StepExitKnown e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    // Nodes that are not awaited change nothing: journals have the ends that were told twice.
    Set<String> heard = new LinkedHashSet<>(HostList.expand(e.nodes()));
    Job after = job.withLaunched(job.runSteps().heard(e.step(), heard));
    switch (job.state()) {
      case JobState.Completing _ -> putSteps(parts, after);
      case JobState.Ended _ -> parts.put(after);
      case JobState.Pending _, JobState.Running _, JobState.Suspended _ ->
          throw EventTargets.illegal(job, e);
    }
  }

  static void batchStepEnded(ClusterState.StateBuilder parts, Event.BatchStepEnded e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Completing completing = EventTargets.state(job, JobState.Completing.class, e);
    if (completing.scriptOver()) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(job.withState(completing.withScriptOver(true)));
  }

  /** Not as other changes of a job: nothing but its steps differs, and no plan is made for it. */
  private static void putSteps(ClusterState.StateBuilder parts, Job job) {
    parts.active = parts.active.with(job.id(), job);
  }

  static void epilogEnded(ClusterState.StateBuilder parts, Event.JobEpilogEnded e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Completing completing = EventTargets.state(job, JobState.Completing.class, e);
    if (!completing.epilog()) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(job.withState(completing.withEpilog(false)));
  }

  static void exitKnown(ClusterState.StateBuilder parts, Event.JobExitKnown e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Completing c = EventTargets.state(job, JobState.Completing.class, e);
    parts.put(job.withState(c.with(c.outcome().withExit(e.exit()), c.afterwards())));
  }

  static void nodeReleased(ClusterState.StateBuilder parts, Event.NodeReleased e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Completing c = EventTargets.state(job, JobState.Completing.class, e);
    if (!c.nodesLeft().contains(e.node())) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(job.withState(c.without(e.node())));
    release(parts, e.jobId(), e.node(), e.at());
  }

  static void shrunk(ClusterState.StateBuilder parts, Event.AllocationShrunk e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running run = job.state().runningOrSuspended();
    Set<String> gone = new LinkedHashSet<>(HostList.expand(e.nodes()));
    Allocation rest =
        run == null
            ? null
            : AccountingEventApplier.billed(parts, run.allocation().without(gone, e.at()));
    if (run == null
        || rest == null
        || rest.shares().isEmpty()
        || rest.shares().size() + gone.size() != run.allocation().shares().size()) {
      throw EventTargets.illegal(job, e);
    }
    JobState.Running next = run.withAllocation(rest);
    Job after =
        job.launched() == null
            ? job
            : job.withLaunched(job.launched().withoutNodes(gone, e.exit()));
    AccountingEventApplier.ended(parts, e.jobId(), e.at());
    if (job.state() instanceof JobState.Suspended suspended) {
      parts.put(after.withState(suspended.with(next)));
      if (suspended.cause() == JobState.Suspended.Cause.TIME_SLICE) {
        AccountingEventApplier.waits(parts, job, rest, e.at());
      }
    } else {
      parts.put(after.withState(next));
      AccountingEventApplier.started(parts, job, rest, e.at());
    }
    gone.forEach(node -> release(parts, e.jobId(), node, e.at()));
  }

  private static void release(ClusterState.StateBuilder parts, int jobId, String name, Instant at) {
    NodeRecord node = parts.node(name);
    if (node != null) {
      parts.put(node.releasing(jobId, at));
    }
  }
}
