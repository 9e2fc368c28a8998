package io.dure.protocol.accounting;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which lines of a cluster's history are asked for.
 *
 * @param part what they are of
 * @param from begin of the time
 * @param until its end, outside; null for now
 */
public record ClusterHistoryQuery(Part part, Instant from, @Nullable Instant until) {

  /** What lines are of. */
  public enum Part {
    /** What the cluster had, and nodes that took no jobs. */
    EVENTS,
    /** Changes of the accounts. */
    TRANSACTIONS,
    /** Reservations. */
    RESERVATIONS
  }
}
