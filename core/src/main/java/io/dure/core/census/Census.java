package io.dure.core.census;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.NodeRecord;
import io.dure.core.model.command.Caller;
import io.dure.core.scheduler.gpus.GpuDemand;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts who holds what. All functions are pure. */
public final class Census {
  private Census() {}

  /** Whether that caller sees all that anybody sees. */
  public static boolean seesAll(ClusterState state, Caller.User caller) {
    return caller.operator() || state.settings().controller().privateData().isEmpty();
  }

  /**
   * Who holds the cluster, or a partition.
   *
   * @param caller who asks, and may not see everything (PrivateData)
   * @param partition only its nodes and jobs, null for all
   * @param everybody also those who have a share and hold nothing
   */
  public static Holdings of(
      ClusterState state,
      Caller.User caller,
      @Nullable PartitionConfig partition,
      boolean everybody,
      Instant now) {
    AccountingTree tree = state.accounts();
    boolean accounts = tree.accounts().size() > 1;
    Sight sight = new Sight(state, caller);
    Stock stock = new Stock(state, partition, now);
    GpuDemand waiting = stock.demand();
    Owners owners = new Owners(partition, accounts, waiting);
    for (NodeRecord node : state.nodes().values()) {
      owners.node(state, node);
    }
    state.active().forEach((_, job) -> owners.active(job));
    state.pending().forEach((_, job) -> owners.pending(job, now));
    Amounts all = stock.all();
    Family family = new Family(state, sight, all, now);
    if (everybody && accounts) {
      family.everybody();
    }
    owners.holders().forEach(family::add);
    return new Holdings(
        all,
        sight.ofNodes() ? stock.supply(waiting) : null,
        family.rows(),
        sight.ofNodes() ? stock.closed() : List.of(),
        sight.ofReservations() ? stock.kept() : List.of(),
        accounts,
        state.settings().priority().halfLife());
  }
}
