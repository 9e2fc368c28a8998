package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.insight.holdings.HoldingsCensus;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.config.PartitionConfig;
import io.dure.model.report.ClusterHoldings;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Holders of the cluster's resources, computed once for a state: one answer for all callers that
 * may see everything, and one for each other caller. Two are computed at a time, a bounded number
 * of requests waits, and further ones are rejected as too frequent. Any thread.
 */
final class HoldingsCache {
  private static final SingleFlight.Limits RULES =
      new SingleFlight.Limits(2, 100, 20, Duration.ofSeconds(5));

  private static final int ALL_USERS = -1;
  private static final int MOST_KEPT = 64;

  private final SingleFlight<Key, ClusterHoldings> room = new SingleFlight<>(RULES);
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, ClusterHoldings> kept = new LinkedHashMap<>();

  /** The state of what is kept; it may go once nobody else has it, as it is asked of no more. */
  private WeakReference<ClusterState> newest = new WeakReference<>(null);

  /**
   * A question.
   *
   * @param uid user number of the caller, {@link #ALL_USERS} for callers that may see everything
   */
  private record Key(Request.ShowHolders asked, int uid) {}

  Response answer(Request.ShowHolders asked, ClusterState state, Caller.User caller, Instant now)
      throws InterruptedException {
    String name = asked.partition();
    PartitionConfig partition = name == null ? null : state.partition(name);
    if (name != null && partition == null) {
      return new Response.Failed(ErrorCode.INVALID_PARTITION_NAME, "");
    }
    int uid = caller.identity().uid();
    Key key = new Key(asked, HoldingsCensus.seesAll(state, caller) ? ALL_USERS : uid);
    ClusterHoldings known = known(key, state);
    if (known == null) {
      known =
          room.answer(
              key,
              uid,
              () ->
                  keep(
                      key,
                      state,
                      HoldingsCensus.of(state, caller, partition, asked.everybody(), now)));
    }
    return known == null
        ? new Response.Failed(ErrorCode.RATE_LIMITED, "")
        : new Response.Holders(state.settings().controller().clusterName(), known, now);
  }

  private @Nullable ClusterHoldings known(Key key, ClusterState state) {
    lock.lock();
    try {
      return newest.refersTo(state) ? kept.get(key) : null;
    } finally {
      lock.unlock();
    }
  }

  private ClusterHoldings keep(Key key, ClusterState state, ClusterHoldings made) {
    lock.lock();
    try {
      if (!newest.refersTo(state) || kept.size() >= MOST_KEPT) {
        kept.clear();
        newest = new WeakReference<>(state);
      }
      kept.put(key, made);
      return made;
    } finally {
      lock.unlock();
    }
  }
}
