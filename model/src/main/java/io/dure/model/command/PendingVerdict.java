package io.dure.model.command;

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
public record PendingVerdict(
    String reason, @Nullable Instant expectedStart, List<String> plannedNodes) {

  /** A verdict that foresees nothing. */
  public static PendingVerdict of(String reason) {
    return new PendingVerdict(reason, null, List.of());
  }
}
