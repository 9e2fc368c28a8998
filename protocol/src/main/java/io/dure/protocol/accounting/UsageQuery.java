package io.dure.protocol.accounting;

import java.time.Instant;
import java.util.List;

/**
 * What is asked of recorded use.
 *
 * @param from begin of the time; that of its hour counts
 * @param until its end, outside; that of its hour counts
 * @param part what is asked for
 * @param tres resources by Slurm's names, empty for all
 * @param jobs which jobs count, for {@link Part#JOB_SIZES}; its times do not matter
 */
public record UsageQuery(
    Instant from, Instant until, Part part, List<String> tres, JobHistoryQuery jobs) {

  /** A part of a report. */
  public enum Part {
    /** What each user used from each account. */
    OWNERS,
    /** What became of all that the cluster had. */
    CLUSTER,
    /** How large jobs were, and how much they used. */
    JOB_SIZES,
    /** What reservations had, and their jobs used. */
    RESERVATIONS
  }
}
