package io.dure.cli.cost;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.config.PartitionConfig;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;

/**
 * What a unit of {@code billing} costs in an hour at most. A limit of billing minutes bounds money
 * only because each resource that has a price is billed too.
 */
final class BillingRate {
  private static final int DECIMALS = 12;

  private final PriceList prices;
  private final Response.Cluster cluster;
  private final boolean greatest;

  /**
   * Of a cluster.
   *
   * @param settings whether a job is billed the greatest of its resources, not their sum
   */
  BillingRate(PriceList prices, Response.Cluster cluster, PrioritySettings settings) {
    this.prices = prices;
    this.cluster = cluster;
    greatest =
        settings.has(PrioritySettings.Flag.MAX_TRES)
            || settings.has(PrioritySettings.Flag.MAX_TRES_GRES);
  }

  /**
   * The most that a unit costs in an hour between two times, rounded up.
   *
   * @throws CommandException where something has a price and is not billed
   */
  BigDecimal most(Instant from, Instant until) throws CommandException {
    BigDecimal most = BigDecimal.ZERO;
    for (Instant at = from; at.isBefore(until); at = prices.nextChange(at)) {
      for (PartitionConfig partition : cluster.partitions()) {
        most = most.max(rate(partition, at.atZone(prices.zone()).toLocalDateTime()));
      }
    }
    return most;
  }

  private BigDecimal rate(PartitionConfig partition, LocalDateTime at) throws CommandException {
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal most = BigDecimal.ZERO;
    for (String tres : prices.priced()) {
      BigDecimal price = prices.dearest(tres, partition.name(), at);
      if (price == null || price.signum() == 0 || !has(partition, tres)) {
        continue;
      }
      BigDecimal weight = weight(partition.billingWeights(), tres);
      if (weight.signum() <= 0) {
        throw CommandException.error(
            "'"
                + tres
                + "' has a price in partition "
                + partition.name()
                + " and is not billed there, so no limit of billing covers it; give it a weight in"
                + " TRESBillingWeights of the partition in slurm.conf");
      }
      BigDecimal ratio = price.divide(weight, DECIMALS, RoundingMode.UP);
      most = most.max(ratio);
      sum = sum.add(ratio);
    }
    // Of the greatest one unit may stand for as much of each of the others.
    return greatest ? sum : most;
  }

  private static BigDecimal weight(Map<String, Double> weights, String tres) {
    if (weights.isEmpty()) {
      return tres.equals(TresAmounts.CPU) ? BigDecimal.ONE : BigDecimal.ZERO;
    }
    int colon = tres.indexOf(':');
    double kind = colon < 0 ? 0 : weights.getOrDefault(tres.substring(0, colon), 0.0);
    return BigDecimal.valueOf(weights.getOrDefault(tres, 0.0) + kind);
  }

  private boolean has(PartitionConfig partition, String tres) {
    if (!tres.startsWith("gres/")) {
      return true;
    }
    String kind = tres.substring("gres/".length());
    for (NodeInfo node : cluster.nodes()) {
      List<String> words = List.of(node.config().gres().split(",", -1));
      if (node.partitions().contains(partition.name())
          && words.stream().anyMatch(word -> word.equals(kind) || word.startsWith(kind + ":"))) {
        return true;
      }
    }
    return false;
  }
}
