package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.RunReconciliation;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.cluster.decide.job.SuspendRules;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.LateLaunch;
import io.dure.model.command.Reply;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import java.util.List;
import java.util.TreeMap;

/** What a node says it runs against what should run there: what was lost on the way is repeated. */
public final class ReconcileRules {
  private ReconcileRules() {}

  /** A daemon has called, with all that it knows. */
  static void registered(DecisionBuilder draft, NodeRecord before, Command.RegisterNode command) {
    // What was given to a job while it was off has not begun there.
    boolean rebooted =
        before.facts() != null
            && !before.condition().isOff()
            && command.facts().isBootedSince(before.facts());
    reconcile(draft, before, command.runs(), rebooted, List.of());
  }

  /** On a connection that stands, the two have differed for a while. */
  public static Reply compare(DecisionBuilder draft, Command.CompareRuns command) {
    NodeRecord node = draft.state().node(command.node());
    if (node != null && node.responding()) {
      reconcile(draft, node, command.runs(), false, command.late());
    }
    return draft.done();
  }

  private static void reconcile(
      DecisionBuilder draft,
      NodeRecord node,
      List<RunReport> runs,
      boolean rebooted,
      List<LateLaunch> late) {
    // It may report an earlier run of a job beside the one that should be there.
    TreeMap<Integer, Integer> latest = new TreeMap<>();
    for (RunReport report : runs) {
      latest.merge(report.jobId(), report.run(), Math::max);
      heard(draft, node.name(), report);
    }
    for (int jobId : node.shares().keys()) {
      Job job = draft.state().active().get(jobId);
      if (job != null && latest.getOrDefault(jobId, -1) < job.run()) {
        missing(draft, node.name(), job, rebooted, late);
      }
      steps(draft, node.name(), jobId, runs, late);
    }
  }

  /** Numbered steps of a job that the node lacks for good, or has and should not. */
  private static void steps(
      DecisionBuilder draft, String name, int jobId, List<RunReport> runs, List<LateLaunch> late) {
    Job job = draft.state().active().get(jobId);
    if (job == null || !(job.state() instanceof JobState.Running)) {
      return;
    }
    RunReport report = RunReconciliation.reportOf(runs, job);
    for (int number : RunReconciliation.strayed(job, report, name)) {
      draft.effect(
          new Effect.TerminateStep(name, jobId, job.run(), number, Effect.TerminationReason.ENDED));
    }
    for (LaunchedStep step : job.runSteps().live()) {
      if (late.contains(new LateLaunch(jobId, job.run(), step.number()))
          && step.nodesLeft().contains(name)
          && (report == null || !report.has(step.number()))) {
        StepPartRules.partEnded(
            draft,
            name,
            new Command.StepPartEnded(
                jobId, job.run(), step.number(), new StepEnd.Lost("its node does not know it")));
      }
    }
  }

  private static void heard(DecisionBuilder draft, String name, RunReport report) {
    if (report.end() == null) {
      StepReportRules.launched(draft, name, report.jobId(), report.run());
      SuspendRules.settle(draft);
      if (!report.ending()) {
        SuspendRules.settle(draft, name, report);
      }
    } else {
      StepReportRules.ended(
          draft,
          name,
          new Command.StepEnded(report.jobId(), report.run(), report.end(), report.clean()));
      SuspendRules.settle(draft);
    }
  }

  /** The node does not know of a run it should have. */
  private static void missing(
      DecisionBuilder draft, String name, Job job, boolean rebooted, List<LateLaunch> late) {
    boolean isLate = late.contains(new LateLaunch(job.id(), job.run(), LateLaunch.SCRIPT));
    switch (job.state()) {
      case JobState.Running running -> {
        boolean hasStep =
            job.hasScriptOn(name) && !RunReconciliation.waitsForProlog(draft.state(), job);
        if (hasStep && !running.launched() && !rebooted && !isLate) {
          draft.effect(new Effect.Launch(name, job.id(), job.run()));
        } else if (hasStep || rebooted) {
          NodeLossRules.lost(draft, job, name);
        }
      }
      case JobState.Suspended suspended -> {
        JobState.Running run = suspended.run();
        boolean hasStep = job.hasScriptOn(name);
        if (hasStep && !run.launched() && !rebooted && !isLate) {
          draft.effect(new Effect.Launch(name, job.id(), job.run()));
          draft.effect(new Effect.Suspend(name, job.id(), job.run()));
        } else if (hasStep || rebooted) {
          NodeLossRules.lost(draft, job, name);
        }
      }
      case JobState.Completing completing -> {
        if (completing.nodesLeft().contains(name)) {
          draft.effect(
              new Effect.Terminate(name, job.id(), job.run(), RunEndRules.why(completing)));
        }
      }
      case JobState.Pending _, JobState.Ended _ -> {}
    }
  }
}
