package io.dure.controller.loop;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Sees when the log's thread stands still, as it does while a disk takes a write and does not
 * answer: the other controllers elect another leader then, and a former leader must not go on
 * leading. A thread of its own, which never waits for the log's.
 */
public final class StalledLogWatchdog implements AutoCloseable {
  /** Longer than the others take to elect another, about two seconds. */
  public static final Duration LIMIT = Duration.ofSeconds(3);

  private static final Duration PERIOD = Duration.ofMillis(100);

  private final LongSupplier stillMillis;
  private final LongConsumer stuck;
  private final Consumer<Throwable> bug;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Watches nothing yet.
   *
   * @param stillMillis for how long the log's thread has not turned
   * @param stuck told each time when that is too long
   * @param bug told of what went wrong there, after which the log is not watched
   */
  public StalledLogWatchdog(LongSupplier stillMillis, LongConsumer stuck, Consumer<Throwable> bug) {
    this.stillMillis = stillMillis;
    this.stuck = stuck;
    this.bug = bug;
    thread = Thread.ofPlatform().name("log-watch").daemon().unstarted(this::run);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        long still = stillMillis.getAsLong();
        if (still > LIMIT.toMillis()) {
          stuck.accept(still);
        }
        LockSupport.parkNanos(PERIOD.toNanos());
      }
    } catch (RuntimeException | Error e) {
      bug.accept(e);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
