package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.cluster.decide.job.StepCreationRules;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.command.StepEnd;
import io.dure.model.command.StepPartEnds;
import io.dure.model.job.Job;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What node daemons tell of numbered steps. */
public final class StepPartRules {
  private StepPartRules() {}

  /** A node tells that a step has ended there. */
  public static Reply partEnded(DecisionBuilder draft, String node, Command.StepPartEnded news) {
    draft.effect(new Effect.ForgetStep(node, news.jobId(), news.run(), news.step()));
    ended(
        draft,
        new Target(news.jobId(), news.run(), news.step()),
        List.of(new NodesEnd(List.of(node), news.end())));
    return draft.done();
  }

  /** A node tells how a step has ended on nodes that report to it. */
  public static Reply partsEnded(DecisionBuilder draft, String node, Command.StepPartsEnded news) {
    List<NodesEnd> ends = new ArrayList<>();
    try {
      for (StepPartEnds part : news.parts()) {
        ends.add(new NodesEnd(HostList.expand(part.nodes()), part.end()));
      }
    } catch (HostListException e) {
      return draft.refuse(ErrorCode.INVALID_NODE_NAME, String.valueOf(e.getMessage()));
    }
    draft.effect(
        new Effect.ConfirmStepParts(node, news.jobId(), news.run(), news.step(), news.batch()));
    ended(draft, new Target(news.jobId(), news.run(), news.step()), ends);
    return draft.done();
  }

  private record Target(int jobId, int run, int step) {}

  private record NodesEnd(List<String> nodes, StepEnd end) {}

  private static void ended(DecisionBuilder draft, Target target, List<NodesEnd> ends) {
    for (NodesEnd end : ends) {
      StepReportRules.drainFor(draft, end.nodes(), end.end());
    }
    Job job = draft.state().active().get(target.jobId());
    LaunchedStep step =
        job == null || job.run() != target.run() ? null : job.runSteps().step(target.step());
    if (job == null || step == null) {
      return;
    }
    Set<String> left = new LinkedHashSet<>(step.nodesLeft());
    ExitStatus worst = step.exit();
    boolean outOfMemory = false;
    for (NodesEnd end : ends) {
      List<String> news = end.nodes().stream().filter(left::remove).toList();
      if (!news.isEmpty()) {
        ExitStatus exit = exit(end.end());
        worst = LaunchedStep.worse(worst, exit);
        outOfMemory |= end.end() instanceof StepEnd.Ran(_, boolean killed) && killed;
        draft.emit(
            new Event.StepPartEnded(
                job.id(), job.run(), step.number(), HostList.compressInOrder(news), exit));
      }
    }
    Job after = draft.state().active().require(job.id());
    if (left.isEmpty() && step.number() == 0 && endsWithStep(after)) {
      finish(draft, after, worst, outOfMemory);
    }
  }

  /** A job of several components ends with the last of their steps. */
  private static void finish(DecisionBuilder draft, Job job, ExitStatus exit, boolean outOfMemory) {
    Job leader = job;
    ExitStatus worst = exit;
    for (Job part : job.het() == null ? List.<Job>of() : draft.state().records(job.baseId())) {
      if (part.runSteps().step(0) != null) {
        return;
      }
      leader = part.id() == job.baseId() ? part : leader;
      ExitStatus first = part.runSteps().first();
      worst = first == null ? worst : LaunchedStep.worse(worst, first);
    }
    StepCreationRules.finish(draft, leader, worst, outOfMemory);
  }

  private static boolean endsWithStep(Job job) {
    return job.workload() instanceof Workload.InteractiveAllocation interactive
        && interactive.step() != null;
  }

  private static ExitStatus exit(StepEnd end) {
    return switch (end) {
      case StepEnd.Ran(ExitStatus status, boolean outOfMemory) ->
          outOfMemory ? StepReportRules.OUT_OF_MEMORY : status;
      case StepEnd.NotStarted _, StepEnd.PrologFailed _, StepEnd.NodeFault _ ->
          StepReportRules.NOT_STARTED;
      case StepEnd.Lost _ -> RunEndRules.NODE_FAILED;
    };
  }
}
