package io.dure.core.scheduler.limits;

import io.dure.core.accounting.TresAmounts;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Allocation;
import io.dure.core.model.Job;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.gres.GresCount;
import io.dure.core.model.gres.GresRequest;
import io.dure.core.scheduler.PartitionRules;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job would take if it started now.
 *
 * @param user its owner's name
 * @param account its account, null for none
 * @param qos its QOS, null for none
 * @param partition where it would run
 * @param tres what it would hold
 * @param minutes its time limit, null for none
 */
public record Demand(
    String user,
    @Nullable String account,
    @Nullable String qos,
    String partition,
    TresAmounts tres,
    @Nullable Long minutes) {

  /** What the job takes with an allocation. */
  public static Demand of(Job job, PartitionConfig partition, Allocation allocation) {
    return of(job, partition, TresAmounts.of(allocation));
  }

  /** What the job asks for, of which it may get more. */
  public static Demand asked(Job job, PartitionConfig partition) {
    ResourceRequest request = job.spec().resources();
    TresAmounts tres =
        TresAmounts.NONE
            .with(TresAmounts.CPU, request.totalCpus())
            .with(TresAmounts.NODE, request.minNodes());
    GresRequest gres = request.gres();
    if (gres != null) {
      tres = plus(tres, gres.perJob(), 1);
      tres = plus(tres, gres.perNode(), request.minNodes());
      tres = plus(tres, gres.perTask(), request.tasks());
    }
    return of(job, partition, tres);
  }

  private static TresAmounts plus(TresAmounts tres, List<GresCount> counts, long times) {
    TresAmounts sum = tres;
    for (GresCount count : counts) {
      sum = sum.plus("gres/" + count.name(), count.count() * times);
      if (count.type() != null) {
        sum = sum.plus("gres/" + count.name() + ":" + count.type(), count.count() * times);
      }
    }
    return sum;
  }

  private static Demand of(Job job, PartitionConfig partition, TresAmounts tres) {
    Duration limit = PartitionRules.runTime(partition, job.spec());
    return new Demand(
        job.owner().userName(),
        job.spec().account(),
        job.spec().qos(),
        partition.name(),
        tres,
        limit == null ? null : limit.toMinutes());
  }
}
