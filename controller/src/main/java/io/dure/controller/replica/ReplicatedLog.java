package io.dure.controller.replica;

import io.dure.controller.replica.raft.ControllerGroupStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A log of batches of records that the controllers of a group keep together. Any thread. */
public interface ReplicatedLog extends AutoCloseable {

  /** How often this member has been elected: the number of its present or latest epoch. */
  long epoch();

  /**
   * Appends records that are kept together or not at all, behind all earlier ones. Only for a epoch
   * that is not over: a former leader that does not know yet that its epoch is over appends nothing
   * to the next. The arrays must not change afterwards.
   *
   * @param records at most 64 MiB together; none to learn when all earlier ones are kept
   * @param done hears of the end on the log's thread, in the order of the calls and before anything
   *     else can happen there: with null once a majority has the records on disk, or with {@link
   *     NotCommittedException} if this member does not lead or ceased to; whether they are kept is
   *     then unknown, and {@code ReplicatedStateMachine#committed} tells. Must not block. An
   *     exception in it stops the log, as {@code ReplicatedStateMachine#stopped} is told
   */
  void append(long epoch, List<byte[]> records, Consumer<@Nullable Throwable> done);

  /**
   * For how many milliseconds the log's thread has not turned: a beat at most while it is well,
   * ever more while a disk does not answer. Does not wait for that thread, as nothing here does.
   */
  long stillMillis();

  /**
   * Ends the epoch of that number, should it last still, when the log's thread turns again; this
   * member may be elected anew.
   */
  void abandon(long epoch);

  /** Whether there is room for the next batch; false while the disks are too far behind. */
  boolean accepting();

  /** How the group fares as this member knows it. */
  ControllerGroupStatus status();

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

  /**
   * Whether another led at any time since this controller was started: then the group was there
   * before, and goes on. Any thread.
   */
  boolean followed();
}
