package io.dure.twin.report;

import io.dure.model.request.JobSpec;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.TraceJobOutcome;
import io.dure.twin.trace.TraceJobRequest;
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
record JobInterval(
    long submit, long start, long end, int cpus, String user, List<JobResult.Pause> pauses) {
  private static final double SHORTEST = 10;

  /** The span of a job, null if it never ran. */
  static @Nullable JobInterval of(JobResult result) {
    return switch (result.ending()) {
      case TraceJobOutcome.Finished(Instant start, Instant end) -> of(result, start, end);
      case TraceJobOutcome.TimedOut(Instant start, Instant end) -> of(result, start, end);
      case TraceJobOutcome.Preempted(Instant start, Instant end) -> of(result, start, end);
      case TraceJobOutcome.NodeFailed(Instant start, Instant end) -> of(result, start, end);
      case TraceJobOutcome.Running _, TraceJobOutcome.Refused _, TraceJobOutcome.NeverStarted _ ->
          null;
    };
  }

  private static JobInterval of(JobResult result, Instant start, Instant end) {
    Instant from = result.job().submit();
    if (result.job().demand() instanceof TraceJobRequest.SbatchRequest(JobSpec spec)
        && spec.beginTime() != null
        && spec.beginTime().isAfter(from)) {
      from = spec.beginTime();
    }
    return new JobInterval(
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
