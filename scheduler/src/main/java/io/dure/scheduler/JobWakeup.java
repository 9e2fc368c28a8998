package io.dure.scheduler;

/** A job that has to be looked at again by itself, and in which second. */
record JobWakeup(long second, int jobId) implements Comparable<JobWakeup> {
  @Override
  public int compareTo(JobWakeup other) {
    int order = Long.compare(second, other.second);
    return order == 0 ? Integer.compare(jobId, other.jobId) : order;
  }
}
