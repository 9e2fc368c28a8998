package io.dure.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits until something is so, and no longer.
 *
 * <p>A test that waits a fixed time is slow on a fast machine and wrong on a slow one. This class
 * looks again and again (first after 1 ms, then less often, at most 50 ms apart) and gives up at a
 * deadline, saying what it waited for, how long, and what it saw last.
 *
 * <pre>{@code
 * Await.atMost(Duration.ofSeconds(20)).until("job 7 is running", () -> queue().contains("R"));
 * JobRecord job = Await.atMost(limit).value("job 7", () -> find(7), found -> found.state() == RUNNING);
 * Await.atMost(limit).passes("the queue is empty", () -> assertEquals(List.of(), queue()));
 * }</pre>
 *
 * <p>An exception or a failed assertion inside a condition counts as "not yet"; the last one
 * becomes the cause of the final failure. Immutable; any thread may call it, and the calling thread
 * is the one that evaluates the condition.
 */
public final class Await {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Duration limit;

  private Await(Duration limit) {
    this.limit = limit;
  }

  /**
   * A wait of at most this long; the condition is always evaluated at least once.
   *
   * @throws IllegalArgumentException if the limit is negative
   */
  public static Await atMost(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("a negative limit: " + limit);
    }
    return new Await(limit);
  }

  /** The same in seconds, at least 0. */
  public static Await seconds(long limitSeconds) {
    return atMost(Duration.ofSeconds(limitSeconds));
  }

  /**
   * Returns once the condition holds.
   *
   * @param what what is awaited, in words that read well after "waited for: "
   * @throws AssertionError at the deadline, or when the thread is interrupted (the interrupt stays
   *     set)
   */
  public void until(String what, Callable<Boolean> condition) {
    value(what, condition, holds -> holds);
  }

  /**
   * Returns once the block runs through without throwing.
   *
   * @throws AssertionError at the deadline, with the block's last failure as its cause
   */
  public void passes(String what, Runnable block) {
    value(
        what,
        () -> {
          block.run();
          return true;
        },
        _ -> true);
  }

  /**
   * Returns the first non-null value that is good enough.
   *
   * @throws AssertionError at the deadline, with the last value that was seen in its message
   */
  public <T> T value(
      String what, Callable<? extends @Nullable T> source, Predicate<? super T> enough) {
    long start = System.nanoTime();
    long pause = FIRST_PAUSE_NANOS;
    while (true) {
      Look<T> look = look(source, enough);
      if (look.accepted() && look.seen() != null) {
        return look.seen();
      }
      long elapsed = System.nanoTime() - start;
      if (Thread.currentThread().isInterrupted()) {
        throw failure("interrupted while waiting for: " + what, elapsed, look);
      }
      long left = limit.toNanos() - elapsed;
      if (left <= 0) {
        throw failure("waited for: " + what, elapsed, look);
      }
      LockSupport.parkNanos(Math.min(pause, left));
      pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
    }
  }

  /**
   * What one evaluation gave: a value (or none), whether it was accepted, and what was thrown
   * instead.
   */
  private record Look<T>(@Nullable T seen, boolean accepted, @Nullable Throwable thrown) {}

  // Conditions may fail in any way while the thing they look at is being made, so all of it means
  // "not yet".
  @SuppressWarnings("CatchingUnchecked")
  private static <T> Look<T> look(
      Callable<? extends @Nullable T> source, Predicate<? super T> enough) {
    T seen = null;
    try {
      seen = source.call();
      return new Look<>(seen, seen != null && enough.test(seen), null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Look<>(seen, false, e);
    } catch (Exception | AssertionError e) {
      return new Look<>(seen, false, e);
    }
  }

  private static AssertionError failure(String what, long elapsedNanos, Look<?> last) {
    StringBuilder text = new StringBuilder(what);
    text.append("; gave up after ")
        .append(TimeUnit.NANOSECONDS.toMillis(elapsedNanos))
        .append(" ms");
    if (last.thrown() == null) {
      text.append("; last seen: ").append(last.seen());
    } else {
      text.append("; last failure: ").append(last.thrown());
    }
    return new AssertionError(text.toString(), last.thrown());
  }
}
