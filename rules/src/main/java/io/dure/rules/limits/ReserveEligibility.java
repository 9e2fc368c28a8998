package io.dure.rules.limits;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import java.util.ArrayList;
import java.util.List;

/**
 * Which jobs that wait may keep those behind them from resources: not those of a QOS with the flag
 * NoReserve, nor those whose priority is below MinPrioThreshold.
 *
 * @param order which QOS bind a job
 */
public record ReserveEligibility(QosPrecedence order) {

  /** What the accounts of a cluster say. */
  public static ReserveEligibility of(SchedulerView view) {
    return new ReserveEligibility(QosPrecedence.of(view.accounts(), view.partitions()));
  }

  /** Whether the start that a job can expect in a partition is kept for it. */
  public boolean mayReserve(Job job, PartitionConfig partition, long priority) {
    AccountingTree tree = order.tree();
    List<Qos> both = order.of(job.spec().qos(), partition.name());
    List<Long> least = new ArrayList<>();
    for (Qos one : both) {
      if (one.has(QosFlag.NO_RESERVE)) {
        return false;
      }
      Long own = one.limits().of(LimitKind.MIN_PRIO_THRESHOLD);
      if (own != null) {
        least.add(own);
      }
    }
    String account = job.spec().account();
    Association own =
        least.isEmpty() && account != null
            ? tree.charged(account, job.owner().userName(), partition.name())
            : null;
    for (Association at = own; at != null && least.isEmpty(); at = tree.parent(at)) {
      Long handed = at.limits().of(LimitKind.MIN_PRIO_THRESHOLD);
      if (handed != null) {
        least.add(handed);
      }
    }
    return least.isEmpty() || priority >= least.getFirst();
  }
}
