package io.dure.cluster;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a state comes from.
 *
 * @param events how many events have led to it, since the cluster's first
 * @param created when the cluster was first configured, null before that: it tells it from others
 *     of its name
 */
public record StateOrigin(long events, @Nullable Instant created) {
  /** That of a state before all events. */
  static final StateOrigin NOTHING = new StateOrigin(0, null);

  /** By which books tell it from others of its name, null before it was first configured. */
  public @Nullable String name() {
    return created == null ? null : created.toString();
  }

  StateOrigin next() {
    return new StateOrigin(events + 1, created);
  }

  StateOrigin configured(Instant at) {
    return created == null ? new StateOrigin(events, at) : this;
  }
}
