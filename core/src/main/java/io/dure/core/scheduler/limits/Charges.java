package io.dure.core.scheduler.limits;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.PrioritySettings;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.TresAmounts;
import io.dure.core.accounting.usage.Charge;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Allocation;
import io.dure.core.model.Job;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whom jobs are charged to. All functions are pure. */
public final class Charges {
  private Charges() {}

  /**
   * What a job is charged that starts with an allocation; null where there is nobody.
   *
   * @param partition where it runs, null if that is not known any more
   */
  public static @Nullable Charge of(
      AccountingTree tree,
      PrioritySettings settings,
      @Nullable PartitionConfig partition,
      Job job,
      Allocation allocation) {
    String account = job.spec().account();
    Association association =
        account == null
            ? null
            : tree.charged(account, job.owner().userName(), allocation.partition());
    Qos qos = job.spec().qos() == null ? null : tree.qos(job.spec().qos());
    String named = partition == null ? null : partition.qos();
    Qos ofPartition = named == null ? null : tree.qos(named);
    if (association == null && qos == null && ofPartition == null) {
      return null;
    }
    Map<String, Double> weights = partition == null ? Map.of() : partition.billingWeights();
    TresAmounts held = TresAmounts.of(allocation);
    double billed = Charge.billed(held, weights, settings.flags());
    TresAmounts all = held.with(TresAmounts.BILLING, (long) billed);
    return Charge.of(association, qos, billed, all).in(ofPartition);
  }
}
