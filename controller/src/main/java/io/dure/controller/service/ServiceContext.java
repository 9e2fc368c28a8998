package io.dure.controller.service;

import io.dure.controller.loop.StateLoop;
import io.dure.controller.view.Verdicts;
import io.dure.core.controller.ClusterState;
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
    Supplier<Verdicts> latestVerdicts,
    CallerDirectory callers,
    InstantSource clock) {

  /** The newest durable state. */
  ClusterState state() {
    return loop.published();
  }

  /** What the last scheduling pass found. */
  Verdicts verdicts() {
    return latestVerdicts.get();
  }

  Instant now() {
    return clock.instant();
  }
}
