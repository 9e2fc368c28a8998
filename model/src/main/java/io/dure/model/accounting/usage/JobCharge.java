package io.dure.model.accounting.usage;

import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a running job is charged, from its start on.
 *
 * @param association the number of its association, null for none
 * @param qos the number of its QOS, null for none
 * @param usageRate by how much usage grows in a second, millionths: what is billed, by the QOS's
 *     usage factor
 * @param wallRate by how much the time of jobs grows in a second, millionths
 * @param tres what it holds
 * @param partitionQos the number of its partition's QOS, null for none or where that is its own
 * @param tresRate by how much its use of each resource counts, millionths; null for as it is
 */
public record JobCharge(
    @Nullable Integer association,
    @Nullable Integer qos,
    long usageRate,
    long wallRate,
    TresAmounts tres,
    @Nullable Integer partitionQos,
    @Nullable Long tresRate) {

  /** Millionths in one. */
  public static final double UNIT = 1e-6;

  private static final double MOST = 1e15;

  /** A rate in millionths. */
  static long rate(double amount) {
    return (long) StrictMath.rint(Math.min(Math.max(0, amount), MOST) * 1e6);
  }

  /**
   * The charge of a job.
   *
   * @param billed what it is billed in a second
   */
  public static JobCharge of(
      @Nullable Association association, @Nullable Qos qos, double billed, TresAmounts tres) {
    double factor = qos == null ? 1 : qos.usageFactor();
    return new JobCharge(
        association == null ? null : association.id(),
        qos == null ? null : qos.id(),
        rate(billed * factor),
        rate(factor),
        tres,
        null,
        rate(factor));
  }

  /** The same, which counts for the QOS of the job's partition too. */
  public JobCharge in(@Nullable Qos ofPartition) {
    if (ofPartition == null || Objects.equals(qos, ofPartition.id())) {
      return this;
    }
    Integer second = ofPartition.id();
    return new JobCharge(association, qos, usageRate, wallRate, tres, second, tresRate);
  }

  /** The same of a job that stands still: it holds what it holds, and uses nothing. */
  public JobCharge still() {
    return new JobCharge(association, qos, 0, 0, tres, partitionQos, 0L);
  }

  /** By how much its use of an amount grows in a second beyond the amount, millionths. */
  long extra(long amount) {
    return tresRate == null ? 0 : amount * (tresRate - 1_000_000);
  }

  /** By how much its use of resources counts: the QOS's usage factor. */
  public double factor() {
    return tresRate == null ? 1 : tresRate * UNIT;
  }

  /** The resources that are counted together on a node. */
  private static boolean isOfNode(String tres) {
    return tres.equals(TresAmounts.CPU)
        || tres.equals(TresAmounts.MEMORY)
        || tres.startsWith("gres/");
  }

  /**
   * What resources are billed in a second ({@code TRESBillingWeights}); without weights, the CPUs.
   *
   * @param weights by the resources' names
   */
  public static double billed(
      TresAmounts tres, Map<String, Double> weights, List<PrioritySettings.Flag> flags) {
    if (weights.isEmpty()) {
      return tres.of(TresAmounts.CPU);
    }
    boolean greatest =
        flags.contains(PrioritySettings.Flag.MAX_TRES)
            || flags.contains(PrioritySettings.Flag.MAX_TRES_GRES);
    boolean addGres = flags.contains(PrioritySettings.Flag.MAX_TRES_GRES);
    double most = 0;
    double sum = 0;
    for (TresAmounts.Amount amount : tres.amounts()) {
      double cost = amount.amount() * weights.getOrDefault(amount.name(), 0.0);
      boolean compared =
          greatest && isOfNode(amount.name()) && !(addGres && amount.name().startsWith("gres/"));
      if (compared) {
        most = Math.max(most, cost);
      } else {
        sum += cost;
      }
    }
    return most + sum;
  }
}
