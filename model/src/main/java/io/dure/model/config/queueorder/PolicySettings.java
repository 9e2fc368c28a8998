package io.dure.model.config.queueorder;

import java.time.Duration;

/**
 * The numbers of Dure's own order: the parameters of {@code SchedulerParameters} that begin with
 * {@code dure_}. What each is for, and why it is what it is, is in docs/decisions/0023.
 *
 * @param interval how often the order is worked out again
 * @param promises how many jobs of a partition are promised a start
 * @param width how much the width of a job counts in its size: the exponent, in percent
 * @param patience how much a wait makes up for size: the exponent, in percent
 * @param backlogShare what part of the longest backlog is a long wait, percent
 * @param leastBound what is no long wait in any case
 * @param mostBound what is a long wait in any case
 * @param newBound the same in a cluster that has just begun
 * @param newFor how long a cluster is new; the bound falls all that time
 * @param promiseShare from what part of a long wait on the one that has waited longest in a
 *     partition is promised a start wherever it stands, percent
 * @param bands into how many bands accounts are divided; 1 for none
 * @param urgency what a long wait makes up for: size in percent of a doubling
 * @param urgentFrom from what part of a long wait on a wait makes up for size, percent
 * @param overdueAt after what part of a long wait a job comes before all others, percent
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
    int bands,
    int urgency,
    int urgentFrom,
    int overdueAt) {
  public PolicySettings {
    // Earlier journals do not have it; then a long wait itself came before all others.
    overdueAt = overdueAt == 0 ? 100 : overdueAt;
  }

  /** What holds where nothing is said. */
  public static final PolicySettings USUAL =
      new PolicySettings(
          Duration.ofSeconds(60),
          1,
          45,
          15,
          60,
          Duration.ofHours(1),
          Duration.ofHours(58),
          Duration.ofHours(1000),
          Duration.ofDays(18),
          30,
          5,
          450,
          35,
          190);
}
