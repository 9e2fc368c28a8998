package io.dure.placement.cores;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Which cores of one node jobs hold. One thread. */
public final class CoreLoad {
  private final int cores;
  private final int perSocket;
  private final List<Integer> kept;

  /** Those that are as if there were none of them, because they are reserved; null for none. */
  private @Nullable BitSet closed;

  /** How many hold each core; null while none is held. */
  private int @Nullable [] load;

  private int free;

  /** All that jobs may get, once it was asked for. */
  private @Nullable List<Integer> whole;

  /**
   * Nothing is held.
   *
   * @param cores how many there are
   * @param perSocket how many a socket has
   * @param kept those that no job gets
   */
  public CoreLoad(int cores, int perSocket, List<Integer> kept) {
    this.cores = cores;
    this.perSocket = Math.max(1, perSocket);
    this.kept = kept;
    free = cores - kept.size();
  }

  /** The same, to be changed on its own. */
  public CoreLoad copy() {
    CoreLoad copy = new CoreLoad(cores, perSocket, kept);
    copy.load = load == null ? null : load.clone();
    copy.free = free;
    copy.closed = closed;
    return copy;
  }

  /**
   * The same as if some cores were not there.
   *
   * @param reserved those
   * @param promised the cores of each promise: those that are not there take nothing from the rest
   */
  public CoreLoad without(BitSet reserved, List<List<Integer>> promised) {
    CoreLoad copy = copy();
    BitSet both = (BitSet) reserved.clone();
    if (closed != null) {
      both.or(closed);
    }
    copy.closed = both;
    copy.free = copy.count(copy::isFree);
    for (List<Integer> one : promised) {
      for (int core : one) {
        copy.free -= copy.isGiven(core) ? 1 : 0;
      }
    }
    return copy;
  }

  /** Whether some cores are as if they were not there. */
  public boolean isPartial() {
    return closed != null;
  }

  /** All cores. */
  public int size() {
    return cores;
  }

  /** Cores of each socket, at least 1. */
  public int perSocket() {
    return perSocket;
  }

  /** Cores that jobs may get. */
  public int usable() {
    return closed == null ? cores - kept.size() : count(_ -> true);
  }

  /** Cores of which nothing is held, less those that are promised. */
  public int free() {
    return free;
  }

  /** Sets aside so many, whichever they are. */
  public void reserve(int count) {
    free -= count;
  }

  /** Notes that a job holds these, or where the sign is -1, that it does not any more. */
  public void change(List<Integer> held, int sign) {
    int[] now = load == null ? new int[cores] : load;
    load = now;
    for (int core : held) {
      if (isGiven(core)) {
        boolean wasFree = now[core] == 0;
        now[core] += sign;
        free += (now[core] == 0 ? 1 : 0) - (wasFree ? 1 : 0);
      }
    }
  }

  /** Whether there is such a core and jobs may get it. */
  public boolean isGiven(int core) {
    return core >= 0
        && core < cores
        && (kept.isEmpty() || !kept.contains(core))
        && (closed == null || !closed.get(core));
  }

  /** Whether a job may get the core and none has it. */
  public boolean isFree(int core) {
    return isGiven(core) && (load == null || load[core] == 0);
  }

  /** All cores that jobs may get, rising. */
  public List<Integer> all() {
    List<Integer> known = whole;
    if (known == null) {
      List<Integer> all = new ArrayList<>(cores);
      bySocket(_ -> true, false).forEach(all::addAll);
      known = List.copyOf(all);
      whole = known;
    }
    return known;
  }

  /** How many cores jobs may get that suit. */
  public int count(IntPredicate suits) {
    int count = 0;
    for (int core = 0; core < cores; core++) {
      count += isGiven(core) && suits.test(core) ? 1 : 0;
    }
    return count;
  }

  /**
   * Cores that jobs may get and that suit: a list for each socket, rising.
   *
   * @param whole whether a socket gives all that jobs may get, or none
   */
  public List<List<Integer>> bySocket(IntPredicate suits, boolean whole) {
    int[] counts = counts(suits, whole);
    List<List<Integer>> sockets = new ArrayList<>(counts.length);
    for (int i = 0; i < counts.length; i++) {
      int first = i * perSocket;
      List<Integer> socket = new ArrayList<>(counts[i]);
      for (int core = first; counts[i] > 0 && core < Math.min(cores, first + perSocket); core++) {
        if (isGiven(core) && suits.test(core)) {
          socket.add(core);
        }
      }
      sockets.add(socket);
    }
    return sockets;
  }

  /** How many cores that is of each socket. */
  public int[] counts(IntPredicate suits, boolean whole) {
    int[] counts = new int[(cores + perSocket - 1) / perSocket];
    int[] given = new int[counts.length];
    for (int core = 0; core < cores; core++) {
      if (isGiven(core)) {
        given[core / perSocket]++;
        counts[core / perSocket] += suits.test(core) ? 1 : 0;
      }
    }
    for (int i = 0; whole && i < counts.length; i++) {
      counts[i] = counts[i] < given[i] ? 0 : counts[i];
    }
    return counts;
  }
}
