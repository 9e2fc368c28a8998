package io.dure.core.scheduler;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a pending job record does not start now.
 *
 * @param reason the pending reason as Slurm spells it
 * @param expectedStart when it is expected to start, null where that is not known
 * @param plannedNodes the nodes it is then expected to get, in node order; empty where not known
 */
public record Verdict(String reason, @Nullable Instant expectedStart, List<String> plannedNodes) {

  /** A verdict that foresees nothing. */
  public static Verdict of(String reason) {
    return new Verdict(reason, null, List.of());
  }
}
