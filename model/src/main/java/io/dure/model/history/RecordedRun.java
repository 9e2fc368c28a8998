package io.dure.model.history;

/**
 * How long a job ran.
 *
 * @param seconds that time, at least 1
 * @param limit its time limit in seconds, {@link #UNLIMITED} or more for none
 */
public record RecordedRun(long seconds, long limit) {
  /** The limit of a job that has none. */
  public static final long UNLIMITED = 1L << 40;

  public RecordedRun {
    seconds = Math.max(1, seconds);
  }

  /**
   * How long a job of another limit is taken to run if it is like this one. Who asks for twice as
   * much means a job that is twice as long, so the part of the limit counts; where one of both has
   * no limit, the time.
   */
  public double under(long other) {
    if (limit >= UNLIMITED || other >= UNLIMITED || limit == other) {
      return Math.min(seconds, other);
    }
    return Math.max(1, other * Math.min(1, (double) seconds / limit));
  }
}
