package io.dure.model.accounting.usage;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How usage fades. Each second takes the same part away, so what a span of time makes of usage and
 * of a steady rate is known without looking at the span's parts.
 *
 * @param perSecond natural logarithm of what a second leaves, 0 or below; 0 for all
 */
public record UsageDecay(double perSecond) {
  /** Usage stays as it is. */
  public static final UsageDecay NONE = new UsageDecay(0);

  /** Most that usage can be; it grows no further. */
  static final double MOST = 1e300;

  private static final double LN2 = 0.693;

  /** The decay by a half-life; null for none. Slurm's: 0.693 over the half-life each second. */
  public static UsageDecay of(@Nullable Duration halfLife) {
    long seconds = halfLife == null ? 0 : halfLife.toSeconds();
    return seconds <= 0 ? NONE : new UsageDecay(StrictMath.log1p(-LN2 / Math.max(seconds, 1)));
  }

  /** Seconds from one time to another; none if the clock went back. */
  static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis() / 1000.0);
  }

  /** What is left of usage after so many seconds. */
  double left(double usage, double seconds) {
    return perSecond == 0 ? usage : usage * StrictMath.exp(perSecond * seconds);
  }

  /** What a steady use of one in a second has come to after so many seconds. */
  double grown(double seconds) {
    return perSecond == 0 ? seconds : StrictMath.expm1(perSecond * seconds) / perSecond;
  }
}
