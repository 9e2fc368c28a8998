package io.dure.controller.server;

import io.dure.host.net.Connection;
import io.dure.host.quota.Quota;
import java.io.IOException;
import java.time.Duration;

/**
 * How much of the controller the requests of one user may occupy at a time. Any thread.
 *
 * @param memoryKib requests that are being received and answered, in KiB; short ones are not
 *     counted, their number is bounded by that of connections
 * @param responses responses that are being sent
 */
public record RequestQuotas(Quota<Integer> memoryKib, Quota<Integer> responses) {
  private static final int KIB = 1 << 10;
  private static final int SHORT = 16 << 10;
  private static final int SHARES = 4;
  private static final int RESPONSES_AT_ONCE = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * The quotas of a controller.
   *
   * @param memoryBytes for all requests together; at least four times the longest
   */
  public static RequestQuotas of(long memoryBytes) {
    long kib = memoryBytes / KIB;
    return new RequestQuotas(
        new Quota<>(kib, kib / SHARES), new Quota<>(Integer.MAX_VALUE, RESPONSES_AT_ONCE));
  }

  /** The memory that one request takes until it is answered. One thread. */
  static final class Claim implements Connection.PayloadQuota, AutoCloseable {
    private final Quota<Integer> memoryKib;
    private final int uid;
    private final Duration transfer;
    private int claimedKib;

    /** For the next request of that user, which may take so long to be received. */
    Claim(RequestQuotas quotas, int uid, Duration transfer) {
      this.memoryKib = quotas.memoryKib();
      this.uid = uid;
      this.transfer = transfer;
    }

    @Override
    public Duration admit(int length) throws IOException {
      if (length > SHORT) {
        try {
          if (!memoryKib.acquire(uid, length / KIB, PATIENCE)) {
            throw new IOException("too many large requests at once");
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("the daemon is stopping", e);
        }
        claimedKib = length / KIB;
      }
      return transfer;
    }

    @Override
    public void close() {
      memoryKib.release(uid, claimedKib);
    }
  }
}
