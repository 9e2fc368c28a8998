package io.dure.agent;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What calls may take of the heap for one purpose, beside the little that each always has. A user
 * who has taken all of his share is in nobody else's way. Any thread.
 */
final class Memory {
  private final long share;
  private final Map<Integer, Long> taken = new HashMap<>();
  private long free;

  /**
   * So many bytes.
   *
   * @param all for everybody together
   * @param share for one user
   */
  Memory(long all, long share) {
    this.free = all;
    this.share = share;
  }

  /** Takes bytes for a user; false if there are not so many now. */
  synchronized boolean take(int uid, long bytes) {
    long own = taken.getOrDefault(uid, 0L) + bytes;
    if (own > share || bytes > free) {
      return false;
    }
    free -= bytes;
    taken.put(uid, own);
    return true;
  }

  /** The same, after a while if need be. */
  synchronized boolean await(int uid, long bytes, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (!take(uid, bytes)) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0 || bytes > share) {
          return false;
        }
        wait(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallerGoneException();
    }
  }

  /** The most that one user can take. */
  long share() {
    return share;
  }

  /** Gives back what was taken. */
  synchronized void giveBack(int uid, long bytes) {
    free += bytes;
    taken.computeIfPresent(uid, (_, own) -> own == bytes ? null : own - bytes);
    notifyAll();
  }
}
