package io.dure.core.scheduler.plan;

import io.dure.core.scheduler.Holding;
import io.dure.core.scheduler.Ledger;
import io.dure.core.scheduler.Need;
import io.dure.core.scheduler.Slot;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The nodes now and later: what jobs hold, what the plan starts, and what it promises. */
final class Outlook {
  private final Ledger ledger;
  private final long now;
  private final @Nullable NodeProfile[] profiles;
  private final boolean[] closed;
  private final NavigableSet<Ledger.Held> started = new TreeSet<>();
  private int starts;

  Outlook(Ledger ledger, long now) {
    this.ledger = ledger;
    this.now = now;
    profiles = new @Nullable NodeProfile[ledger.slots().size()];
    closed = new boolean[profiles.length];
  }

  long now() {
    return now;
  }

  Ledger ledger() {
    return ledger;
  }

  Slot slot(int node) {
    return ledger.slot(node);
  }

  /** The node's profile, null if nothing is promised there. */
  @Nullable NodeProfile profile(int node) {
    return profiles[node];
  }

  /** Whether jobs may start on the node. */
  boolean isOpen(int node) {
    return !closed[node] && ledger.slot(node).available();
  }

  /** Lets nobody onto the node any more in this plan. */
  void close(int node) {
    closed[node] = true;
  }

  /** Most tasks that fit there from now on for so many seconds. */
  int room(int node, Need need, long end) {
    if (closed[node] || ledger.isShort(node, need)) {
      return 0;
    }
    int room = ledger.slot(node).room(need);
    NodeProfile profile = profiles[node];
    return room == 0 || profile == null ? room : profile.room(need, now, end);
  }

  /** A job starts now, which holds this until its end. */
  void hold(List<Holding> holdings) {
    for (Holding holding : holdings) {
      ledger.hold(holding);
      NodeProfile profile = profiles[holding.node()];
      if (profile != null) {
        profile.hold(holding);
      }
    }
    started.add(new Ledger.Held(holdings.getFirst().end(), starts++, holdings));
  }

  /** What jobs hold that run or start now, the first to end first. */
  Ends ends() {
    return new Ends(ledger.byEnd().iterator(), started.iterator());
  }

  /** Two rising rows of ends as one. */
  static final class Ends {
    private final Iterator<Ledger.Held> running;
    private final Iterator<Ledger.Held> starting;
    private Ledger.@Nullable Held first;
    private Ledger.@Nullable Held second;

    private Ends(Iterator<Ledger.Held> running, Iterator<Ledger.Held> starting) {
      this.running = running;
      this.starting = starting;
      first = next(running);
      second = next(starting);
    }

    private static Ledger.@Nullable Held next(Iterator<Ledger.Held> from) {
      return from.hasNext() ? from.next() : null;
    }

    /** The next to end, null if there is none. */
    Ledger.@Nullable Held peek() {
      Ledger.Held one = first;
      Ledger.Held two = second;
      return one == null || two != null && two.end() < one.end() ? two : one;
    }

    /** Goes on to the one behind it. */
    void advance() {
      Ledger.Held one = first;
      Ledger.Held two = second;
      if (one == null || two != null && two.end() < one.end()) {
        second = next(starting);
      } else {
        first = next(running);
      }
    }
  }

  /** A job will start then. */
  void promise(Holding holding, long start) {
    NodeProfile profile = profiles[holding.node()];
    if (profile == null) {
      profile = new NodeProfile(ledger.slot(holding.node()), now);
      profiles[holding.node()] = profile;
    }
    profile.promise(holding, start);
  }

  /** The ledger is as it was: what the plan starts is only proposed. */
  void undo() {
    started.forEach(held -> held.holdings().forEach(ledger::release));
    started.clear();
  }
}
