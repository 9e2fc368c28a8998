package io.dure.journal;

import java.time.Duration;

/**
 * How the journal uses memory and disk.
 *
 * @param segmentBytes size in bytes in which disk space is taken ahead, 4 KiB to 1 GiB
 * @param queueBytes bytes that may wait for the disk before {@link Journal#accepting} says no, at
 *     least 1
 * @param retryDelay pause between attempts while the disk refuses, above zero
 */
public record JournalSettings(int segmentBytes, long queueBytes, Duration retryDelay) {
  private static final int MIB = 1024 * 1024;

  /** Checks the ranges. */
  public JournalSettings {
    if (segmentBytes < 4096 || segmentBytes > 1024 * MIB) {
      throw new IllegalArgumentException("segmentBytes " + segmentBytes);
    }
    if (queueBytes < 1) {
      throw new IllegalArgumentException("queueBytes " + queueBytes);
    }
    if (!retryDelay.isPositive()) {
      throw new IllegalArgumentException("retryDelay " + retryDelay);
    }
  }

  /** Segments of 64 MiB, 64 MiB in the queue, one attempt a second. */
  public static JournalSettings defaults() {
    return new JournalSettings(64 * MIB, 64L * MIB, Duration.ofSeconds(1));
  }
}
