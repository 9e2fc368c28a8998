package io.dure.insight.holdings;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.NodeGres;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.report.GpuTaskShape;
import io.dure.model.report.ResourceHolder;
import io.dure.model.report.ShareHolder;
import io.dure.model.request.ResourceRequest;
import io.dure.placement.gpus.GpuDemand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What each user of each account holds and waits for. Lives within one calculation; one thread. */
final class OwnerTotals {
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
   * @param account account that they are charged to, null for none
   */
  record Owner(@Nullable String account, String user) {}

  /** What an owner holds and waits for. */
  private final class Count {
    final AmountsCounter held = new AmountsCounter(types);
    final AmountsCounter asked = new AmountsCounter(types);
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
  OwnerTotals(@Nullable PartitionConfig partition, boolean byAccount, GpuDemand demand) {
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
    Allocation allocation = job.state().allocated();
    return partition == null
        || allocation != null && allocation.partition().equals(partition.name());
  }

  private void gpus(AmountsCounter held, NodeGres gres, NodeShare share) {
    for (GresShare one : share.gres()) {
      if (one.name().equals(GresCount.GPU)) {
        held.gpus(type(one.type()), one.count() * GpuTaskShape.WHOLE);
      } else if (one.devices().size() == 1) {
        part(held, gres, one);
      }
    }
  }

  /** A part of a GPU that jobs share. */
  private void part(AmountsCounter held, NodeGres gres, GresShare share) {
    int index = share.devices().getFirst();
    for (CountedGres stock : gres.stocks()) {
      if (stock.name().equals(share.name()) && Objects.equals(stock.gpu(), index)) {
        for (GresDevice device : gres.devices()) {
          if (device.name().equals(GresCount.GPU) && device.index() == index) {
            held.gpus(
                type(device.type()),
                share.count() * GpuTaskShape.WHOLE / Math.max(1, stock.count()));
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
      Allocation allocation = job.state().allocated();
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

  private void asked(AmountsCounter asked, Job job, GresRequest gres, int jobs) {
    ResourceRequest request = job.spec().resources();
    long left = SimilarRunKey.of(job.spec(), 1).gpus() * GpuTaskShape.WHOLE;
    if (left == 0) {
      // None of its own, but maybe a part of one.
      GpuTaskShape shape = demand.types().isEmpty() ? null : demand.types().shape(request);
      left = shape == null ? 0 : (long) shape.gpuMilli() * Math.max(1, request.minNodes());
    }
    GresCount named = null;
    for (GresCount one : gres.all()) {
      named = named == null && one.type() != null && types.contains(one.type()) ? one : named;
    }
    asked.gpus(type(named == null ? null : named.type()), left * jobs);
  }

  /** Each owner with what it holds and waits for, not yet placed anywhere. */
  Map<Owner, ResourceHolder> holders() {
    Map<Owner, ResourceHolder> holders =
        new TreeMap<>(((TreeMap<Owner, Count>) counts).comparator());
    counts.forEach((owner, count) ->
        holders.put(
            owner,
            new ResourceHolder(
                new ShareHolder.User(owner.user(), owner.account()),
                0,
                count.held.amounts(),
                count.running,
                new ResourceHolder.Waiting(count.waiting, count.later, count.asked.amounts()),
                null)));
    return holders;
  }
}
