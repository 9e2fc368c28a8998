package io.dure.simulator.twin.report;

import io.dure.core.model.JobSpec;
import io.dure.simulator.twin.Ending;
import io.dure.simulator.twin.JobResult;
import io.dure.simulator.twin.trace.Demand;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that ran, in seconds since 1970.
 *
 * @param submit when it came, or when it wanted to begin at the earliest
 * @param start when it started at last
 * @param end when it ended
 * @param cpus what it held
 * @param user whose it was
 * @param pauses when it stood still
 */
record JobSpan(
    long submit, long start, long end, int cpus, String user, List<JobResult.Pause> pauses) {
  private static final double SHORTEST = 10;

  /** The span of a job, null if it never ran. */
  static @Nullable JobSpan of(JobResult result) {
    return switch (result.ending()) {
      case Ending.Finished(Instant start, Instant end) -> of(result, start, end);
      case Ending.TimedOut(Instant start, Instant end) -> of(result, start, end);
      case Ending.Preempted(Instant start, Instant end) -> of(result, start, end);
      case Ending.NodeFailed(Instant start, Instant end) -> of(result, start, end);
      case Ending.Running _, Ending.Refused _, Ending.NeverStarted _ -> null;
    };
  }

  private static JobSpan of(JobResult result, Instant start, Instant end) {
    Instant from = result.job().submit();
    if (result.job().demand() instanceof Demand.Submission(JobSpec spec)
        && spec.beginTime() != null
        && spec.beginTime().isAfter(from)) {
      from = spec.beginTime();
    }
    return new JobSpan(
        from.getEpochSecond(),
        start.getEpochSecond(),
        end.getEpochSecond(),
        result.cpus(),
        result.job().user(),
        result.pauses());
  }

  double waitSeconds() {
    return (double) (start - submit);
  }

  /** How long it ran; pauses do not count. */
  double runSeconds() {
    long stood = 0;
    for (JobResult.Pause pause : pauses) {
      stood += pause.to() - pause.from();
    }
    return (double) (end - start - stood);
  }

  /** How much longer it took than if it had not waited; runs of less than 10 s count as 10. */
  double boundedSlowdown() {
    return Math.max(1, (end - submit) / Math.max(runSeconds(), SHORTEST));
  }
}
