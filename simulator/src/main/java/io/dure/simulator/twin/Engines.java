package io.dure.simulator.twin;

import io.dure.core.scheduler.Scheduler;

/** The cluster's own scheduler, told how to overtake. */
public final class Engines {
  private Engines() {}

  /**
   * A scheduler for one replay.
   *
   * @throws UnsupportedOperationException saying which policy is not built yet
   */
  public static Engine of(Policy policy) {
    return switch (policy.backfill()) {
      case NONE, EASY -> Scheduler::schedule;
      case SJBF, CONSERVATIVE ->
          throw new UnsupportedOperationException(
              "--backfill " + policy.backfill() + " is not supported by this version of Dure yet");
    };
  }
}
