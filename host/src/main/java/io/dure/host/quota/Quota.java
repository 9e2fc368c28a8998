package io.dure.host.quota;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how much of a resource (connections, memory, computations) is in use at a time: in all,
 * and by each holder, so that no holder can keep the others from it. Any thread.
 *
 * @param <K> identifies a holder, such as a user's number or an address
 */
public final class Quota<K> {
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Semaphore total;
  private final int share;
  private final Set<K> exempt;
  private final Map<K, Share> shares = new ConcurrentHashMap<>();

  /** What a holder may still acquire; kept while it holds or waits for something. */
  private static final class Share {
    private final Semaphore free;

    /** Changed only while the map computes this entry. */
    private int waiting;

    Share(int share) {
      free = new Semaphore(share);
    }
  }

  /**
   * A quota of which nothing is in use. Amounts are in a unit of the caller's; above {@link
   * Integer#MAX_VALUE} they count as that.
   *
   * @param total for all holders together
   * @param share for each holder
   */
  public Quota(long total, long share) {
    this(total, share, Set.of());
  }

  /**
   * The same with holders that are not limited, and use up nothing.
   *
   * @param exempt these holders
   */
  public Quota(long total, long share, Set<K> exempt) {
    this.total = new Semaphore((int) Math.min(Integer.MAX_VALUE, total));
    this.share = (int) Math.min(Integer.MAX_VALUE, share);
    this.exempt = exempt;
  }

  /** The most that one holder can have. */
  public int share() {
    return share;
  }

  /** How much a holder has. */
  public int held(K holder) {
    Share own = shares.get(holder);
    return own == null ? 0 : share - own.free.availablePermits();
  }

  /** Acquires an amount if it is free; false if the holder's share or the total is used up. */
  public boolean tryAcquire(K holder, long amount) {
    if (exempt.contains(holder)) {
      return true;
    }
    if (amount > share || !total.tryAcquire((int) amount)) {
      return false;
    }
    boolean[] granted = new boolean[1];
    shares.compute(
        holder,
        (_, known) -> {
          Share own = known == null ? new Share(share) : known;
          granted[0] = own.free.tryAcquire((int) amount);
          return used(own);
        });
    if (!granted[0]) {
      total.release((int) amount);
    }
    return granted[0];
  }

  /**
   * Acquires an amount, waiting as long as it takes until it is free.
   *
   * @throws IllegalArgumentException if it exceeds the holder's share
   */
  public void acquire(K holder, long amount) throws InterruptedException {
    if (amount > share) {
      throw new IllegalArgumentException(amount + " of " + share);
    }
    while (!acquire(holder, amount, LONGEST)) {
      // Others hold it still.
    }
  }

  /**
   * Acquires an amount, waiting until it is free. The holder's share is waited for first and kept
   * while the total is: no wait for a share keeps a part of the total, so that holders cannot wait
   * for each other. A large amount may wait until its time is over while smaller ones pass: in
   * turn, one holder's large amount would make all others wait.
   *
   * @param longest how long to wait
   * @return false if it was not free in time, or exceeds the holder's share
   */
  public boolean acquire(K holder, long amount, Duration longest) throws InterruptedException {
    if (exempt.contains(holder)) {
      return true;
    }
    if (amount > share) {
      return false;
    }
    int permits = (int) amount;
    long end = System.nanoTime() + longest.toNanos();
    Share own =
        shares.compute(
            holder,
            (_, known) -> {
              Share joined = known == null ? new Share(share) : known;
              joined.waiting++;
              return joined;
            });
    boolean fromShare = false;
    boolean granted = false;
    try {
      fromShare = own.free.tryAcquire(permits, longest.toNanos(), TimeUnit.NANOSECONDS);
      granted =
          fromShare && total.tryAcquire(permits, end - System.nanoTime(), TimeUnit.NANOSECONDS);
      return granted;
    } finally {
      if (fromShare && !granted) {
        own.free.release(permits);
      }
      shares.computeIfPresent(
          holder,
          (_, known) -> {
            known.waiting--;
            return used(known);
          });
    }
  }

  /** Gives back an amount, or a part of it, that was acquired. */
  public void release(K holder, long amount) {
    if (exempt.contains(holder)) {
      return;
    }
    total.release((int) amount);
    shares.computeIfPresent(
        holder,
        (_, own) -> {
          own.free.release((int) amount);
          return used(own);
        });
  }

  private @Nullable Share used(Share own) {
    return own.waiting == 0 && own.free.availablePermits() == share ? null : own;
  }
}
