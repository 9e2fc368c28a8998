package io.dure.cluster;

import io.dure.model.command.RunReport;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares what a node says it runs with what should run there. */
public final class RunReconciliation {
  private RunReconciliation() {}

  /**
   * A run in which the two differ.
   *
   * @param jobId job
   * @param run run number of the launch
   * @param missing true if the node should know it and does not, false if it should have ended it,
   *     or suspended it, or let it go on
   */
  public record RunMismatch(int jobId, int run, boolean missing)
      implements Comparable<RunMismatch> {
    @Override
    public int compareTo(RunMismatch other) {
      int byJob = Integer.compare(jobId, other.jobId);
      int byRun = byJob != 0 ? byJob : Integer.compare(run, other.run);
      return byRun != 0 ? byRun : Boolean.compare(missing, other.missing);
    }
  }

  /**
   * The differences between the state and all runs that the node lists. Any thread.
   *
   * <p>Messages under way make differences that pass by themselves; ended runs are not among them,
   * for a node repeats such news until it is told to forget.
   */
  public static Set<RunMismatch> doubts(ClusterState state, String node, List<RunReport> listed) {
    Set<RunMismatch> doubts = new TreeSet<>();
    Set<RunMismatch> known = new TreeSet<>();
    for (RunReport report : listed) {
      known.add(new RunMismatch(report.jobId(), report.run(), true));
      if (report.end() == null && !report.ending() && !isAsWanted(state, node, report)) {
        doubts.add(new RunMismatch(report.jobId(), report.run(), false));
      }
    }
    stepDoubts(state, node, listed, doubts);
    NodeRecord record = state.node(node);
    if (record != null) {
      for (int jobId : record.shares().keys()) {
        Job job = state.active().get(jobId);
        if (job != null && isAwaited(state, job, node)) {
          RunMismatch doubt = new RunMismatch(jobId, job.run(), true);
          if (!known.contains(doubt)) {
            doubts.add(doubt);
          }
        }
      }
    }
    return doubts;
  }

  /** Runs of which a numbered step should not be there. */
  private static void stepDoubts(
      ClusterState state, String node, List<RunReport> listed, Set<RunMismatch> doubts) {
    NodeRecord record = state.node(node);
    for (int jobId : record == null ? List.<Integer>of() : record.shares().keys()) {
      Job job = state.active().get(jobId);
      if (job != null && job.state() instanceof JobState.Running) {
        if (!strayed(job, reportOf(listed, job), node).isEmpty()) {
          doubts.add(new RunMismatch(jobId, job.run(), false));
        }
      }
    }
  }

  /** What the node lists of the run that a job is in now, null for nothing. */
  public static @Nullable RunReport reportOf(List<RunReport> listed, Job job) {
    for (RunReport report : listed) {
      if (report.jobId() == job.id() && report.run() == job.run()) {
        return report;
      }
    }
    return null;
  }

  /** Steps that live on the node and should not. */
  public static List<Integer> strayed(Job job, @Nullable RunReport report, String node) {
    List<Integer> strayed = new ArrayList<>();
    List<Integer> there = report == null ? null : report.steps();
    for (int number : there == null ? List.<Integer>of() : there) {
      LaunchedStep step = job.runSteps().step(number);
      if (step == null || !step.nodesLeft().contains(node)) {
        strayed.add(number);
      }
    }
    return strayed;
  }

  /** Whether the run may be there, and moves or stands still as it should. */
  private static boolean isAsWanted(ClusterState state, String node, RunReport report) {
    Job job = state.active().get(report.jobId());
    Allocation held = job == null ? null : job.state().allocated();
    return job != null
        && job.run() == report.run()
        && held != null
        && held.shareOn(node) != null
        && switch (job.state()) {
          case JobState.Running _ -> !report.suspended();
          case JobState.Suspended _ -> report.suspended();
          case JobState.Pending _, JobState.Completing _, JobState.Ended _ -> false;
        };
  }

  /** Whether the node must have the run, or has still to say that it is clean. */
  static boolean isAwaited(ClusterState state, Job job, String node) {
    return switch (job.state()) {
      case JobState.Running _ -> job.hasScriptOn(node) && !waitsForProlog(state, job);
      case JobState.Suspended _ -> job.hasScriptOn(node);
      case JobState.Completing completing -> completing.nodesLeft().contains(node);
      case JobState.Pending _, JobState.Ended _ -> false;
    };
  }

  /** Whether PrologSlurmctld runs for the job, or for another component of it. */
  public static boolean waitsForProlog(ClusterState state, Job job) {
    List<Job> all = job.het() == null ? List.of(job) : state.records(job.baseId());
    return all.stream().anyMatch(j -> j.state() instanceof JobState.Running r && r.configuring());
  }

  /** Whether a node of an allocation is off, or not there yet. */
  public static boolean waitsForNodes(ClusterState state, Allocation allocation) {
    return allocation.nodes().stream()
        .map(state::node)
        .anyMatch(node -> node != null && node.condition().isOff());
  }
}
