package io.dure.controller.service;

import io.dure.host.quota.Quota;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds expensive computations, which run on the threads of their callers: a number of them at a
 * time, a number of waiting ones, and of both a share for each user. Equal requests share one
 * computation, and any number of callers may wait for it. Any thread.
 *
 * @param <K> identifies a request
 * @param <V> its result
 */
final class SingleFlight<K, V> {
  private final Limits rules;
  private final Semaphore turns;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<K, CompletableFuture<V>> begun = new HashMap<>();
  private final Quota<Integer> places;

  /**
   * How much is done at a time.
   *
   * @param atOnce computations at a time
   * @param places callers that compute or wait for their turn, in all
   * @param ofOne the same of one user
   * @param longest how long a caller waits for its turn, or for the result of another
   */
  record Limits(int atOnce, int places, int ofOne, Duration longest) {}

  SingleFlight(Limits rules) {
    this.rules = rules;
    turns = new Semaphore(rules.atOnce(), true);
    places = new Quota<>(rules.places(), rules.ofOne());
  }

  /** Whether a further computation would have to wait. */
  boolean isBusy() {
    return turns.availablePermits() == 0;
  }

  /** How many callers of a user compute or wait. */
  int placesOf(int uid) {
    return places.held(uid);
  }

  /** How many callers wait for the result of another. */
  int sharersOf(K key) {
    lock.lock();
    try {
      CompletableFuture<V> one = begun.get(key);
      return one == null ? 0 : one.getNumberOfDependents();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The result.
   *
   * @param key requests of the same key have the same result
   * @param uid the calling user
   * @return null if there is no place or no turn for it
   */
  @Nullable V answer(K key, int uid, Supplier<V> work) throws InterruptedException {
    CompletableFuture<V> own = new CompletableFuture<>();
    CompletableFuture<V> others;
    lock.lock();
    try {
      others = begun.get(key);
      if (others == null) {
        if (!places.tryAcquire(uid, 1)) {
          return null;
        }
        begun.put(key, own);
      }
    } finally {
      lock.unlock();
    }
    return others == null ? worked(key, uid, work, own) : await(others);
  }

  private @Nullable V worked(K key, int uid, Supplier<V> work, CompletableFuture<V> own)
      throws InterruptedException {
    try {
      if (!turns.tryAcquire(rules.longest().toMillis(), TimeUnit.MILLISECONDS)) {
        return null;
      }
      try {
        V made = work.get();
        own.complete(made);
        return made;
      } finally {
        turns.release();
      }
    } finally {
      leave(key, uid);
      // Without a result, waiting callers are released.
      own.cancel(false);
    }
  }

  private void leave(K key, int uid) {
    lock.lock();
    try {
      begun.remove(key);
      places.release(uid, 1);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable V await(CompletableFuture<V> others) throws InterruptedException {
    try {
      return others.get(rules.longest().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException | CancellationException e) {
      return null;
    }
  }
}
