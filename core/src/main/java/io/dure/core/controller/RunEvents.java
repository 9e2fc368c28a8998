package io.dure.core.controller;

import io.dure.core.config.PartitionConfig;
import io.dure.core.history.Run;
import io.dure.core.history.RunKind;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeShare;
import io.dure.core.model.Outcome;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.Times;
import java.time.Duration;
import java.time.Instant;

/** What the events of runs make of the state; part of {@link Apply}. */
final class RunEvents {
  private RunEvents() {}

  static void started(ClusterState.Parts parts, Event.JobStarted e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    JobState.Pending p = EventTargets.state(job, JobState.Pending.class, e);
    if (e.run() != job.run() + 1 || job.array() instanceof ArrayPart.Waiting) {
      throw EventTargets.illegal(job, e);
    }
    parts.tally = parts.tally.with(parts.tally.runs().started(e.at()));
    Job eligible = job.eligibleTime() == null ? job.withEligibleTime(e.at()) : job;
    parts.put(
        eligible
            .withRun(e.run())
            .withState(
                JobState.Running.begun(
                    e.allocation(), e.at(), e.end(), p.hold(), e.configuring())));
    AccountingEvents.started(parts, job, e.allocation(), e.at());
    for (NodeShare share : e.allocation().shares()) {
      parts.put(EventTargets.node(parts, share.node(), e).holding(e.jobId(), share));
    }
  }

  static void configured(ClusterState.Parts parts, Event.JobConfigured e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running running = EventTargets.state(job, JobState.Running.class, e);
    if (!running.configuring()) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(job.withState(running.configured(e.end())));
  }

  static void launched(ClusterState.Parts parts, Event.JobLaunched e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState next =
        job.state() instanceof JobState.Suspended suspended
            ? suspended.with(suspended.run().onItsWay())
            : EventTargets.state(job, JobState.Running.class, e).onItsWay();
    parts.put(job.withState(next));
  }

  static void warned(ClusterState.Parts parts, Event.JobWarned e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    parts.put(job.withState(EventTargets.state(job, JobState.Running.class, e).afterWarning()));
  }

  static void ending(ClusterState.Parts parts, Event.JobEnding e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running r = job.state().underWay();
    if (r == null) {
      throw EventTargets.illegal(job, e);
    }
    JobState.Pauses pauses =
        job.state() instanceof JobState.Suspended s ? s.pausesUntil(e.at()) : r.pauses();
    parts.put(
        job.withState(
            new JobState.Completing(
                r.allocation(),
                r.start(),
                e.at(),
                e.outcome(),
                e.nodesLeft(),
                e.afterwards(),
                r.hold(),
                e.epilog(),
                pauses)));
    AccountingEvents.ended(parts, e.jobId(), e.at());
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
      ClusterState.Parts parts, Job job, Duration ran, Event.JobEnding ending) {
    boolean telling =
        switch (ending.outcome()) {
          case Outcome.Completed _,
              Outcome.Failed _,
              Outcome.Cancelled _,
              Outcome.TimedOut _,
              Outcome.OutOfMemory _ ->
              ending.afterwards() == Afterwards.END;
          case Outcome.LaunchFailed _,
              Outcome.NodeFailed _,
              Outcome.DeadlineMissed _,
              Outcome.Preempted _ ->
              false;
        };
    JobState.Running run = job.state().underWay();
    PartitionConfig partition =
        run == null ? null : AccountingEvents.partition(parts, run.allocation().partition());
    if (telling && partition != null) {
      long limit = Times.seconds(PartitionRules.runTime(partition, job.spec()));
      parts.tally =
          parts.tally.with(
              parts
                  .tally
                  .runs()
                  .ended(
                      job.owner().uid(),
                      RunKind.of(job.spec(), limit),
                      new Run(Times.seconds(ran), limit)));
    }
  }

  /** What stood still already stands still for another reason now. */
  static void suspended(ClusterState.Parts parts, Event.JobSuspended e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running running = job.state().underWay();
    if (running == null || running.configuring()) {
      throw EventTargets.illegal(job, e);
    }
    Instant since = job.state() instanceof JobState.Suspended before ? before.since() : e.at();
    JobState.Suspended next = new JobState.Suspended(running, since, e.cause(), e.forJob());
    parts.put(job.withState(next));
    AccountingEvents.ended(parts, e.jobId(), e.at());
    if (e.cause() == JobState.Suspended.Cause.TIME_SLICE) {
      AccountingEvents.waits(parts, job, running.allocation(), e.at());
    }
    next.kept().forEach(share -> hold(parts, job, share));
  }

  static void resumed(ClusterState.Parts parts, Event.JobResumed e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Suspended suspended = EventTargets.state(job, JobState.Suspended.class, e);
    JobState.Pauses pauses = suspended.pausesUntil(e.at()).inVain(e.inVain());
    JobState.Running running = suspended.run().afterPause(pauses, e.end());
    parts.put(job.withState(running));
    AccountingEvents.ended(parts, e.jobId(), e.at());
    AccountingEvents.started(parts, job, running.allocation(), e.at());
    for (NodeShare share : running.allocation().shares()) {
      hold(parts, job, share);
    }
  }

  static void noticed(ClusterState.Parts parts, Event.JobNoticed e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Running running = EventTargets.state(job, JobState.Running.class, e);
    parts.put(job.withState(running.noticed(e.notice())));
  }

  /** From now on the job holds that on the node, in place of what it held there. */
  private static void hold(ClusterState.Parts parts, Job job, NodeShare share) {
    NodeRecord node = parts.node(share.node());
    if (node != null && !share.equals(node.shares().get(job.id()))) {
      parts.put(node.releasing(job.id(), null).holding(job.id(), share));
    }
  }

  static void epilogEnded(ClusterState.Parts parts, Event.JobEpilogEnded e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Completing completing = EventTargets.state(job, JobState.Completing.class, e);
    if (!completing.epilog()) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(job.withState(completing.withoutEpilog()));
  }

  static void exitKnown(ClusterState.Parts parts, Event.JobExitKnown e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Completing c = EventTargets.state(job, JobState.Completing.class, e);
    parts.put(job.withState(c.with(c.outcome().withExit(e.exit()), c.afterwards())));
  }

  static void nodeReleased(ClusterState.Parts parts, Event.NodeReleased e) {
    Job job = EventTargets.run(parts, e.jobId(), e.run(), e);
    JobState.Completing c = EventTargets.state(job, JobState.Completing.class, e);
    if (!c.nodesLeft().contains(e.node())) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(job.withState(c.without(e.node())));
    release(parts, e.jobId(), e.node(), e.at());
  }

  private static void release(ClusterState.Parts parts, int jobId, String name, Instant at) {
    NodeRecord node = parts.node(name);
    if (node != null) {
      parts.put(node.releasing(jobId, at));
    }
  }
}
