package io.dure.twin.policy;

/**
 * The order of the queue, as a number for each job: the larger comes first, equal ones as they were
 * submitted. A score is turned into a number without loss, so that no tie is made and none broken.
 */
public enum QueueOrderPolicy {
  /** First come, first served. */
  FCFS,
  /** The shortest first. */
  SJF,
  /** The smallest product of time and processors first. */
  SAF,
  /**
   * {@code log10(r) n + 870 log10(s)}, the smallest first: F1 of Carastan-Santos and de Camargo
   * (SC'17), with r the time, n the processors, s the submission's second.
   */
  F1,
  /** {@code r sqrt(n) + 530000 log10(s)}, the smallest first: F4 of the same. */
  F4,
  /** {@code (wait / r)^3 n}, the largest first: WFP3 of Tang and others (2009). */
  WFP3,
  /** Slurm's priority of many factors, with the weights of the configuration. */
  MULTIFACTOR,
  /** Dure's own: bands of accounts, in them by size, with a bound on the wait. */
  DURE;

  /** Before all others. */
  static final long FIRST = Long.MAX_VALUE;

  private static final double F1_SUBMIT = 870;
  private static final double F4_SUBMIT = 5.3e5;

  /** What an order may look at. */
  record JobTraits(long seconds, long processors, long submitSecond) {}

  /** Whether a job's number changes while it waits. */
  boolean changes() {
    return this == WFP3;
  }

  /** The job's number, more than 0 and less than {@link #FIRST}. */
  long number(JobTraits job, long waitedSeconds) {
    double time = (double) Math.max(1, job.seconds());
    double processors = (double) job.processors();
    double submit = Math.log10((double) Math.max(1, job.submitSecond()));
    return switch (this) {
      // The scheduler works the factors out by itself.
      case FCFS, MULTIFACTOR, DURE -> 1;
      case SJF -> smallFirst(time);
      case SAF -> smallFirst(time * processors);
      case F1 -> smallFirst(Math.log10(time) * processors + F1_SUBMIT * submit);
      case F4 -> smallFirst(time * Math.sqrt(processors) + F4_SUBMIT * submit);
      case WFP3 -> largeFirst(Math.pow(Math.max(0, waitedSeconds) / time, 3) * processors);
    };
  }

  /** Numbers that are not negative are in the same order as their bits. */
  private static long largeFirst(double score) {
    return 1 + Double.doubleToRawLongBits(score);
  }

  private static long smallFirst(double score) {
    return FIRST - 1 - Double.doubleToRawLongBits(score);
  }
}
