package io.dure.host.lua;

import java.util.concurrent.TimeUnit;

/** When a call is over, with all that it waits for and loads. */
record Deadline(long atNanos) {
  static Deadline in(int seconds) {
    return new Deadline(System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
  }

  long leftNanos() {
    return Math.max(0, atNanos - System.nanoTime());
  }
}
