package io.dure.core.census;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.NodeRecord;
import io.dure.core.history.RunKind;
import io.dure.core.model.Allocation;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeShare;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.gres.GresCount;
import io.dure.core.model.gres.GresDevice;
import io.dure.core.model.gres.GresRequest;
import io.dure.core.model.gres.GresShare;
import io.dure.core.model.gres.GresStock;
import io.dure.core.model.gres.NodeGres;
import io.dure.core.scheduler.gpus.GpuDemand;
import io.dure.core.scheduler.gpus.GpuShape;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What each user of each account holds and waits for. Lives within one calculation; one thread. */
final class Owners {
  private final @Nullable PartitionConfig partition;
  private final boolean byAccount;
  private final GpuDemand demand;
  private final List<String> types;
  private final Map<Owner, Count> counts =
      new TreeMap<>(
          Comparator.comparing((Owner owner) -> Objects.requireNonNullElse(owner.account(), ""))
              .thenComparing(Owner::user));

  /**
   * Whose jobs.
   *
   * @param account whom they are charged to, null for nobody
   */
  record Owner(@Nullable String account, String user) {}

  /** What an owner holds and waits for. */
  private final class Count {
    final Sum held = new Sum(types);
    final Sum asked = new Sum(types);
    long running;
    long waiting;
    long later;
  }

  /**
   * Nothing yet.
   *
   * @param partition only jobs of that partition, null for all
   * @param byAccount whether accounts are told apart
   * @param demand what is asked for of GPUs, to be counted in
   */
  Owners(@Nullable PartitionConfig partition, boolean byAccount, GpuDemand demand) {
    this.partition = partition;
    this.byAccount = byAccount;
    this.demand = demand;
    List<String> names = new ArrayList<>(demand.types().names());
    if (!names.contains("")) {
      names.add("");
    }
    types = List.copyOf(names);
  }

  private Count of(Job job) {
    Owner owner = new Owner(byAccount ? job.spec().account() : null, job.owner().userName());
    return counts.computeIfAbsent(owner, _ -> new Count());
  }

  /** Counts what is held on a node. */
  void node(ClusterState state, NodeRecord node) {
    node.shares()
        .forEach((id, share) -> {
          Job job = state.active().get(id);
          if (job != null && runsHere(job)) {
            Count count = of(job);
            count.held.cpus(share.cpus());
            gpus(count.held, node.config().resources(), share);
          }
        });
  }

  private boolean runsHere(Job job) {
    Allocation allocation = allocation(job);
    return partition == null
        || allocation != null && allocation.partition().equals(partition.name());
  }

  private static @Nullable Allocation allocation(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.allocation();
      case JobState.Suspended suspended -> suspended.run().allocation();
      case JobState.Completing completing -> completing.allocation();
      case JobState.Pending _, JobState.Ended _ -> null;
    };
  }

  private void gpus(Sum held, NodeGres gres, NodeShare share) {
    for (GresShare one : share.gres()) {
      if (one.name().equals(GresCount.GPU)) {
        held.gpus(type(one.type()), one.count() * GpuShape.WHOLE);
      } else if (one.devices().size() == 1) {
        part(held, gres, one);
      }
    }
  }

  /** A part of a GPU that jobs share. */
  private void part(Sum held, NodeGres gres, GresShare share) {
    int index = share.devices().getFirst();
    for (GresStock stock : gres.stocks()) {
      if (stock.name().equals(share.name()) && Objects.equals(stock.gpu(), index)) {
        for (GresDevice device : gres.devices()) {
          if (device.name().equals(GresCount.GPU) && device.index() == index) {
            held.gpus(
                type(device.type()), share.count() * GpuShape.WHOLE / Math.max(1, stock.count()));
          }
        }
      }
    }
  }

  private int type(@Nullable String name) {
    int known = types.indexOf(Objects.requireNonNullElse(name, ""));
    return known < 0 ? types.indexOf("") : known;
  }

  /** Counts a job that holds something. */
  void active(Job job) {
    if (runsHere(job)) {
      Count count = of(job);
      count.running++;
      Allocation allocation = allocation(job);
      if (partition == null
          && allocation != null
          && !(job.state() instanceof JobState.Completing)) {
        count.held.licenses(allocation.licenses());
      }
    }
  }

  /** Counts a job, or tasks of an array, that wait. */
  void pending(Job job, Instant now) {
    if (partition != null && !job.spec().partitions().contains(partition.name())
        || !(job.state() instanceof JobState.Pending pending)) {
      return;
    }
    Count count = of(job);
    int jobs = job.array() instanceof ArrayPart.Waiting tasks ? tasks.waiting().size() : 1;
    ResourceRequest request = job.spec().resources();
    Instant eligible = job.eligibleTime();
    boolean later = pending.hold() != Hold.NONE || eligible == null || eligible.isAfter(now);
    count.waiting += jobs;
    count.later += later ? jobs : 0;
    count.asked.cpus((long) jobs * request.totalCpus());
    if (request.gres() != null) {
      demand.add(request, jobs);
      asked(count.asked, job, request.gres(), jobs);
    }
  }

  private void asked(Sum asked, Job job, GresRequest gres, int jobs) {
    ResourceRequest request = job.spec().resources();
    long left = RunKind.of(job.spec(), 1).gpus() * GpuShape.WHOLE;
    if (left == 0) {
      // None of its own, but maybe a part of one.
      GpuShape shape = demand.types().isEmpty() ? null : demand.types().shape(request);
      left = shape == null ? 0 : (long) shape.gpuMilli() * Math.max(1, request.minNodes());
    }
    GresCount named = null;
    for (GresCount one : gres.all()) {
      named = named == null && one.type() != null && types.contains(one.type()) ? one : named;
    }
    asked.gpus(type(named == null ? null : named.type()), left * jobs);
  }

  /** Each owner with what it holds and waits for, not yet placed anywhere. */
  Map<Owner, Holder> holders() {
    Map<Owner, Holder> holders = new TreeMap<>(((TreeMap<Owner, Count>) counts).comparator());
    counts.forEach((owner, count) ->
        holders.put(
            owner,
            new Holder(
                new Whom.User(owner.user(), owner.account()),
                0,
                count.held.amounts(),
                count.running,
                new Holder.Waiting(count.waiting, count.later, count.asked.amounts()),
                null)));
    return holders;
  }
}
