package io.dure.controller.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How many connections there may be: in all, and of one caller, so that none keeps the others out.
 * Any thread.
 *
 * @param <K> who calls
 */
final class Places<K> {
  private static final int KEPT_FREE = 256;
  private static final int LEAST = 64;

  private final String kind;
  private final int most;
  private final Set<K> unbounded;
  private final Map<K, Integer> taken = new HashMap<>();
  private int sum;

  /**
   * Places for callers of a kind.
   *
   * @param kind what a caller is, for messages
   * @param most places in all, at least 2; one caller may have half of them
   * @param unbounded callers that always get in
   */
  Places(String kind, int most, Set<K> unbounded) {
    this.kind = kind;
    this.most = most;
    this.unbounded = unbounded;
  }

  /** How many connections a process with so many descriptors can hold beside its other files. */
  static int affordable(long descriptors, int most) {
    return Math.clamp(descriptors - KEPT_FREE, LEAST, most);
  }

  /** Takes a place; false if the caller, or all together, have too many. */
  synchronized boolean take(K who) {
    if (unbounded.contains(who)) {
      return true;
    }
    int own = taken.getOrDefault(who, 0);
    if (sum >= most || own >= most / 2) {
      return false;
    }
    taken.put(who, own + 1);
    sum++;
    return true;
  }

  /** Gives a place back that was taken. */
  synchronized void giveBack(K who) {
    if (!unbounded.contains(who)) {
      taken.computeIfPresent(who, (_, own) -> own == 1 ? null : own - 1);
      sum--;
    }
  }

  /** What a caller is. */
  String kind() {
    return kind;
  }
}
