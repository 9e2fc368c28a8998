package io.dure.cluster;

import io.dure.model.command.LateLaunch;
import io.dure.model.command.RunReport;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Since when a node has not reported what it should have launched, counted on one connection by a
 * clock that nobody sets: the time of day may jump by hours. One thread.
 */
public final class LateLaunches {
  /** Two lists of a node come between the first and the second launch of a script. */
  private static final Duration SECOND_LAUNCH = Duration.ofSeconds(10);

  private TreeMap<LateLaunch, Long> missing = new TreeMap<>();

  /** What one look has found. */
  private final class Look {
    final TreeMap<LateLaunch, Long> missing = new TreeMap<>();
    final List<LateLaunch> late = new ArrayList<>();
    final long nanos;

    Look(long nanos) {
      this.nanos = nanos;
    }

    void misses(LateLaunch launch, Duration patience) {
      long since = LateLaunches.this.missing.getOrDefault(launch, nanos);
      missing.put(launch, since);
      if (nanos - since >= patience.toNanos()) {
        late.add(launch);
      }
    }
  }

  /** Of a node that has just registered. */
  public LateLaunches() {}

  /**
   * Takes all runs that the node lists.
   *
   * @param nanos a monotonic time in nanoseconds, of any origin
   * @return the launches that are late, again with each list until the state has their end
   */
  public List<LateLaunch> heard(
      ClusterState state, String node, List<RunReport> listed, long nanos) {
    Look look = new Look(nanos);
    NodeRecord record = state.node(node);
    for (int jobId : record == null ? List.<Integer>of() : record.shares().keys()) {
      Job job = state.active().get(jobId);
      if (job != null) {
        script(state, node, job, listed, look);
        steps(node, job, RunReconciliation.reportOf(listed, job), look);
      }
    }
    missing = look.missing;
    return look.late;
  }

  private static void script(
      ClusterState state, String node, Job job, List<RunReport> listed, Look look) {
    // It may list the run that came before, which has to be over first.
    boolean known = listed.stream().anyMatch(r -> r.jobId() == job.id() && r.run() >= job.run());
    if (!known
        && job.state().runningOrSuspended() != null
        && RunReconciliation.isAwaited(state, job, node)) {
      Duration patience = state.settings().jobs().batchStartTimeout().plus(SECOND_LAUNCH);
      look.misses(new LateLaunch(job.id(), job.run(), LateLaunch.SCRIPT), patience);
    }
  }

  private static void steps(String node, Job job, @Nullable RunReport report, Look look) {
    if (!(job.state() instanceof JobState.Running)) {
      return;
    }
    for (LaunchedStep step : job.runSteps().live()) {
      if (step.nodesLeft().contains(node) && (report == null || !report.has(step.number()))) {
        look.misses(new LateLaunch(job.id(), job.run(), step.number()), LaunchedStep.LAUNCH_TIME);
      }
    }
  }
}
