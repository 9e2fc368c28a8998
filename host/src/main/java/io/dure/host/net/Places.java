package io.dure.host.net;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * How many connections there may be: in all, and of one caller, so that none keeps the others out.
 * Any thread.
 *
 * @param <K> who calls
 */
public final class Places<K> {
  private static final int KEPT_FREE = 256;
  private static final int LEAST = 64;

  private final String kind;
  private final int each;
  private final Semaphore all;
  private final Set<K> unbounded;
  private final Map<K, Integer> taken = new ConcurrentHashMap<>();

  /**
   * Places for callers of a kind.
   *
   * @param kind what a caller is, for messages
   * @param most places in all, at least 2; one caller may have half of them
   * @param unbounded callers that always get in
   */
  public Places(String kind, int most, Set<K> unbounded) {
    this(kind, most, most / 2, unbounded);
  }

  /** The same with a bound of its own for each caller, at least 1. */
  public Places(String kind, int most, int each, Set<K> unbounded) {
    this.kind = kind;
    this.each = each;
    this.all = new Semaphore(most);
    this.unbounded = unbounded;
  }

  /** How many connections a process with so many descriptors can hold beside its other files. */
  public static int affordable(long descriptors, int most) {
    return Math.clamp(descriptors - KEPT_FREE, LEAST, most);
  }

  /** Takes a place; false if the caller, or all together, have too many. */
  public boolean take(K who) {
    if (unbounded.contains(who)) {
      return true;
    }
    if (!all.tryAcquire()) {
      return false;
    }
    boolean[] granted = new boolean[1];
    taken.compute(
        who,
        (_, before) -> {
          int own = before == null ? 0 : before;
          granted[0] = own < each;
          return granted[0] ? Integer.valueOf(own + 1) : before;
        });
    if (!granted[0]) {
      all.release();
    }
    return granted[0];
  }

  /** Gives a place back that was taken. */
  public void giveBack(K who) {
    if (!unbounded.contains(who)) {
      taken.computeIfPresent(who, (_, own) -> own == 1 ? null : own - 1);
      all.release();
    }
  }

  /** What a caller is. */
  public String kind() {
    return kind;
  }
}
