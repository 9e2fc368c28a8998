package io.dure.agent;

import io.dure.host.quota.Quota;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What a listing prints, kept while it is small enough, so that other calls for the same may have
 * it too. One thread writes and ends it, any may wait for it.
 */
final class SharedListingOutput extends OutputStream {
  private static final int MOST_BYTES = 4 << 20;

  private static final int FIRST_BYTES = 8 << 10;

  private final OutputStream direct;
  private final Quota<Integer> memory;
  private final int uid;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger holders = new AtomicInteger(1);
  private long taken;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;
  private boolean streaming;
  private volatile @Nullable Result result;

  /** What a command printed, and its exit code. */
  static final class Result {
    private final byte[] bytes;
    private final int length;
    private final int code;

    private Result(byte[] bytes, int length, int code) {
      this.bytes = bytes;
      this.length = length;
      this.code = code;
    }

    int code() {
      return code;
    }

    void writeTo(OutputStream output) throws IOException {
      output.write(bytes, 0, length);
    }
  }

  /**
   * An output.
   *
   * @param direct where it goes at once when it becomes too long to be shared
   * @param memory charged for what is kept, for the user, until it is held no more
   */
  SharedListingOutput(OutputStream direct, Quota<Integer> memory, int uid) {
    this.direct = direct;
    this.memory = memory;
    this.uid = uid;
  }

  @Override
  public void write(int letter) throws IOException {
    write(new byte[] {(byte) letter}, 0, 1);
  }

  @Override
  public void write(byte[] from, int at, int count) throws IOException {
    if (!streaming && !hasRoom(length + count)) {
      byte[] before = bytes;
      int kept = length;
      // The reader of this one may be slow: waiting calls make their own listing first.
      keepForOneself();
      direct.write(before, 0, kept);
    }
    if (streaming) {
      direct.write(from, at, count);
      return;
    }
    System.arraycopy(from, at, bytes, length, count);
    length += count;
  }

  /** Sees to room for so many bytes in all; false if there is none. */
  private boolean hasRoom(int all) {
    if (all <= bytes.length) {
      return true;
    }
    int size = Math.min(MOST_BYTES, Math.max(all, 2 * bytes.length));
    long more = size - (taken == 0 ? 0L : bytes.length);
    if (all > MOST_BYTES || (size > MemoryBudget.SMALL && !memory.tryAcquire(uid, more))) {
      return false;
    }
    taken += size > MemoryBudget.SMALL ? more : 0;
    bytes = Arrays.copyOf(bytes, size);
    return true;
  }

  /** One more waits for it or reads it. Only while it is held. */
  void hold() {
    holders.incrementAndGet();
  }

  /** One less. */
  void letGo() {
    if (holders.decrementAndGet() == 0) {
      memory.release(uid, taken);
      taken = 0;
    }
  }

  /** Not shared any more: waiting calls make their own. What was printed is lost. */
  void keepForOneself() {
    streaming = true;
    length = 0;
    bytes = new byte[0];
    ended.countDown();
  }

  /**
   * The command is over. Writes what has not been written.
   *
   * @param shared whether others may have it
   */
  void end(int code, boolean shared) throws IOException {
    if (streaming) {
      return;
    }
    if (shared) {
      result = new Result(bytes, length, code);
    }
    ended.countDown();
    direct.write(bytes, 0, length);
  }

  /**
   * Waits for the end; null if it cannot be shared.
   *
   * @throws CallerDisconnectedException if the thread is interrupted meanwhile
   */
  @Nullable Result await() {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallerDisconnectedException();
    }
    return result;
  }
}
