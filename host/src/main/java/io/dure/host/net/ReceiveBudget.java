package io.dure.host.net;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How much memory the large payloads that are being received or dealt with may take together. A
 * payload has its share from the moment its length is known until the next one of its connection is
 * asked for. Any thread.
 */
public final class ReceiveBudget {
  private static final int KIB = 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Semaphore free;

  /**
   * A budget.
   *
   * @param bytes at least the longest payload that is received under it
   */
  public ReceiveBudget(long bytes) {
    free = new Semaphore(Math.clamp(bytes / KIB, 1, Integer.MAX_VALUE), true);
  }

  /**
   * Waits some seconds for a share.
   *
   * @return what to give back
   * @throws FrameException if there is none by then
   */
  int take(int bytes) throws IOException {
    int share = bytes / KIB + 1;
    try {
      if (free.tryAcquire(share, PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        return share;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new FrameException("too many large requests at once");
  }

  void giveBack(int share) {
    free.release(share);
  }
}
