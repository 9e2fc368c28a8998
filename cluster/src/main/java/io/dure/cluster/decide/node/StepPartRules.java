package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.decide.job.StepKillRules;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.command.StepEnd;
import io.dure.model.command.StepPartEnds;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What node daemons tell of numbered steps. */
public final class StepPartRules {
  private StepPartRules() {}

  /** A node tells that a step has ended there. */
  public static Reply partEnded(DecisionBuilder draft, String node, Command.StepPartEnded news) {
    draft.effect(new Effect.ForgetStep(node, news.jobId(), news.run(), news.step()));
    ended(
        draft,
        node,
        new Target(news.jobId(), news.run(), news.step()),
        List.of(new NodesEnd(List.of(node), news.end())),
        news.end().consumption());
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
    ended(draft, node, new Target(news.jobId(), news.run(), news.step()), ends, news.used());
    return draft.done();
  }

  private record Target(int jobId, int run, int step) {}

  private record NodesEnd(List<String> nodes, StepEnd end) {}

  /**
   * Of itself a node is believed. Of others it tells what has been collected below it, which it can
   * only of a step that it has a part in; and only what no node has told yet is heard.
   */
  private static void ended(
      DecisionBuilder draft,
      String from,
      Target target,
      List<NodesEnd> ends,
      @Nullable StepConsumption used) {
    for (NodesEnd end : ends) {
      if (end.nodes().contains(from)) {
        StepReportRules.drainFor(draft, List.of(from), end.end());
      }
    }
    Job job = draft.state().job(target.jobId());
    if (job == null || job.run() != target.run()) {
      return;
    }
    LaunchedStep step = job.runSteps().step(target.step());
    if (step != null && step.indexOf(from) >= 0) {
      live(draft, job, step, News.of(step.nodesLeft(), ends, used));
    } else if (step == null && had(job, from)) {
      late(draft, job, target.step(), News.of(job.runSteps().unheardOf(target.step()), ends, used));
    }
  }

  /** Whether the node is one of those that the run has, or had when it ended. */
  private static boolean had(Job job, String node) {
    Allocation allocation =
        job.state() instanceof JobState.Ended ended ? ended.allocation() : job.state().allocated();
    return allocation != null && allocation.shareOn(node) != null;
  }

  /** What had not been told before. */
  private record News(List<NodesEnd> ends, @Nullable StepConsumption used) {
    static News of(List<String> awaited, List<NodesEnd> told, @Nullable StepConsumption used) {
      Set<String> left = new LinkedHashSet<>(awaited);
      List<NodesEnd> news = new ArrayList<>();
      int all = 0;
      for (NodesEnd end : told) {
        all += end.nodes().size();
        List<String> nodes = end.nodes().stream().filter(left::remove).toList();
        if (!nodes.isEmpty()) {
          news.add(new NodesEnd(nodes, end.end()));
        }
      }
      // What some had told before is in the sum; how much of it, the sum does not say.
      int heard = awaited.size() - left.size();
      return new News(news, used == null || heard == 0 ? null : used.scaled(heard, all));
    }
  }

  private static void live(DecisionBuilder draft, Job job, LaunchedStep step, News news) {
    StepConsumption share = news.used();
    ExitStatus worst = step.exit();
    for (NodesEnd end : news.ends()) {
      StepReportRules.drainFor(draft, end.nodes(), end.end());
      ExitStatus exit = StepReportRules.exit(end.end());
      worst = LaunchedStep.worse(worst, exit);
      draft.emit(
          new Event.StepPartEnded(
              job.id(),
              job.run(),
              step.number(),
              HostList.compressInOrder(end.nodes()),
              exit,
              draft.now(),
              share));
      share = null;
    }
    Job after = draft.state().active().require(job.id());
    LaunchedStep rest = after.runSteps().step(step.number());
    if (rest != null && worst.equals(StepKillRules.OUT_OF_MEMORY) && kills(draft)) {
      StepKillRules.cancel(draft, after, rest);
    } else if (rest == null) {
      StepKillRules.over(draft, after, step.number(), worst);
    }
  }

  /** Whether a step that has more memory than it asked for is killed, which is on all nodes. */
  private static boolean kills(DecisionBuilder draft) {
    return draft.state().settings().steps().memory().kills();
  }

  /** The run was declared over before. */
  private static void late(DecisionBuilder draft, Job job, int step, News news) {
    StepConsumption share = news.used();
    for (NodesEnd end : news.ends()) {
      StepReportRules.drainFor(draft, end.nodes(), end.end());
      draft.emit(
          new Event.StepExitKnown(
              job.id(),
              job.run(),
              step,
              HostList.compressInOrder(end.nodes()),
              StepReportRules.exit(end.end()),
              draft.now(),
              share));
      share = null;
    }
  }
}
