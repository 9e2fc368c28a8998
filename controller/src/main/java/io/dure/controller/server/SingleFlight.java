package io.dure.controller.server;

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
 * Where answers are worked out that cost something, on the threads of those who ask: some at a
 * time, with places for a few who wait for their turn, and of these no more for one user than his
 * share. What is being worked out already is waited for, by as many as ask for it. Any thread.
 *
 * @param <K> what is asked
 * @param <V> what is answered
 */
final class SingleFlight<K, V> {
  private final Rules rules;
  private final Semaphore turns;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<K, CompletableFuture<V>> begun = new HashMap<>();
  private final Map<Integer, Integer> places = new HashMap<>();
  private int taken;

  /**
   * How much is done at a time.
   *
   * @param atOnce answers that are worked out at a time
   * @param places askers who work one out or wait for their turn, in all
   * @param ofOne the same of one user
   * @param longest how long one waits for a turn, or for what another works out
   */
  record Rules(int atOnce, int places, int ofOne, Duration longest) {}

  SingleFlight(Rules rules) {
    this.rules = rules;
    turns = new Semaphore(rules.atOnce(), true);
  }

  /** Whether nobody gets a turn at once. */
  boolean isBusy() {
    return turns.availablePermits() == 0;
  }

  /** How many places a user has taken. */
  int placesOf(int uid) {
    lock.lock();
    try {
      return places.getOrDefault(uid, 0);
    } finally {
      lock.unlock();
    }
  }

  /** How many wait for what another works out. */
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
   * The answer.
   *
   * @param key two questions of the same key have the same answer
   * @param uid who asks
   * @return null if there is no place or no turn for it
   */
  @Nullable V answer(K key, int uid, Supplier<V> work) throws InterruptedException {
    CompletableFuture<V> own = new CompletableFuture<>();
    CompletableFuture<V> others;
    lock.lock();
    try {
      others = begun.get(key);
      if (others == null) {
        int its = places.getOrDefault(uid, 0);
        if (taken >= rules.places() || its >= rules.ofOne()) {
          return null;
        }
        taken++;
        places.put(uid, its + 1);
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
      // Where nothing was made nobody need wait for it any more.
      own.cancel(false);
    }
  }

  private void leave(K key, int uid) {
    lock.lock();
    try {
      begun.remove(key);
      taken--;
      places.computeIfPresent(uid, (_, its) -> its == 1 ? null : its - 1);
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
