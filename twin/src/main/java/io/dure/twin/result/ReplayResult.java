package io.dure.twin.result;

import java.util.List;

/**
 * What came of a replay.
 *
 * @param results one for each job, in the order of the trace
 * @param cpus the machine's CPUs
 * @param digest SHA-256 of all starts and suspensions in their order, with time, job and what it
 *     was given; equal schedules have equal digests
 * @param interruptions what befell jobs while they ran
 * @param reserved whether jobs started by the times that were reserved for them
 */
public record ReplayResult(
    List<JobResult> results,
    int cpus,
    String digest,
    Interruptions interruptions,
    ReservedStarts reserved) {
  public ReplayResult {
    results = List.copyOf(results);
  }

  /** One in which no job was disturbed. */
  public ReplayResult(List<JobResult> results, int cpus, String digest) {
    this(results, cpus, digest, Interruptions.NONE, ReservedStarts.NONE);
  }

  /**
   * Of jobs that waited beyond their bounds: whether they started by the time that was reserved.
   *
   * @param jobs how many had a start reserved
   * @param late how many of them started later although nothing went wrong: a bug
   * @param disturbed how many started later because a run exceeded its limit or a node failed
   */
  public record ReservedStarts(int jobs, int late, int disturbed) {
    /** Nothing was reserved. */
    public static final ReservedStarts NONE = new ReservedStarts(0, 0, 0);

    /** Of both. */
    public ReservedStarts plus(ReservedStarts other) {
      return new ReservedStarts(jobs + other.jobs, late + other.late, disturbed + other.disturbed);
    }
  }

  /**
   * How often something befell jobs while they ran.
   *
   * @param jobs how many jobs made room at least once
   * @param cancelled how often one ended for good to make room
   * @param requeued how often one went back into the queue to make room
   * @param suspended how often one stood still to make room
   * @param lost how often one went back into the queue because a node was lost
   * @param lowered how often one was given less time than its limit ({@code --time-min})
   * @param madeRoom the work of those that ended or went back to make room
   * @param struck the work of those that lost a node
   */
  public record Interruptions(
      int jobs,
      int cancelled,
      int requeued,
      int suspended,
      int lost,
      int lowered,
      ComputeTime madeRoom,
      ComputeTime struck) {
    /** Nothing. */
    public static final Interruptions NONE =
        new Interruptions(0, 0, 0, 0, 0, 0, ComputeTime.NONE, ComputeTime.NONE);

    /** Of both. */
    public Interruptions plus(Interruptions other) {
      return new Interruptions(
          jobs + other.jobs,
          cancelled + other.cancelled,
          requeued + other.requeued,
          suspended + other.suspended,
          lost + other.lost,
          lowered + other.lowered,
          madeRoom.plus(other.madeRoom),
          struck.plus(other.struck));
    }
  }

  /**
   * What runs had done, pauses left out.
   *
   * @param cpuSeconds seconds of a CPU
   * @param gpuSeconds seconds of a GPU
   */
  public record ComputeTime(long cpuSeconds, long gpuSeconds) {
    /** Nothing. */
    public static final ComputeTime NONE = new ComputeTime(0, 0);

    /** Both. */
    public ComputeTime plus(ComputeTime other) {
      return new ComputeTime(cpuSeconds + other.cpuSeconds, gpuSeconds + other.gpuSeconds);
    }
  }
}
