package io.dure.controller.replica.raft;

import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Time, chance and the one thread of a member; a simulation has its own. */
public interface RaftExecutor {
  /** Has the log's thread do it, after what it was given before. Any thread. */
  void next(Runnable task);

  /** The same, after so many milliseconds. */
  void later(Runnable task, long millis);

  /** Has another thread do it. */
  void beside(Runnable task);

  /** A time that only rises, in milliseconds. */
  long millis();

  /** Chance. */
  Random random();

  /** Waits for what the log's thread will complete. Another thread. */
  void await(CompletableFuture<?> done);
}
