package io.dure.insight.holdings;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.command.Caller;
import io.dure.model.config.PartitionConfig;
import io.dure.model.report.ClusterHoldings;
import io.dure.model.report.ResourceAmounts;
import io.dure.placement.gpus.GpuDemand;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what accounts and users hold. All functions are pure. */
public final class HoldingsCensus {
  private HoldingsCensus() {}

  /** Whether that caller sees all that anybody sees. */
  public static boolean seesAll(ClusterState state, Caller.User caller) {
    return new HoldingsVisibility(state, caller).ofAll();
  }

  /**
   * The holders of the cluster, or of a partition.
   *
   * @param caller who asks, and may not see everything (PrivateData)
   * @param partition only its nodes and jobs, null for all
   * @param everybody also those who have a share and hold nothing
   */
  public static ClusterHoldings of(
      ClusterState state,
      Caller.User caller,
      @Nullable PartitionConfig partition,
      boolean everybody,
      Instant now) {
    AccountingTree tree = state.accounts();
    boolean accounts = tree.accounts().size() > 1;
    HoldingsVisibility sight = new HoldingsVisibility(state, caller);
    CapacityCalculator stock = new CapacityCalculator(state, partition, now);
    GpuDemand waiting = stock.demand();
    OwnerTotals owners = new OwnerTotals(partition, accounts, waiting);
    for (NodeRecord node : state.nodes().values()) {
      owners.node(state, node);
    }
    state.active().forEach((_, job) -> owners.active(job));
    state.pending().forEach((_, job) -> owners.pending(job, now));
    ResourceAmounts all = stock.all();
    AccountRollup family = new AccountRollup(state, sight, all, now);
    if (everybody && accounts) {
      family.everybody();
    }
    owners.holders().forEach(family::add);
    return new ClusterHoldings(
        all,
        sight.ofNodes() ? stock.supply(waiting) : null,
        family.rows(),
        sight.ofNodes() ? stock.closed() : List.of(),
        sight.ofReservations() ? stock.kept() : List.of(),
        accounts,
        state.settings().priority().halfLife());
  }
}
