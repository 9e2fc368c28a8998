package io.dure.journal.segment;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Records that are kept together or not at all.
 *
 * @param records payloads, perhaps none: then it only waits for those before it
 * @param first sequence of the first of them
 * @param bytes what they take in a segment
 * @param done completed with the last sequence once durable
 */
public record AppendBatch(
    List<byte[]> records, long first, long bytes, CompletableFuture<Long> done) {
  /** Sequence of the last record; that before {@code first} if there are none. */
  public long last() {
    return first + records.size() - 1;
  }
}
