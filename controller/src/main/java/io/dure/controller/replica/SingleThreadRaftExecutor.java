package io.dure.controller.replica;

import io.dure.controller.replica.raft.RaftExecutor;
import java.security.SecureRandom;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The log's thread of a real controller. */
final class SingleThreadRaftExecutor implements RaftExecutor, AutoCloseable {
  /** MicroRaft takes 0 for a time long ago. */
  private static final long EPOCH = 1_000_000;

  private final ScheduledThreadPoolExecutor thread;
  private final long started = System.nanoTime();
  private final Bug bug;
  private final Random random = new SecureRandom();

  /** Receives uncaught exceptions. */
  interface Bug {
    /** On the log's thread. */
    void met(Throwable cause);
  }

  SingleThreadRaftExecutor(Bug bug) {
    this.bug = bug;
    thread =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().name("replica").daemon().unstarted(task));
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void next(Runnable task) {
    try {
      thread.execute(guarded(task));
    } catch (RejectedExecutionException e) {
      // the log is closed
    }
  }

  @Override
  public void later(Runnable task, long millis) {
    try {
      var _ = thread.schedule(guarded(task), millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // the log is closed
    }
  }

  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        bug.met(e);
      }
    };
  }

  @Override
  public void beside(Runnable task) {
    Thread.ofVirtual().name("snapshot").start(guarded(task));
  }

  @Override
  public long millis() {
    return EPOCH + (System.nanoTime() - started) / 1_000_000;
  }

  @Override
  public Random random() {
    return random;
  }

  @Override
  public void await(CompletableFuture<?> done) {
    try {
      done.get(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // ends anyhow
    }
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
