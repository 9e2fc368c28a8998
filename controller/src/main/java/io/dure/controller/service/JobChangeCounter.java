package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.view.PendingVerdicts;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts how often the jobs have come to look different, so that watching clients wait instead of
 * asking again and again. A node that reports or a scheduling pass that finds what the last one
 * found changes nothing. Any thread may wait; {@link #published} and {@link #judged} are each
 * called by one thread at a time, once others see what they tell.
 */
public final class JobChangeCounter {
  private static final int TURNS_A_MILLISECOND_BITS = 16;

  private final AtomicReference<Turn> turn;
  private volatile boolean closed;
  private ClusterState state;
  private PendingVerdicts verdicts = PendingVerdicts.NONE;

  /** What is so until the next change. */
  private record Turn(long version, CompletableFuture<Void> over) {}

  /**
   * Before anything has changed.
   *
   * @param boot when the controller started: versions of an earlier one are others
   */
  public JobChangeCounter(ClusterState first, Instant boot) {
    state = first;
    turn = new AtomicReference<>(turn(boot.toEpochMilli() << TURNS_A_MILLISECOND_BITS));
  }

  private static Turn turn(long version) {
    return new Turn(version, new CompletableFuture<>());
  }

  /** A new state is visible. Does not block. */
  public void published(ClusterState next) {
    ClusterState before = state;
    state = next;
    if (differs(before, next)) {
      change();
    }
  }

  @SuppressWarnings("ReferenceEquality") // states share what did not change, and comparing is slow
  private static boolean differs(ClusterState before, ClusterState next) {
    return before.pending() != next.pending()
        || before.active() != next.active()
        || before.ended() != next.ended()
        || before.partitions() != next.partitions()
        || before.settings() != next.settings();
  }

  /** The scheduler's last pass is visible. Does not block. */
  public void judged(PendingVerdicts next) {
    PendingVerdicts before = verdicts;
    verdicts = next;
    if (differs(before, next)) {
      change();
    }
  }

  @SuppressWarnings("ReferenceEquality") // forecasts that say the same are the same object
  private static boolean differs(PendingVerdicts before, PendingVerdicts next) {
    if (before.forecasts() != next.forecasts()) {
      return true;
    }
    if (before.byJob().size() != next.byJob().size()) {
      return true;
    }
    boolean[] found = new boolean[1];
    before
        .byJob()
        .forEachDifference(
            next.byJob(),
            id -> {
              var one = before.byJob().get(id);
              found[0] = found[0] || one == null || !one.equals(next.byJob().get(id));
            });
    return found[0];
  }

  /** Releases all waiting callers as if something had changed. Any thread; does not block. */
  public void close() {
    closed = true;
    change();
  }

  private void change() {
    turn.getAndUpdate(now -> turn(now.version() + 1)).over().complete(null);
  }

  /**
   * Waits until the version is another one than that.
   *
   * @param longest how long to wait
   * @return the version now, the same if nothing has changed within that time or before {@link
   *     #close}
   */
  public long await(long seen, Duration longest) throws InterruptedException {
    Turn now = turn.get();
    if (now.version() == seen && longest.isPositive() && !closed) {
      try {
        now.over().get(longest.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return seen;
      } catch (ExecutionException e) {
        throw new IllegalStateException("waiting never fails", e);
      }
      now = turn.get();
    }
    return now.version();
  }
}
