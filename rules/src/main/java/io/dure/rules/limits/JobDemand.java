package io.dure.rules.limits;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.rules.PartitionRules;
import java.time.Duration;
import java.util.ArrayList;
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
 * @param onOneNode the most that it would hold of each resource on one node
 */
public record JobDemand(
    String user,
    @Nullable String account,
    @Nullable String qos,
    String partition,
    TresAmounts tres,
    @Nullable Long minutes,
    TresAmounts onOneNode) {

  /** What the job takes with an allocation. */
  public static JobDemand of(Job job, PartitionConfig partition, Allocation allocation) {
    TresAmounts most = TresAmounts.NONE;
    for (NodeShare share : allocation.shares()) {
      TresAmounts held = TresAmounts.of(new Allocation(allocation.partition(), List.of(share)));
      for (TresAmounts.Amount one : held.amounts()) {
        most = most.with(one.name(), Math.max(one.amount(), most.of(one.name())));
      }
    }
    String user = job.owner().userName();
    return of(user, job.spec(), partition, TresAmounts.of(allocation), most);
  }

  /** What the job asks for, of which it may get more. */
  public static JobDemand asked(Job job, PartitionConfig partition) {
    return asked(job.owner().userName(), job.spec(), partition);
  }

  /** What a user's job would ask for. */
  public static JobDemand asked(String user, JobSpec spec, PartitionConfig partition) {
    ResourceRequest request = spec.resources();
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
    long memory =
        switch (request.memory()) {
          case MemoryRequest.PerNode(long mib) -> mib * request.minNodes();
          case MemoryRequest.PerCpu(long mib) -> mib * request.totalCpus();
          case MemoryRequest.PerGpu _, MemoryRequest.Default _ -> 0;
        };
    int nodes = Math.max(1, request.maxNodes());
    tres = memory == 0 ? tres : tres.with(TresAmounts.MEMORY, memory);
    List<TresAmounts.Amount> least = new ArrayList<>();
    for (TresAmounts.Amount all : tres.amounts()) {
      least.add(new TresAmounts.Amount(all.name(), Math.ceilDiv(all.amount(), nodes)));
    }
    return of(user, spec, partition, tres, new TresAmounts(least));
  }

  /** What jobs that start together take for as long as this one, but for what one node bears. */
  public JobDemand together(List<JobDemand> others) {
    TresAmounts sum = tres;
    for (JobDemand other : others) {
      for (TresAmounts.Amount one : other.tres.amounts()) {
        sum = sum.plus(one.name(), one.amount());
      }
    }
    return new JobDemand(user, account, qos, partition, sum, minutes, TresAmounts.NONE);
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

  private static JobDemand of(
      String user,
      JobSpec spec,
      PartitionConfig partition,
      TresAmounts tres,
      TresAmounts onOneNode) {
    Duration limit = PartitionRules.runTime(partition, spec);
    return new JobDemand(
        user,
        spec.account(),
        spec.qos(),
        partition.name(),
        tres,
        limit == null ? null : limit.toMinutes(),
        onOneNode);
  }
}
