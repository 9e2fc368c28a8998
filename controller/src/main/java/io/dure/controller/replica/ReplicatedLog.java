package io.dure.controller.replica;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A log of batches of records that the controllers of a group keep together. Any thread. */
public interface ReplicatedLog extends AutoCloseable {

  /**
   * Appends records that are kept together or not at all, behind all earlier ones. Only between
   * {@link Replica#elected} and {@link Replica#deposed}. The arrays must not change afterwards.
   *
   * @param records at most 64 MiB together; none to learn when all earlier ones are kept
   * @return completes with the place of the batch once a majority has it on disk, on the log's
   *     thread and in the order of the calls: do not block there. Completes with {@link
   *     NotKeptException} if this member does not lead or ceased to; whether the records are kept
   *     is then unknown, and {@link Replica#committed} tells
   */
  CompletableFuture<Long> append(List<byte[]> records);

  /** How often this member has been elected: the number of its present or latest reign. */
  long reign();

  /**
   * The same for the reign of that number alone: whoever led before and does not know yet that it
   * is over appends nothing to the next.
   *
   * @param done hears of the end before anything else can happen on the log's thread: with null
   *     once it is kept
   */
  void append(long reign, List<byte[]> records, Consumer<@Nullable Throwable> done);

  /** Whether there is room for the next batch; false while the disks are too far behind. */
  boolean accepting();

  /** How the group fares as this member knows it. */
  GroupStatus status();

  /**
   * Says which hosts are to keep the log from now on; the leader takes members in and out one by
   * one until it is so. A host that is new, or whose disk is blank, learns the log first and votes
   * when it has caught up.
   */
  void configure(List<String> hosts);

  /**
   * Hands leadership to that host if this member leads.
   *
   * @return completes once another leads, or with what is in the way; this member is deposed first,
   *     and elected again if it does not come to it
   */
  CompletableFuture<Void> handOver(String host);

  /** Ends; what was not kept by then fails. The other members go on. */
  @Override
  void close();
}
