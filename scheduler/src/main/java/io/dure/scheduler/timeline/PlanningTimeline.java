package io.dure.scheduler.timeline;

import io.dure.placement.AllocationLedger;
import io.dure.placement.NodeAllocation;
import io.dure.placement.NodeDemand;
import io.dure.placement.NodeLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The nodes now and later: what jobs hold, what the plan starts, and what it promises. */
public final class PlanningTimeline {
  /** The footing of a node on which something is promised that has no number. */
  static final long UNKNOWN = 0;

  private final AllocationLedger ledger;
  private final long now;
  private final @Nullable Promise[] promises;

  /** Made of the promises of a node when a search has to look closer. */
  private final @Nullable NodeTimeline[] profiles;

  /** When the first promise of a node begins. */
  private final long[] promisedFrom;

  private final boolean[] closed;
  private final NavigableSet<AllocationLedger.HeldAllocation> started = new TreeSet<>();
  private final LinkedHashSet<Integer> promised = new LinkedHashSet<>();
  private int starts;

  /** Nodes on which the plan has started or promised something, in that order. */
  private int[] touched = new int[64];

  private int touches;
  private int withdrawn;

  /** What searches have cost so far, in looks at a node at one time. */
  private long looks;

  /**
   * What is promised on a node, and what was before.
   *
   * @param footing tells this row of promises from others
   * @param number of the promise, {@link #UNKNOWN} if it has none
   */
  private record Promise(
      NodeAllocation holding, long start, @Nullable Promise before, long footing, long number) {}

  public PlanningTimeline(AllocationLedger ledger, long now) {
    this.ledger = ledger;
    this.now = now;
    profiles = new @Nullable NodeTimeline[ledger.slots().size()];
    promises = new @Nullable Promise[profiles.length];
    promisedFrom = new long[profiles.length];
    closed = new boolean[profiles.length];
  }

  public long now() {
    return now;
  }

  public AllocationLedger ledger() {
    return ledger;
  }

  public NodeLoad slot(int node) {
    return ledger.slot(node);
  }

  /** The node's profile, null if nothing is promised there. */
  @Nullable NodeTimeline profile(int node) {
    return promises[node] == null ? null : wholeProfile(node);
  }

  /** The node's profile, whether or not anything is promised there. */
  public NodeTimeline wholeProfile(int node) {
    NodeTimeline profile = profiles[node];
    if (profile == null) {
      profile = new NodeTimeline(ledger.slot(node), now);
      profiles[node] = profile;
      Promise last = promises[node];
      if (last != null) {
        promise(profile, last);
      }
    }
    return profile;
  }

  private static void promise(NodeTimeline profile, Promise last) {
    Promise before = last.before();
    if (before != null) {
      promise(profile, before);
    }
    profile.promise(last.holding(), last.start());
  }

  /** The nodes that something is promised on, in the order in which something first was. */
  Collection<Integer> promised() {
    return promised;
  }

  /** Whether something is promised on the node. */
  public boolean isPromised(int node) {
    return promises[node] != null;
  }

  /** Whether jobs may start on the node. */
  public boolean isOpen(int node) {
    return !closed[node] && ledger.slot(node).available();
  }

  /** No job starts on the node any more in this plan. */
  public void close(int node) {
    closed[node] = true;
    touch(node);
  }

  /** Most tasks that fit there from now on for so many seconds. */
  int room(int node, NodeDemand need, long end) {
    if (closed[node] || ledger.lacksCpusFor(node, need)) {
      return 0;
    }
    NodeLoad slot = ledger.slot(node);
    Promise promise = promises[node];
    if (promise == null || end <= promisedFrom[node]) {
      return slot.taskCapacity(need);
    }
    boolean alone = need.together() == null;
    if (alone && (need.wholeNodes() || promise.before() == null && isWhole(slot, promise))) {
      return 0;
    }
    NodeTimeline profile = profile(node);
    return profile == null ? 0 : profile.room(need, now, end);
  }

  /** GPUs of those that a job asks for as a whole that the node can add until then. */
  long gpus(int node, NodeDemand need, long end) {
    if (need.gpusPerJob() == 0) {
      return 0;
    }
    NodeTimeline profile = profile(node);
    return profile == null ? ledger.slot(node).gpuCapacity(need, 1) : profile.gpus(need, now, end);
  }

  private static boolean isWhole(NodeLoad slot, Promise promise) {
    return promise.holding().share().cpus() >= slot.cpus();
  }

  /** A job starts now, which holds this until its end. */
  public void hold(List<NodeAllocation> holdings) {
    for (NodeAllocation holding : holdings) {
      ledger.hold(holding);
      touch(holding.node());
      setFooting(holding.node());
      NodeTimeline profile = profiles[holding.node()];
      if (profile != null) {
        profile.hold(holding);
      }
    }
    started.add(new AllocationLedger.HeldAllocation(holdings.getFirst().end(), starts++, holdings));
  }

  /** The job that was the last to start does not start after all. */
  public void takeBack(List<NodeAllocation> holdings) {
    started.remove(
        new AllocationLedger.HeldAllocation(holdings.getFirst().end(), --starts, holdings));
    for (NodeAllocation holding : holdings) {
      ledger.release(holding);
      forget(holding.node());
    }
  }

  /** What was promised last on the node is not. */
  void takeBackPromise(int node) {
    Promise last = promises[node];
    if (last == null) {
      throw new IllegalStateException("nothing is promised on node " + node);
    }
    promises[node] = last.before();
    promisedFrom[node] = Long.MAX_VALUE;
    for (Promise one = last.before(); one != null; one = one.before()) {
      promisedFrom[node] = Math.min(one.start(), promisedFrom[node]);
    }
    setFooting(node);
    if (last.before() == null) {
      promised.remove(node);
    }
    forget(node);
  }

  /** The node's profile is made anew when a search has to look closer. */
  private void forget(int node) {
    profiles[node] = null;
    touch(node);
  }

  private void touch(int node) {
    if (touches == touched.length) {
      touched = Arrays.copyOf(touched, 2 * touches);
    }
    touched[touches++] = node;
  }

  /** A search has looked at nodes so often. */
  void looked(long times) {
    looks += times;
  }

  /** How often a promise was withdrawn, after which nodes may have more room than before. */
  int withdrawn() {
    return withdrawn;
  }

  /** How often searches have looked at a node at one time. */
  public long looks() {
    return looks;
  }

  /** How often the plan has taken something of a node. */
  int touched() {
    return touches;
  }

  /** The node that it was at that time. */
  int touched(int which) {
    return touched[which];
  }

  /** What jobs hold that run or start now, the first to end first. */
  MergedEnds ends() {
    return new MergedEnds(ledger.byEnd().iterator(), started.iterator());
  }

  /** Two rising rows of ends as one. */
  static final class MergedEnds {
    private final Iterator<AllocationLedger.HeldAllocation> running;
    private final Iterator<AllocationLedger.HeldAllocation> starting;
    private AllocationLedger.@Nullable HeldAllocation first;
    private AllocationLedger.@Nullable HeldAllocation second;

    private MergedEnds(
        Iterator<AllocationLedger.HeldAllocation> running,
        Iterator<AllocationLedger.HeldAllocation> starting) {
      this.running = running;
      this.starting = starting;
      first = next(running);
      second = next(starting);
    }

    private static AllocationLedger.@Nullable HeldAllocation next(
        Iterator<AllocationLedger.HeldAllocation> from) {
      return from.hasNext() ? from.next() : null;
    }

    /** The next to end, null if there is none. */
    AllocationLedger.@Nullable HeldAllocation peek() {
      AllocationLedger.HeldAllocation one = first;
      AllocationLedger.HeldAllocation two = second;
      return one == null || two != null && two.end() < one.end() ? two : one;
    }

    /** Goes on to the one behind it. */
    void advance() {
      AllocationLedger.HeldAllocation one = first;
      AllocationLedger.HeldAllocation two = second;
      if (one == null || two != null && two.end() < one.end()) {
        second = next(starting);
      } else {
        first = next(running);
      }
    }
  }

  /** A number for the node as it is, with its jobs and promises; {@link #UNKNOWN} matches none. */
  long footing(int node) {
    Promise last = promises[node];
    return last == null ? mixed(1, ledger.version(node)) : last.footing();
  }

  /** Promises behind this have been made to a node that has changed since the first of them. */
  private void setFooting(int node) {
    Promise last = promises[node];
    if (last != null && last.footing() != UNKNOWN) {
      long footing = mixed(last.footing(), ledger.version(node));
      promises[node] =
          new Promise(last.holding(), last.start(), last.before(), footing, last.number());
    }
  }

  private static long mixed(long footing, long next) {
    long mixed = (footing ^ next * 0xD6E8FEB86659FD93L) * 0x9E3779B97F4A7C15L;
    return mixed ^ mixed >>> 32;
  }

  /**
   * A job will start then, as it was promised.
   *
   * @param promise the number of that promise
   */
  void promise(List<NodeAllocation> holdings, long start, long promise) {
    for (NodeAllocation holding : holdings) {
      promise(holding, start, promise);
    }
  }

  /** A job will start then. */
  void promise(NodeAllocation holding, long start) {
    promise(holding, start, UNKNOWN);
  }

  private void promise(NodeAllocation holding, long start, long number) {
    int node = holding.node();
    touch(node);
    Promise before = promises[node];
    long footing = footing(node);
    long next = number == UNKNOWN || footing == UNKNOWN ? UNKNOWN : mixed(footing, number);
    promises[node] = new Promise(holding, start, before, next, number);
    if (before == null) {
      promised.add(node);
    }
    promisedFrom[node] = before == null ? start : Math.min(start, promisedFrom[node]);
    NodeTimeline profile = profiles[node];
    if (profile != null) {
      profile.promise(holding, start);
    }
  }

  /** A job does not start as it was promised; what was promised on its nodes since stays. */
  void withdraw(List<NodeAllocation> holdings, long start, long number) {
    withdrawn++;
    for (NodeAllocation holding : holdings) {
      int node = holding.node();
      NodeTimeline profile = profiles[node];
      promises[node] = without(promises[node], node, number);
      promisedFrom[node] = Long.MAX_VALUE;
      for (Promise one = promises[node]; one != null; one = one.before()) {
        promisedFrom[node] = Math.min(one.start(), promisedFrom[node]);
      }
      if (promises[node] == null) {
        promised.remove(node);
      }
      forget(node);
      if (profile != null && holding.share().gres().isEmpty()) {
        profile.withdraw(holding, start);
        profiles[node] = profile;
      }
    }
  }

  /** The promises of a node but for one. */
  private @Nullable Promise without(@Nullable Promise last, int node, long number) {
    List<Promise> above = new ArrayList<>();
    Promise found = last;
    while (found != null && found.number() != number) {
      above.add(found);
      found = found.before();
    }
    if (found == null) {
      return last;
    }
    Promise next = found.before();
    long footing = next == null ? mixed(1, ledger.version(node)) : next.footing();
    for (Promise one : above.reversed()) {
      boolean unknown = one.number() == UNKNOWN || footing == UNKNOWN;
      footing = unknown ? UNKNOWN : mixed(footing, one.number());
      next = new Promise(one.holding(), one.start(), next, footing, one.number());
    }
    return next;
  }

  /** The ledger is as it was: what the plan starts is only proposed. */
  public void undo() {
    started.forEach(held -> held.holdings().forEach(ledger::release));
    started.clear();
  }
}
