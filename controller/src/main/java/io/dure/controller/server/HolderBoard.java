package io.dure.controller.server;

import io.dure.core.census.Census;
import io.dure.core.census.Holdings;
import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who holds the cluster, worked out once for a state, as often as it is asked. Any thread. */
final class HolderBoard {
  private volatile @Nullable Counted newest;

  /** What was counted of a state for a question of somebody who may see everything. */
  private record Counted(ClusterState state, Request.ShowHolders asked, Holdings holdings) {}

  Response answer(Request.ShowHolders asked, ClusterState state, Caller.User caller, Instant now) {
    String name = asked.partition();
    PartitionConfig partition = name == null ? null : state.partition(name);
    if (name != null && partition == null) {
      return new Response.Failed(ErrorCode.INVALID_PARTITION_NAME, "");
    }
    String cluster = state.settings().controller().clusterName();
    boolean shared = Census.seesAll(state, caller);
    Counted known = newest;
    if (shared && known != null && known.state() == state && known.asked().equals(asked)) {
      return new Response.Holders(cluster, known.holdings(), now);
    }
    Holdings holdings = Census.of(state, caller, partition, asked.everybody(), now);
    if (shared) {
      newest = new Counted(state, asked, holdings);
    }
    return new Response.Holders(cluster, holdings, now);
  }
}
