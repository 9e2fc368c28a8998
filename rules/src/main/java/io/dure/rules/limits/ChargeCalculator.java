package io.dure.rules.limits;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The associations and QOS that jobs are charged to. All functions are pure. */
public final class ChargeCalculator {
  private ChargeCalculator() {}

  /**
   * What a job is charged that starts with an allocation; null where it is charged to none.
   *
   * @param partition where it runs, null if that is not known any more
   */
  public static @Nullable JobCharge of(
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
    TresAmounts held = TresAmounts.of(allocation);
    double billed = billed(settings, partition, held);
    TresAmounts all = held.with(TresAmounts.BILLING, (long) billed);
    return JobCharge.of(association, qos, billed, all).in(ofPartition);
  }

  /**
   * What resources are billed in a second.
   *
   * @param partition where they are, null if that is not known any more
   */
  public static double billed(
      PrioritySettings settings, @Nullable PartitionConfig partition, TresAmounts held) {
    Map<String, Double> weights = partition == null ? Map.of() : partition.billingWeights();
    return JobCharge.billed(held, weights, settings.flags());
  }

  /**
   * What a job would be billed in a second for what it asks for, in whole units, where it runs or
   * in the first partition that it asks for; null where that is its CPUs.
   */
  public static @Nullable Long asked(SchedulerView view, Job job) {
    Allocation held = job.state().allocated();
    List<String> partitions = held == null ? job.spec().partitions() : List.of(held.partition());
    PartitionConfig partition = partitions.isEmpty() ? null : view.partition(partitions.getFirst());
    if (partition == null || partition.billingWeights().isEmpty()) {
      return null;
    }
    TresAmounts amounts =
        JobDemand.asked(job, partition)
            .tres()
            .with(TresAmounts.CPU, job.spec().resources().neededCpus());
    return (long) billed(view.settings().priority(), partition, amounts);
  }
}
