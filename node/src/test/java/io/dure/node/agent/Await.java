package io.dure.node.agent;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition with a deadline: the alternative to a sleep of a guessed length. */
final class Await {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private Await() {}

  static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited in vain until " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
