package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.model.ExitStatus;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Callers that wait for a job to be over. Any thread. */
public final class JobEndWaiters {
  private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private record Waiter(int jobId, CompletableFuture<@Nullable ExitStatus> done) {}

  /**
   * Waits until the job, or every task of the array, is over or forgotten.
   *
   * @param state gives the newest state
   * @param longest how long to wait
   * @return how it ended, null if it has not within that time, or before {@link #close}
   */
  @Nullable ExitStatus await(int jobId, Supplier<ClusterState> state, Duration longest)
      throws InterruptedException {
    Waiter waiter = new Waiter(jobId, new CompletableFuture<>());
    waiting.add(waiter);
    try {
      // The state is looked at after joining, so that no change is missed between the two.
      check(waiter, state.get());
      if (closed) {
        return null;
      }
      return waiter.done().get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("waiting never fails", e);
    } finally {
      waiting.remove(waiter);
    }
  }

  /** Releases all waiting callers without an answer. Any thread; does not block. */
  public void close() {
    closed = true;
    waiting.forEach(waiter -> waiter.done().complete(null));
  }

  /** How many wait now. */
  int count() {
    return waiting.size();
  }

  /** A new state is visible. Does not block. */
  public void published(ClusterState state) {
    for (Waiter waiter : waiting) {
      check(waiter, state);
    }
  }

  private void check(Waiter waiter, ClusterState state) {
    ExitStatus exit = exitOf(state, waiter.jobId());
    if (exit != null || waiter.done().isDone()) {
      waiting.remove(waiter);
      waiter.done().complete(exit == null ? ExitStatus.OK : exit);
    }
  }

  private static @Nullable ExitStatus exitOf(ClusterState state, int jobId) {
    List<Job> records = state.records(jobId);
    int code = 0;
    int signal = 0;
    for (Job job : records) {
      if (!(job.state() instanceof JobState.Ended ended)) {
        return null;
      }
      code = Math.max(code, ended.outcome().exit().code());
      signal = Math.max(signal, ended.outcome().exit().signal());
    }
    return new ExitStatus(code, signal);
  }
}
