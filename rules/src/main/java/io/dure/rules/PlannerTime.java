package io.dure.rules;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times and lengths as the planner counts them: whole seconds, with a value for without end. */
public final class PlannerTime {
  /** The end of what has no end; later than any other time. */
  public static final long NEVER = 1L << 40;

  /** The length of what has no limit: whatever begins ends after {@link #NEVER}. */
  public static final long UNLIMITED = 1L << 40 | 1;

  private PlannerTime() {}

  /** The first whole second that is not before; {@link #NEVER} for null. */
  public static long second(@Nullable Instant time) {
    if (time == null) {
      return NEVER;
    }
    long second = time.getNano() == 0 ? time.getEpochSecond() : time.getEpochSecond() + 1;
    return Math.clamp(second, 0, NEVER);
  }

  /** Whole seconds, rounded up; {@link #UNLIMITED} for null. */
  public static long seconds(@Nullable Duration length) {
    if (length == null) {
      return UNLIMITED;
    }
    long seconds = length.getNano() == 0 ? length.getSeconds() : length.getSeconds() + 1;
    return Math.clamp(seconds, 0, UNLIMITED);
  }

  /** When something that long ends; what is unlimited ends after {@link #NEVER}. */
  public static long after(long second, long seconds) {
    return seconds >= UNLIMITED ? UNLIMITED : Math.min(UNLIMITED, second + seconds);
  }

  /** The time as others write it, null for never. */
  public static @Nullable Instant instant(long second) {
    return second >= NEVER ? null : Instant.ofEpochSecond(second);
  }
}
