package io.dure.agent;

import io.dure.host.quota.Quota;
import java.time.Duration;

/**
 * How the heap is shared among the calls. What is counted is what a command makes of its bytes, not
 * the bytes alone: strings, copies, the request to the controller.
 *
 * @param calls for words and environments, until the call ends
 * @param input for what commands read of their callers
 * @param outputs for listings that several get
 * @param rows for the jobs of a long listing, until it is out
 */
record MemoryBudget(
    Quota<Integer> calls, Quota<Integer> input, Quota<Integer> outputs, Quota<Integer> rows) {
  /** What every call has without asking. */
  static final int SMALL = 16 << 10;

  /** The most that a command may read of its caller. */
  static final int MOST_INPUT = 8 << 20;

  private static final int BYTES_FOR_ONE = 4;
  private static final int BYTES_FOR_A_STRING = 160;
  private static final int BYTES_FOR_A_ROW = 200;
  private static final int MIDDLING = 256 << 10;
  private static final int USERS = 4;

  /** The budget of a process with that much heap. */
  static MemoryBudget of(long heap) {
    long longest = ofInput(MOST_INPUT);
    return new MemoryBudget(
        new Quota<>(heap / 6, heap / 6 / USERS),
        new Quota<>(Math.max(heap / 4, longest), Math.max(heap / 4 / USERS, longest)),
        new Quota<>(heap / 16, heap / 16 / USERS),
        new Quota<>(heap / 4, heap / 4 / USERS));
  }

  /**
   * Acquires bytes of a quota, waiting for them if need be.
   *
   * @return false if they were not free in time
   * @throws CallerDisconnectedException if the thread is interrupted
   */
  static boolean await(Quota<Integer> quota, int uid, long bytes, Duration longest) {
    try {
      return quota.acquire(uid, bytes, longest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallerDisconnectedException();
    }
  }

  /** What a listing of so many jobs takes; one always has room. */
  long ofRows(int jobs) {
    return Math.min(BYTES_FOR_A_ROW * (long) jobs, rows.share());
  }

  /** What a call of so many bytes and strings takes, none if it is small. */
  static long ofCall(long bytes, long strings) {
    long all = BYTES_FOR_ONE * bytes + BYTES_FOR_A_STRING * strings;
    return all <= BYTES_FOR_ONE * SMALL ? 0 : all;
  }

  /**
   * What a command takes that reads so many bytes. There are three sizes, so that none waits for
   * more while it holds much.
   */
  static long ofInput(long bytes) {
    if (bytes <= SMALL) {
      return 0;
    }
    return BYTES_FOR_ONE * (long) (bytes <= MIDDLING ? MIDDLING : MOST_INPUT);
  }

  /** What is left of that when all has been read. */
  static long ofRead(long bytes) {
    return bytes <= SMALL ? 0 : Math.min(ofInput(bytes), BYTES_FOR_ONE * bytes);
  }
}
