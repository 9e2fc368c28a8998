package io.dure.twin.result;

import io.dure.model.request.JobSpec;
import io.dure.twin.trace.TraceJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job of a trace and what became of it.
 *
 * @param job the job
 * @param cpus CPUs it held at last, 0 if it never started
 * @param ending what became of it
 * @param pauses when its last run stood still, in order
 * @param gpus GPUs it held at last, 0 if it never started
 * @param taken what it asked for when it was taken, charged to an account; null if it was not
 */
public record JobResult(
    TraceJob job,
    int cpus,
    TraceJobOutcome ending,
    List<Pause> pauses,
    long gpus,
    @Nullable JobSpec taken) {
  public JobResult {
    pauses = List.copyOf(pauses);
  }

  /** A job that never stood still. */
  public JobResult(TraceJob job, int cpus, TraceJobOutcome ending) {
    this(job, cpus, ending, List.of(), 0, null);
  }

  /**
   * A time in which a job stood still for another.
   *
   * @param from its first second, since 1970
   * @param to the second in which it went on, or ended
   */
  public record Pause(long from, long to) {}
}
