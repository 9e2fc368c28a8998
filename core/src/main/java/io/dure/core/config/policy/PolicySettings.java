package io.dure.core.config.policy;

import java.time.Duration;

/**
 * The numbers of Dure's own order: the parameters of {@code SchedulerParameters} that begin with
 * {@code dure_}. What each is for, and why it is what it is, is in docs/decisions/0023.
 *
 * @param interval how often the order is worked out again
 * @param promises how many jobs of a partition are promised a start
 * @param width how much the width of a job counts in its size: the exponent, in percent
 * @param patience how much a wait makes up for size: the exponent, in percent
 * @param backlogShare after what part of the longest backlog a job has waited too long, percent
 * @param leastBound what it may wait in any case
 * @param mostBound what it waits at most before it comes first
 * @param newBound the same in a cluster that has just begun
 * @param newFor how long a cluster is new; the bound falls all that time
 * @param promiseShare from what part of its bound on the one that has waited longest in a partition
 *     is promised a start wherever it stands, percent
 * @param bands into how many bands accounts are divided; 1 for none
 */
public record PolicySettings(
    Duration interval,
    int promises,
    int width,
    int patience,
    int backlogShare,
    Duration leastBound,
    Duration mostBound,
    Duration newBound,
    Duration newFor,
    int promiseShare,
    int bands) {
  /** What holds where nothing is said. */
  public static final PolicySettings USUAL =
      new PolicySettings(
          Duration.ofSeconds(60),
          1,
          45,
          15,
          60,
          Duration.ofHours(1),
          Duration.ofHours(48),
          Duration.ofDays(30),
          Duration.ofDays(14),
          30,
          5);
}
