package io.dure.cli.fairshare;

import io.dure.model.accounting.usage.UsageDecay;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;

/**
 * What was used on a day, and how much of it counts now.
 *
 * @param day the day
 * @param cpuSeconds CPUs by seconds
 * @param weight the part that is left of a use that was even over the day, 0 to 1
 */
record DayUse(LocalDate day, long cpuSeconds, double weight) {
  /**
   * How much is left now of a use that was even between two times.
   *
   * @param until not after {@code now}
   */
  static double weight(UsageDecay decay, Instant from, Instant until, Instant now) {
    double least = seconds(until, now);
    double most = seconds(from, now);
    double rate = decay.perSecond();
    if (rate == 0) {
      return 1;
    }
    return most <= least
        ? StrictMath.exp(rate * least)
        : (StrictMath.exp(rate * most) - StrictMath.exp(rate * least)) / (rate * (most - least));
  }

  private static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis() / 1000.0);
  }

  /** What of it counts. */
  double counted() {
    return cpuSeconds * weight;
  }
}
