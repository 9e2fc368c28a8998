package io.dure.cluster.decide.job;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.RunReconciliation;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Placement;
import io.dure.model.command.Reply;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.placement.PlacementRecheck;
import io.dure.placement.admission.BatchNode;
import io.dure.rules.JobReadiness;
import io.dure.rules.ReservedNodes;
import io.dure.rules.RunEndTime;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.rules.limits.JobDemand;
import io.dure.rules.limits.StartLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starting what the scheduler placed. The plan was made from an older view, so each placement is
 * checked again: what no longer fits is left for the next plan.
 */
public final class StartRules {
  private StartRules() {}

  public static Reply start(DecisionBuilder draft, Command.StartJobs command) {
    StartLimits limits = StartLimits.of(draft.state(), draft.now());
    List<Placement> placements = command.placements();
    int next = 0;
    while (next < placements.size()) {
      Job job = draft.state().pending().get(placements.get(next).jobId());
      int end = next + 1;
      if (job == null || job.het() == null) {
        startIfFit(draft, placements.get(next), limits);
      } else {
        end = endOf(job.het(), placements, next);
        if (startAll(draft, placements.subList(next, end))) {
          limits = StartLimits.of(draft.state(), draft.now());
        }
      }
      next = end;
    }
    return draft.done();
  }

  /** Where the placements end that are of one heterogeneous job. */
  private static int endOf(HetComponent part, List<Placement> placements, int first) {
    int end = first;
    while (end < placements.size()
        && placements.get(end).jobId() >= part.leader()
        && placements.get(end).jobId() <= part.last()) {
      end++;
    }
    return end;
  }

  /** Starts all components of a heterogeneous job, or none. */
  private static boolean startAll(DecisionBuilder draft, List<Placement> placements) {
    DecisionBuilder trial = draft.trial();
    StartLimits limits = StartLimits.of(trial.state(), trial.now());
    for (Placement placement : placements) {
      if (!startIfFit(trial, placement, limits)) {
        return false;
      }
    }
    Job one = trial.state().job(placements.getFirst().jobId());
    boolean all =
        one != null
            && trial.state().records(one.baseId()).stream()
                .allMatch(j -> j.state() instanceof JobState.Running);
    if (all) {
      draft.take(trial);
    }
    return all;
  }

  private static boolean startIfFit(
      DecisionBuilder draft, Placement placement, @Nullable StartLimits limits) {
    boolean fits =
        mayStart(draft.state(), placement, draft)
            && PlacementRecheck.objection(draft.state(), placement, draft.now()) == null
            && (limits == null || isWithin(limits, draft.state(), placement));
    if (fits) {
      start(draft, placement);
    }
    return fits;
  }

  /** Whether limits let it start; then it counts for those behind it. */
  private static boolean isWithin(StartLimits limits, ClusterState state, Placement placement) {
    Job job = state.pending().require(placement.jobId());
    PartitionConfig partition = state.partition(placement.allocation().partition());
    if (partition == null) {
      return false;
    }
    JobDemand demand = JobDemand.of(placement.asRun(job), partition, placement.allocation());
    if (limits.reason(demand) != null) {
      return false;
    }
    limits.started(demand);
    return true;
  }

  private static boolean mayStart(ClusterState state, Placement placement, DecisionBuilder draft) {
    Job job = state.pending().get(placement.jobId());
    PartitionConfig partition = state.partition(placement.allocation().partition());
    if (job == null
        || partition == null
        || !partition.state().starts()
        || !(job.state() instanceof JobState.Pending pending)
        || pending.hold() != Hold.NONE
        || !pending.waitingFor().isEmpty()
        || JobReadiness.notBefore(job).isAfter(draft.now())) {
      return false;
    }
    Integer index = placement.taskIndex();
    if (!(job.array() instanceof ArrayPart.Waiting waiting)) {
      return index == null;
    }
    return index != null
        && waiting.waiting().contains(index)
        && DependencyResolver.taskMayStart(state, job, index)
        && (waiting.throttle() == 0 || runningTasks(state, job.id()) < waiting.throttle());
  }

  /** Tasks of the array that hold resources. */
  static int runningTasks(ClusterState state, int arrayJobId) {
    int running = 0;
    for (int id : state.arrayTasks(arrayJobId).values()) {
      if (state.active().contains(id)) {
        running++;
      }
    }
    return running;
  }

  private static void start(DecisionBuilder draft, Placement placement) {
    Integer index = placement.taskIndex();
    Job job =
        index == null
            ? draft.state().pending().require(placement.jobId())
            : TaskSplits.split(draft, placement.jobId(), index);
    if (placement.limit() != null) {
      job = placement.asRun(job);
      draft.emit(new Event.JobUpdated(job.id(), job.spec(), job.priority(), null));
    }
    JobRebootRules.starts(draft, job.spec(), placement.allocation());
    boolean prolog = !draft.state().settings().scripts().prologSlurmctld().isEmpty();
    boolean off = RunReconciliation.waitsForNodes(draft.state(), placement.allocation());
    boolean configuring = prolog || off;
    Allocation licensed =
        ReservedNodes.licensed(draft.state(), job.spec(), placement.allocation(), draft.now());
    Allocation its =
        BatchNode.chosen(licensed, job.spec().resources(), name -> config(draft.state(), name));
    draft.emit(
        new Event.JobStarted(
            job.id(),
            job.run() + 1,
            its,
            draft.now(),
            RunEndTime.of(draft.state(), job.spec(), placement.allocation(), draft.now()),
            configuring,
            draft.state().settings().steps().contains()));
    if (off) {
      // Its prolog runs, and its script starts, once all of its nodes have called.
      return;
    }
    if (prolog) {
      draft.effect(new Effect.RunProlog(job.id(), job.run() + 1));
    } else if (job.runsScript()) {
      draft.effect(new Effect.Launch(its.batchHost(), job.id(), job.run() + 1));
    } else {
      StepCreationRules.allocated(draft, job.id());
    }
  }

  private static @Nullable NodeConfig config(ClusterState state, String name) {
    NodeRecord node = state.node(name);
    return node == null ? null : node.config();
  }
}
