package io.dure.model.command;

/**
 * A launch that a connected node has not reported for so long that it will not begin any more.
 *
 * @param jobId job
 * @param run run number of the launch
 * @param step number of the step, {@link #SCRIPT} for the batch script
 */
public record LateLaunch(int jobId, int run, int step) implements Comparable<LateLaunch> {
  /** What stands for the batch script, which has no number. */
  public static final int SCRIPT = -1;

  @Override
  public int compareTo(LateLaunch other) {
    int byJob = Integer.compare(jobId, other.jobId);
    int byRun = byJob != 0 ? byJob : Integer.compare(run, other.run);
    return byRun != 0 ? byRun : Integer.compare(step, other.step);
  }
}
