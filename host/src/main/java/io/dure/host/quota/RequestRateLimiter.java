package io.dure.host.quota;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds how often each user may ask: a bucket that fills at a steady rate. Generous, for it is
 * there to stop loops gone wild, not people. Any thread.
 */
public final class RequestRateLimiter {
  private final double perSecond;
  private final double burst;
  private final Map<Integer, Bucket> buckets = new ConcurrentHashMap<>();

  private record Bucket(double tokens, Instant at, boolean taken) {}

  /**
   * A limit for each user.
   *
   * @param perSecond requests a second in the long run, above 0
   * @param burst requests at once after a quiet time, at least 1
   */
  public RequestRateLimiter(double perSecond, double burst) {
    this.perSecond = perSecond;
    this.burst = burst;
  }

  /** Counts a request; false if the user asks too often. */
  public boolean take(int uid, Instant now) {
    Bucket after =
        buckets.compute(
            uid,
            (_, before) -> {
              if (before == null) {
                return new Bucket(burst - 1, now, true);
              }
              double elapsed = Duration.between(before.at(), now).toNanos() / 1e9;
              double tokens = Math.min(burst, before.tokens() + Math.max(0, elapsed) * perSecond);
              return tokens >= 1
                  ? new Bucket(tokens - 1, now, true)
                  : new Bucket(tokens, now, false);
            });
    return after != null && after.taken();
  }
}
