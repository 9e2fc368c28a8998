package io.dure.model.config.queueorder;

import java.time.Duration;

/**
 * The numbers of Dure's own order: the parameters of {@code SchedulerParameters} that begin with
 * {@code dure_}. What each is for, and why it is what it is, is in docs/decisions/0023. Components
 * whose names begin with {@code former} are in earlier journals and have no effect any more.
 *
 * @param interval how often the order is worked out again
 * @param promises how many short jobs of a partition are promised a start
 * @param width how much the width of a short job counts in its size: the exponent, in percent
 * @param patience how much a wait makes up for size: the exponent, in percent
 * @param backlogShare what part of the longest backlog a job may wait before a start is reserved
 *     for it that no job behind it delays, percent
 * @param leastBound the shortest such wait
 * @param mostBound the longest such wait
 * @param bands into how many bands accounts are divided; 1 for none
 * @param shortShare which part of all work the jobs are that come first because they are short,
 *     percent
 * @param overloadShare the same while the longest backlog is beyond the longest bound, percent
 * @param wideEarlier by how much shorter than that of a narrow job the bound of a job is that asks
 *     for all CPUs, nodes or GPUs of its partition, percent
 */
public record PolicySettings(
    Duration interval,
    int promises,
    int width,
    int patience,
    int backlogShare,
    Duration leastBound,
    Duration mostBound,
    Duration formerNewBound,
    Duration formerNewFor,
    int formerPromiseShare,
    int bands,
    int formerUrgency,
    int formerUrgentFrom,
    int formerOverdueAt,
    int shortShare,
    int overloadShare,
    int wideEarlier) {

  /** What holds where nothing is said. */
  public static final PolicySettings USUAL =
      new PolicySettings(
          Duration.ofSeconds(60),
          1,
          0,
          15,
          90,
          Duration.ofHours(1),
          Duration.ofDays(7),
          Duration.ZERO,
          Duration.ZERO,
          0,
          5,
          0,
          0,
          0,
          8,
          1,
          45);
}
