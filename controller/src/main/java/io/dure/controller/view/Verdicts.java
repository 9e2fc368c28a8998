package io.dure.controller.view;

import io.dure.core.collection.IntMap;
import io.dure.core.scheduler.Verdict;
import java.time.Instant;

/**
 * What the scheduler's last pass found out.
 *
 * @param byJob verdicts by job id
 * @param at when it looked
 */
public record Verdicts(IntMap<Verdict> byJob, Instant at) {
  /** Before the first pass. */
  public static final Verdicts NONE = new Verdicts(IntMap.empty(), Instant.EPOCH);
}
