package io.dure.simulator.twin;

import io.dure.core.scheduler.Scheduler;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The cluster's own scheduler, told how to overtake. */
public final class Engines {
  private Engines() {}

  /** Why a policy cannot be replayed yet, null if it can. */
  public static @Nullable String refusal(Policy policy) {
    return switch (policy.backfill()) {
      case NONE, EASY -> null;
      case SJBF, CONSERVATIVE ->
          "--backfill "
              + policy.backfill().name().toLowerCase(Locale.ROOT)
              + " is not supported by this version of Dure yet";
    };
  }

  /**
   * A scheduler for one replay.
   *
   * @throws UnsupportedOperationException if {@link #refusal} has something to say
   */
  static Engine of(Policy policy) {
    String refusal = refusal(policy);
    if (refusal != null) {
      throw new UnsupportedOperationException(refusal);
    }
    return Scheduler::schedule;
  }
}
