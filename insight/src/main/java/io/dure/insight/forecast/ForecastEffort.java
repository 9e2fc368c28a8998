package io.dure.insight.forecast;

import java.time.Duration;

/**
 * How much is imagined for forecasts.
 *
 * @param futures how many futures, a prime number of at least 5
 * @param horizon how far each goes
 * @param passes how often the scheduler is asked in each at most
 * @param coarseness see {@link io.dure.virtual.VirtualClusterOptions}
 */
public record ForecastEffort(int futures, Duration horizon, int passes, double coarseness) {
  private static final Duration YEAR = Duration.ofDays(365);

  /** What is usual for one job, or a short queue. */
  public static final ForecastEffort USUAL = new ForecastEffort(23, YEAR, 50_000, 0.01);

  /** For a queue of that many: the longer it is, the fewer futures it is followed through. */
  public static ForecastEffort of(int jobs) {
    if (jobs <= 300) {
      return USUAL;
    }
    return jobs <= 3000
        ? new ForecastEffort(11, YEAR, 20_000, 0.02)
        : new ForecastEffort(7, YEAR, 10_000, 0.03);
  }
}
