package io.dure.controller.replica;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A batch in the log, as one and the same object from its proposal until it is kept. */
final class Proposal {
  private final List<byte[]> records;
  private final @Nullable CompletableFuture<Long> kept;
  private final long bytes;

  /**
   * A batch.
   *
   * @param kept of the member that appended it, null on others
   */
  Proposal(List<byte[]> records, @Nullable CompletableFuture<Long> kept) {
    this.records = List.copyOf(records);
    this.kept = kept;
    long size = 0;
    for (byte[] record : records) {
      size += record.length;
    }
    bytes = size;
  }

  List<byte[]> records() {
    return records;
  }

  @Nullable CompletableFuture<Long> kept() {
    return kept;
  }

  /** Whether its appender still waits for it. */
  boolean isAwaited() {
    return kept != null && !kept.isDone();
  }

  long bytes() {
    return bytes;
  }
}
