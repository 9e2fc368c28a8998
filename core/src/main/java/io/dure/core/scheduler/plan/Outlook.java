package io.dure.core.scheduler.plan;

import io.dure.core.scheduler.Holding;
import io.dure.core.scheduler.Ledger;
import io.dure.core.scheduler.Need;
import io.dure.core.scheduler.Slot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes now and later: what jobs hold, what the plan starts, and what it promises. */
final class Outlook {
  private final Ledger ledger;
  private final long now;
  private final @Nullable NodeProfile[] profiles;
  private final boolean[] closed;
  private final List<Holding> started = new ArrayList<>();

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
    if (!isOpen(node)) {
      return 0;
    }
    int room = ledger.slot(node).room(need);
    NodeProfile profile = profiles[node];
    return room == 0 || profile == null ? room : profile.room(need, now, end);
  }

  /** A job starts now. */
  void hold(Holding holding) {
    ledger.hold(holding);
    started.add(holding);
    NodeProfile profile = profiles[holding.node()];
    if (profile != null) {
      profile.hold(holding);
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
    started.forEach(ledger::release);
    started.clear();
  }
}
