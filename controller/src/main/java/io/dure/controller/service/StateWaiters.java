package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Callers that wait for a state in which something holds. Any thread. */
public final class StateWaiters {
  private final Set<Waiter<?>> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private record Waiter<T>(
      Function<ClusterState, @Nullable T> answer, CompletableFuture<@Nullable T> done) {
    /** Whether the wait is over. */
    boolean check(ClusterState state) {
      try {
        T found = answer.apply(state);
        if (found != null) {
          done.complete(found);
        }
      } catch (RuntimeException e) {
        // The caller that asks hears of it; the thread that owns the state goes on.
        done.completeExceptionally(e);
      }
      return done.isDone();
    }
  }

  /**
   * Waits for an answer.
   *
   * @param answer what a state answers, null to wait for the next one; called by the thread that
   *     owns the state, so it must be quick
   * @param state gives the newest state
   * @param longest how long to wait
   * @return null if there was none within that time, or before {@link #close}
   */
  <T> @Nullable T await(
      Function<ClusterState, @Nullable T> answer, Supplier<ClusterState> state, Duration longest)
      throws InterruptedException {
    Waiter<T> waiter = new Waiter<>(answer, new CompletableFuture<>());
    waiting.add(waiter);
    try {
      // The state is looked at after joining, so that no change is missed between the two.
      waiter.check(state.get());
      if (closed) {
        return null;
      }
      return waiter.done().get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request that waits has failed: " + e.getCause(), e);
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
    waiting.removeIf(waiter -> waiter.check(state));
  }
}
