package io.dure.lifecycle;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.model.ExitStatus;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.job.PostRunAction;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import java.time.Instant;
import java.util.List;

/** One event of every kind about a job or node, as well made as the state allows. */
final class Samples {
  private static final Instant AT = Instant.parse("2026-01-06T00:00:00Z");
  private static final JobOutcome CANCELLED = new JobOutcome.Cancelled(ExitStatus.OK, 0);

  private Samples() {}

  /** Every event that names a job, about this one. */
  static List<Event> ofJob(Job job, String node) {
    int id = job.id();
    int run = job.run();
    Allocation allocation =
        new Allocation("debug", List.of(new NodeShare(node, List.of(3), 1, 0, 1)));
    List<String> nodes =
        switch (job.state()) {
          case JobState.Running r -> r.allocation().nodes();
          case JobState.Suspended s -> s.run().allocation().nodes();
          case JobState.Completing c -> c.nodesLeft().isEmpty() ? List.of(node) : c.nodesLeft();
          case JobState.Pending _, JobState.Ended _ -> List.of(node);
        };
    return List.of(
        new Event.JobSubmitted(
            id, AT, job.owner(), job.spec(), job.workload(), 1, Hold.NONE, List.of(), null, null),
        new Event.JobHeld(id, Hold.USER),
        new Event.JobReleased(id, 1),
        new Event.JobUpdated(id, job.spec(), job.priority(), null),
        new Event.JobOutputChanged(id, job.batch().summary()),
        new Event.ArrayThrottled(job.baseId(), 1),
        new Event.ArrayTaskSplit(job.baseId(), 1, 1_000),
        new Event.DependencyChanged(id, List.of(), false),
        new Event.JobEligible(id, AT),
        new Event.JobStarted(id, run + 1, allocation, AT, null, false, false),
        new Event.JobConfigured(id, run, AT, null),
        new Event.JobLaunched(id, run),
        new Event.JobWarned(id, run),
        new Event.JobSuspended(id, run, AT, JobState.Suspended.Cause.OPERATOR, null),
        new Event.JobResumed(id, run, AT, null, null),
        new Event.JobNoticed(
            id, run, new JobState.PreemptionNotice(AT, AT.plusSeconds(30), PostRunAction.END)),
        new Event.StepCreated(id, run, step(job.runSteps().next(), node)),
        new Event.StepLimitChanged(id, run, 0, null),
        new Event.StepCancelled(id, run, 0),
        new Event.StepPartEnded(id, run, 0, node, ExitStatus.OK, AT, null),
        new Event.StepExitKnown(id, run, 0, node, ExitStatus.OK, AT, null),
        new Event.BatchStepEnded(id, run, ExitStatus.OK, AT, null),
        new Event.JobEnding(id, run, CANCELLED, AT, nodes, PostRunAction.END, false),
        new Event.JobEpilogEnded(id, run),
        new Event.JobExitKnown(id, run, ExitStatus.OK),
        new Event.RequeueRevoked(id, CANCELLED),
        new Event.NodeReleased(id, run, nodes.getFirst(), AT),
        new Event.AllocationShrunk(id, run, node, ExitStatus.OK, AT),
        new Event.JobFinished(id),
        new Event.JobRequeued(id, Hold.NONE, AT, 1, true, AT),
        new Event.JobDropped(id, CANCELLED, AT, "Priority"),
        new Event.JobsPurged(List.of(id)));
  }

  private static LaunchedStep step(int number, String node) {
    return LaunchedStep.begun(
        number,
        StepSpec.of("true", 1),
        List.of(new StepShare(node, List.of(0), 1, 0, List.of(0))),
        AT,
        null);
  }

  /** Every event that names a node or concerns all of them, about this one. */
  static List<Event> ofNode(ClusterState state, NodeConfig node, NodeFacts facts) {
    return List.of(
        new Event.NodeRegistered(node.name(), facts, AT),
        new Event.NodeSilent(node.name(), AT),
        new Event.NodeConditionChanged(node.name(), NodeCondition.GOOD, AT),
        new Event.NodeDefined(node, true, AT),
        new Event.NodeDeleted(node.name(), AT),
        new Event.ControllerStarted(AT),
        new Event.Configured(state.config(), AT));
  }

  /** What the daemon of a node says of a machine that is as configured. */
  static NodeFacts facts(NodeRecord node) {
    NodeFacts facts = node.facts();
    if (facts == null) {
      throw new IllegalArgumentException(node.name() + " never registered");
    }
    return facts;
  }
}
