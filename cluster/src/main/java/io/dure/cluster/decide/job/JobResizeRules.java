package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.command.Effect;
import io.dure.model.command.JobChange;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A job that has begun goes on with fewer nodes. */
public final class JobResizeRules {
  /** How steps end on a node that their job gives back: as Slurm does, nothing is asked first. */
  private static final ExitStatus KILLED = new ExitStatus(0, 9);

  private JobResizeRules() {}

  /** Whether the number of nodes, or the nodes, are to change. */
  static boolean isMeant(JobChange.ResourceChange shape) {
    return shape.minNodes() != null || shape.requiredNodes() != null;
  }

  /** Why the resources of a run cannot change so, null if they can. */
  static @Nullable ErrorCode refusal(
      Job job, JobState.Running run, JobChange.ResourceChange shape) {
    if (shape.equals(JobChange.ResourceChange.NONE)) {
      return null;
    }
    JobChange.ResourceChange nodes =
        JobChange.ResourceChange.NONE
            .with()
            .minNodes(shape.minNodes())
            .maxNodes(shape.maxNodes())
            .requiredNodes(shape.requiredNodes())
            .build();
    if (!nodes.equals(shape)) {
      return ErrorCode.JOB_NOT_PENDING;
    }
    List<String> held = run.allocation().nodes();
    List<String> kept = shape.requiredNodes();
    if (kept != null
        && (kept.isEmpty()
            || !new LinkedHashSet<>(held).containsAll(kept)
            || losesScript(job, kept))) {
      return ErrorCode.INVALID_NODE_NAME;
    }
    Integer count = shape.minNodes();
    if (count != null && count < 1) {
      return ErrorCode.INVALID_NODE_COUNT;
    }
    if (count != null && (kept != null || !count.equals(shape.maxNodes()))) {
      return ErrorCode.JOB_NOT_PENDING;
    }
    if (count != null && count > held.size()) {
      return ErrorCode.NOT_SUPPORTED;
    }
    // Which of its nodes are still to come is not known to them all yet.
    return run.configuring() ? ErrorCode.TRANSITION_STATE : null;
  }

  private static boolean losesScript(Job job, List<String> kept) {
    JobState.Running run = job.state().runningOrSuspended();
    return run != null
        && run.allocation().nodes().stream()
            .anyMatch(node -> job.hasScriptOn(node) && !kept.contains(node));
  }

  /** Has a job give back the nodes that it is not to keep; their runs of it are ended. */
  static void resize(DecisionBuilder draft, int jobId, JobChange.ResourceChange shape) {
    Job job = draft.state().active().require(jobId);
    List<String> leaving = leaving(job, shape);
    if (leaving.isEmpty()) {
      return;
    }
    goOnWithout(draft, job, leaving, KILLED, _ -> true);
    for (String node : leaving) {
      draft.effect(new Effect.Terminate(node, jobId, job.run(), Effect.TerminationReason.RESIZED));
    }
  }

  /** The last nodes go first, that of the script does not. */
  private static List<String> leaving(Job job, JobChange.ResourceChange shape) {
    List<String> held = RunEndRules.allocation(job).nodes();
    Set<String> kept =
        shape.requiredNodes() == null ? null : new LinkedHashSet<>(shape.requiredNodes());
    Integer count = shape.minNodes();
    if (kept != null) {
      return held.stream().filter(node -> !kept.contains(node)).toList();
    }
    if (count == null) {
      return List.of();
    }
    return held.reversed().stream()
        .filter(node -> !job.hasScriptOn(node))
        .limit(held.size() - (long) count)
        .toList();
  }

  /**
   * A job that runs or is suspended loses some of its nodes, and its steps what they have there.
   *
   * @param exit how that ends
   * @param goesOn whether a step lives on where it has other nodes
   */
  public static void goOnWithout(
      DecisionBuilder draft,
      Job job,
      List<String> nodes,
      ExitStatus exit,
      Predicate<LaunchedStep> goesOn) {
    Set<String> gone = new LinkedHashSet<>(nodes);
    List<LaunchedStep> there =
        job.runSteps().live().stream().filter(step -> step.isLiveOnAny(gone)).toList();
    draft.emit(
        new Event.AllocationShrunk(
            job.id(), job.run(), HostList.compress(nodes), exit, draft.now()));
    for (LaunchedStep step : there) {
      Job after = draft.state().active().require(job.id());
      if (after.state().runningOrSuspended() == null) {
        return; // it was there for a step that had no other nodes left
      }
      LaunchedStep rest = after.runSteps().step(step.number());
      if (rest == null) {
        StepKillRules.over(draft, after, step.number(), LaunchedStep.worse(step.exit(), exit));
      } else if (!goesOn.test(rest) && !rest.cancelled()) {
        StepKillRules.cancel(draft, after, rest);
      }
    }
  }
}
