package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.view.PendingVerdicts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What services read and write. Any thread.
 *
 * @param loop publishes the state, and decides changes
 * @param latestVerdicts supplies what the last scheduling pass found
 * @param callers the users that requests name
 */
public record ServiceContext(
    StateLoop loop,
    Supplier<PendingVerdicts> latestVerdicts,
    CallerDirectory callers,
    InstantSource clock) {

  /** The newest durable state. */
  ClusterState state() {
    return loop.published();
  }

  /** What the last scheduling pass found. */
  PendingVerdicts verdicts() {
    return latestVerdicts.get();
  }

  Instant now() {
    return clock.instant();
  }
}
