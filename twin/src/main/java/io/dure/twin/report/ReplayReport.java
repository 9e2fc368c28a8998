package io.dure.twin.report;

import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.result.TraceJobOutcome;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is told of one replay, or of the replays of several windows together.
 *
 * @param trace the trace's name
 * @param policy how it was replayed
 * @param window which of the jobs, null for all, or for several windows together
 * @param counts what became of the jobs
 * @param interruptions what befell them while they ran
 * @param boundedSlowdown of the jobs that ran
 * @param waitSeconds of the jobs that ran
 * @param utilization part of the machine's time in use from the first submission to the last end, 0
 *     to 1
 * @param wall how long the replay took
 * @param digest equal for equal schedules
 * @param windows the windows one by one; empty where there is one or none
 * @param forecastError how far forecasts were off, null where none were asked for
 * @param reserved whether jobs that waited beyond their bounds started by the times that were
 *     reserved for them
 */
@RecordBuilder
public record ReplayReport(
    String trace,
    ReplayPolicy policy,
    @Nullable TraceWindow window,
    Counts counts,
    ReplayResult.Interruptions interruptions,
    DistributionSummary boundedSlowdown,
    DistributionSummary waitSeconds,
    double utilization,
    Duration wall,
    String digest,
    List<ReplayReport> windows,
    @Nullable ForecastError forecastError,
    ReplayResult.ReservedStarts reserved)
    implements ReplayReportBuilder.With {
  public ReplayReport {
    windows = List.copyOf(windows);
  }

  /**
   * What became of the jobs: each is in one of these.
   *
   * @param finished ran to their ends, or to that of the replay
   * @param timedOut were ended by their limits
   * @param nodeFailed were lost with a node and may not run again
   * @param preempted made room for others and may not run again
   * @param refused were refused at their submission, by what was said
   * @param neverStarted waited for ever, by the reason
   */
  public record Counts(
      int finished,
      int timedOut,
      int nodeFailed,
      int preempted,
      Map<String, Integer> refused,
      Map<String, Integer> neverStarted) {

    /** All of them. */
    public int jobs() {
      return finished + timedOut + nodeFailed + preempted + sum(refused) + sum(neverStarted);
    }

    /** Those that did not run. */
    public int notRun() {
      return sum(refused) + sum(neverStarted);
    }

    private static int sum(Map<String, Integer> counts) {
      int sum = 0;
      for (int count : counts.values()) {
        sum += count;
      }
      return sum;
    }

    private static Counts of(List<JobResult> results) {
      int finished = 0;
      int timedOut = 0;
      int nodeFailed = 0;
      int preempted = 0;
      Map<String, Integer> refused = new TreeMap<>();
      Map<String, Integer> never = new TreeMap<>();
      for (JobResult result : results) {
        switch (result.ending()) {
          case TraceJobOutcome.Finished _, TraceJobOutcome.Running _ -> finished++;
          case TraceJobOutcome.TimedOut _ -> timedOut++;
          case TraceJobOutcome.NodeFailed _ -> nodeFailed++;
          case TraceJobOutcome.Preempted _ -> preempted++;
          case TraceJobOutcome.Refused(String why) -> refused.merge(why, 1, Integer::sum);
          case TraceJobOutcome.NeverStarted(String reason) -> never.merge(reason, 1, Integer::sum);
        }
      }
      return new Counts(finished, timedOut, nodeFailed, preempted, refused, never);
    }

    private static Counts sumOf(List<ReplayReport> several) {
      int finished = 0;
      int timedOut = 0;
      int nodeFailed = 0;
      int preempted = 0;
      Map<String, Integer> refused = new TreeMap<>();
      Map<String, Integer> never = new TreeMap<>();
      for (ReplayReport one : several) {
        finished += one.counts.finished;
        timedOut += one.counts.timedOut;
        nodeFailed += one.counts.nodeFailed;
        preempted += one.counts.preempted;
        one.counts.refused.forEach((why, count) -> refused.merge(why, count, Integer::sum));
        one.counts.neverStarted.forEach((why, count) -> never.merge(why, count, Integer::sum));
      }
      return new Counts(finished, timedOut, nodeFailed, preempted, refused, never);
    }
  }

  /** The report of one replay. */
  public static ReplayReport of(
      String trace,
      ReplayPolicy policy,
      @Nullable TraceWindow window,
      ReplayResult schedule,
      Duration wall) {
    List<JobInterval> spans = spans(schedule);
    return new ReplayReport(
        trace,
        policy,
        window,
        Counts.of(schedule.results()),
        schedule.interruptions(),
        DistributionSummary.of(spans.stream().mapToDouble(JobInterval::boundedSlowdown).toArray()),
        DistributionSummary.of(spans.stream().mapToDouble(JobInterval::waitSeconds).toArray()),
        utilization(spans, schedule.cpus()),
        wall,
        schedule.digest(),
        List.of(),
        null,
        schedule.reserved());
  }

  static List<JobInterval> spans(ReplayResult schedule) {
    List<JobInterval> spans = new ArrayList<>(schedule.results().size());
    for (JobResult result : schedule.results()) {
      JobInterval span = JobInterval.of(result);
      if (span != null) {
        spans.add(span);
      }
    }
    return spans;
  }

  private static double utilization(List<JobInterval> spans, int cpus) {
    double used = 0;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (JobInterval span : spans) {
      used += span.runSeconds() * span.cpus();
      first = Math.min(first, span.submit());
      last = Math.max(last, span.end());
    }
    return last <= first ? 0 : used / ((double) (last - first) * cpus);
  }

  /** The report of several windows of one trace under one policy. */
  public static ReplayReport together(List<ReplayReport> windows) {
    ReplayReport first = windows.getFirst();
    double utilization = 0;
    Duration wall = Duration.ZERO;
    ReplayResult.Interruptions interruptions = ReplayResult.Interruptions.NONE;
    StringBuilder digests = new StringBuilder();
    ForecastError errors = null;
    for (ReplayReport one : windows) {
      utilization += one.utilization / windows.size();
      wall = wall.plus(one.wall);
      interruptions = interruptions.plus(one.interruptions);
      digests.append(one.digest);
      ForecastError its = one.forecastError;
      errors = errors == null || its == null ? its : errors.plus(its);
    }
    return new ReplayReport(
        first.trace,
        first.policy,
        null,
        Counts.sumOf(windows),
        interruptions,
        DistributionSummary.meanOf(windows.stream().map(ReplayReport::boundedSlowdown).toList()),
        DistributionSummary.meanOf(windows.stream().map(ReplayReport::waitSeconds).toList()),
        utilization,
        wall,
        sha256(digests.toString()),
        windows,
        errors,
        windows.stream()
            .map(ReplayReport::reserved)
            .reduce(ReplayResult.ReservedStarts.NONE, ReplayResult.ReservedStarts::plus));
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Jobs of the trace for each second that the replay took. */
  public double jobsPerSecond() {
    return counts.jobs() / Math.max(1e-9, seconds(wall));
  }

  /** How long the replay took, in seconds. */
  public double wallSeconds() {
    return seconds(wall);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
