package io.dure.placement;

import io.dure.model.collection.IntMap;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.model.constraint.FeatureExpression;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeLife;
import io.dure.model.report.GpuFragmentationReport;
import io.dure.placement.gpus.GpuDemand;
import io.dure.placement.gpus.GpuNodes;
import io.dure.placement.gpus.GpuReporter;
import io.dure.placement.gpus.GpuTypes;
import io.dure.placement.nodeselection.TopologyTree;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import io.dure.rules.queueorder.RunTimeEstimates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All nodes with what jobs hold on them. It follows a cluster from view to view, taking time for
 * what changed. One thread.
 */
public final class AllocationLedger {
  private static final int MOST_EXPRESSIONS = 1000;

  /** Null for nodes without jobs. */
  private final @Nullable RunTimeEstimates estimates;

  private final List<NodeLoad> slots;

  /** Slot index by node position, -1 for none. */
  private final int[] indexOfPosition;

  private final Map<String, int[]> members = new TreeMap<>();
  private final Map<Integer, HeldAllocation> held = new TreeMap<>();
  private final NavigableSet<HeldAllocation> byEnd = new TreeSet<>();

  /** What keeps jobs off nodes that are expected, by index. */
  private final Map<Integer, HeldAllocation> away = new TreeMap<>();

  /** The weight of each node. */
  private final long[] weights;

  /** CPUs of each node that a job could have now, 0 where none may start. */
  private final int[] open;

  /** How often each node has changed. */
  private final long[] versions;

  /** The nodes of which that is not 0. */
  private final BitSet opened = new BitSet();

  private final FreedNodeLog changes = new FreedNodeLog();

  /** The shapes of GPUs that jobs hold. */
  private final GpuDemand demand;

  private final GpuNodes gpuNodes;

  /** How switches or blocks join the nodes, null where that is not known. */
  private final @Nullable TopologyTree forest;

  /** Those of the networks with names, by them; one of which all nodes are alike is left out. */
  private final Map<String, TopologyTree> forests = new TreeMap<>();

  private final Map<FeatureExpression, BitSet> featured = new LinkedHashMap<>();
  private SchedulerView view;
  private boolean ownUsers;
  private IntMap<Job> active = IntMap.empty();

  /**
   * What one job holds, or what is not there yet.
   *
   * @param end when it will give it back, seconds since 1970
   * @param job its id, negative for a node that is expected then
   * @param holdings on each of its nodes
   */
  public record HeldAllocation(long end, int job, List<NodeAllocation> holdings)
      implements Comparable<HeldAllocation> {
    @Override
    public int compareTo(HeldAllocation other) {
      int order = Long.compare(end, other.end);
      return order == 0 ? Integer.compare(job, other.job) : order;
    }
  }

  private AllocationLedger(SchedulerView view, @Nullable RunTimeEstimates estimates) {
    this.view = view;
    this.estimates = estimates;
    slots = new ArrayList<>(view.nodes().size());
    List<Integer> positions = view.nodes().keys();
    indexOfPosition = new int[positions.isEmpty() ? 0 : positions.getLast() + 1];
    Arrays.fill(indexOfPosition, -1);
    view.nodes()
        .forEach((position, node) -> {
          indexOfPosition[position] = slots.size();
          slots.add(new NodeLoad(node.config(), node.isExpected()));
        });
    demand =
        new GpuDemand(new GpuTypes(slots.stream().map(slot -> slot.config().resources()).toList()));
    gpuNodes = new GpuNodes(demand.types(), slots);
    Topology topology = view.topology();
    forest = topology == null ? null : TopologyTree.of(topology, slots.size(), this::index);
    for (NamedTopology one : view.topologies()) {
      if (one.topology() != null) {
        forests.put(one.name(), TopologyTree.of(one.topology(), slots.size(), this::index));
      }
    }
    weights = new long[slots.size()];
    open = new int[slots.size()];
    versions = new long[slots.size()];
    for (int i = 0; i < open.length; i++) {
      open(i);
    }
    view.nodes().forEach((position, node) -> weigh(index(position), node));
    if (estimates != null) {
      view.nodes().forEach((position, node) -> keepUntil(index(position), node.life().expected()));
    }
  }

  /** Nodes that are on are taken before those that come up, and these before those that are off. */
  private void weigh(int index, SchedulerNode node) {
    long late =
        node.life() instanceof NodeLife.PoweredDown
            ? 2
            : node.life() instanceof NodeLife.PoweringUp ? 1 : 0;
    weights[index] = node.config().weight() + (late << 40);
  }

  private void open(int index) {
    NodeLoad slot = slots.get(index);
    versions[index]++;
    open[index] = slot.available() ? slot.openCpus() : 0;
    opened.set(index, open[index] > 0);
  }

  /** The nodes as they would be without any job. */
  public static AllocationLedger idle(SchedulerView view) {
    return new AllocationLedger(view, null);
  }

  /** The nodes with what jobs hold on them now. */
  public static AllocationLedger loaded(SchedulerView view, RunTimeEstimates estimates) {
    AllocationLedger ledger = new AllocationLedger(view, estimates);
    ledger.update(view.active(), estimates);
    return ledger;
  }

  /** One node with what jobs hold on it now, null if there is no such node. */
  static @Nullable NodeLoad slot(SchedulerView view, String name) {
    SchedulerNode node = view.nodeNamed(name);
    if (node == null) {
      return null;
    }
    NodeLoad slot = new NodeLoad(node.config(), node.available());
    node.shares()
        .forEach((jobId, share) ->
            slot.hold(holding(view, view.active().get(jobId), 0, share, RunTimeEstimates.LIMITS)));
    return slot;
  }

  private static NodeAllocation holding(
      SchedulerView view,
      @Nullable Job job,
      int index,
      NodeShare share,
      RunTimeEstimates estimates) {
    if (job == null) {
      return new NodeAllocation(index, share, -1, false, "", null, PlannerTime.NEVER, 0, List.of());
    }
    return switch (job.state()) {
      case JobState.Running running ->
          holding(view, job, index, share, running.allocation(), estimates.end(job, running));
      // A job that waits for its turn keeps its place; when others go on is unknown.
      case JobState.Suspended suspended -> {
        Allocation allocation = suspended.run().allocation();
        yield switch (suspended.cause()) {
          case TIME_SLICE -> {
            long end = estimates.end(job, suspended.run());
            yield holding(view, job, index, share, allocation, end);
          }
          case OPERATOR ->
              holding(view, job, index, share, allocation, PlannerTime.NEVER).withoutCores();
          case PREEMPTION -> {
            NodeAllocation left = holding(view, job, index, share, allocation, PlannerTime.NEVER);
            NodeShare whole = allocation.shareOn(share.node());
            boolean ranked =
                view.settings().preempt().type() == PreemptSettings.Type.PARTITION_PRIO;
            yield whole != null && ranked
                ? left.withoutCores().awaiting(whole.cores())
                : left.withoutCores();
          }
        };
      }
      case JobState.Completing completing ->
          holding(view, job, index, share, completing.allocation(), 0);
      case JobState.Pending _, JobState.Ended _ ->
          new NodeAllocation(
              index, share, job.owner().uid(), ownUser(null, job), "", null, 0, 0, List.of());
    };
  }

  private static NodeAllocation holding(
      SchedulerView view, Job job, int index, NodeShare share, Allocation held, long end) {
    PartitionConfig partition = view.partition(held.partition());
    return new NodeAllocation(
        index,
        share,
        job.owner().uid(),
        ownUser(partition, job),
        held.partition(),
        held.jobsPerCore(),
        end,
        partition == null ? 0 : partition.priorityTier(),
        List.of());
  }

  private static boolean ownUser(@Nullable PartitionConfig partition, Job job) {
    return NodeDemand.onlyOwnUser(partition, job.spec().resources());
  }

  /**
   * Goes on to a later view.
   *
   * @return false if nodes came, went or are described differently: then a new ledger is needed
   */
  @SuppressWarnings("unchecked") // of nodes is only read
  public boolean update(SchedulerView next) {
    IntMap<SchedulerNode> before = (IntMap<SchedulerNode>) view.nodes();
    IntMap<SchedulerNode> after = (IntMap<SchedulerNode>) next.nodes();
    boolean[] same = {
      view.partitions().equals(next.partitions())
          && Objects.equals(view.topology(), next.topology())
          && view.topologies().equals(next.topologies())
          && before.size() == after.size()
    };
    before.forEachDifference(
        after,
        position -> {
          SchedulerNode old = before.get(position);
          SchedulerNode now = after.get(position);
          if (old == null || now == null || !old.config().equals(now.config())) {
            same[0] = false;
          } else if (!old.life().equals(now.life()) && old.isExpected() && now.isExpected()) {
            change(index(position), now);
          } else if (old.isExpected() != now.isExpected()
              || !Objects.equals(old.life().expected(), now.life().expected())) {
            change(index(position), now);
          }
        });
    view = next;
    if (same[0] && estimates != null) {
      update(next.active(), estimates);
    }
    return same[0];
  }

  private void change(int index, SchedulerNode node) {
    HeldAllocation before = away.remove(index);
    if (before != null) {
      byEnd.remove(before);
      before.holdings().forEach(this::release);
    }
    slots.get(index).available(node.isExpected());
    weigh(index, node);
    open(index);
    changes.availability(index);
    if (estimates != null) {
      keepUntil(index, node.life().expected());
    }
  }

  /** A node that takes jobs from a time on is taken as a whole until then. */
  private void keepUntil(int index, @Nullable Instant until) {
    if (until != null) {
      NodeAllocation whole = slots.get(index).whole(index, PlannerTime.second(until));
      hold(whole);
      HeldAllocation all = new HeldAllocation(whole.end(), -1 - index, List.of(whole));
      away.put(index, all);
      byEnd.add(all);
    }
  }

  private void update(IntMap<Job> next, RunTimeEstimates by) {
    active.forEachDifference(
        next,
        id -> {
          HeldAllocation before = held.remove(id);
          if (before != null) {
            byEnd.remove(before);
            before.holdings().forEach(this::release);
            demand.add(Objects.requireNonNull(active.get(id)).spec().resources(), -1);
          }
          Job job = next.get(id);
          if (job != null) {
            take(job, by);
          }
        });
    active = next;
  }

  private void take(Job job, RunTimeEstimates by) {
    List<NodeAllocation> holdings =
        switch (job.state()) {
          case JobState.Running running -> holdings(job, running.allocation().shares(), null, by);
          case JobState.Suspended suspended -> holdings(job, suspended.retainedShares(), null, by);
          case JobState.Completing completing ->
              holdings(job, completing.allocation().shares(), completing.nodesLeft(), by);
          case JobState.Pending _, JobState.Ended _ -> List.of();
        };
    ownUsers |= ownUser(null, job);
    if (!holdings.isEmpty()) {
      holdings.forEach(this::hold);
      HeldAllocation all = new HeldAllocation(holdings.getFirst().end(), job.id(), holdings);
      held.put(job.id(), all);
      byEnd.add(all);
      demand.add(job.spec().resources(), 1);
    }
  }

  private List<NodeAllocation> holdings(
      Job job, List<NodeShare> shares, @Nullable List<String> only, RunTimeEstimates by) {
    List<NodeAllocation> holdings = new ArrayList<>(shares.size());
    for (NodeShare share : shares) {
      int index = index(share.node());
      if (index >= 0 && (only == null || only.contains(share.node()))) {
        holdings.add(holding(view, job, index, share, by));
      }
    }
    return holdings;
  }

  /** The weight of the node of that index. */
  long weight(int index) {
    return weights[index];
  }

  /** How switches or blocks join the nodes for a partition's jobs, null where they do not. */
  @Nullable TopologyTree forest(PartitionConfig of) {
    String name = of.nodeUse().topology();
    TopologyTree its = name == null ? null : forests.get(name);
    return view.topology(of) == null ? null : its == null ? forest : its;
  }

  /** Whether switches or blocks join the nodes, so that not all nodes go with all others. */
  public boolean hasTopology() {
    return forest != null || !forests.isEmpty();
  }

  /** A number that changes whenever the node of that index does. */
  public long version(int index) {
    return versions[index];
  }

  /** Indices of the nodes that match; not to be changed. */
  BitSet having(FeatureExpression features) {
    if (featured.size() > MOST_EXPRESSIONS) {
      featured.clear();
    }
    return featured.computeIfAbsent(
        features,
        _ -> {
          BitSet having = new BitSet();
          for (int i = 0; i < slots.size(); i++) {
            having.set(i, features.matches(slots.get(i).config().features()));
          }
          return having;
        });
  }

  /** The shapes of GPUs that jobs hold; not to be changed. */
  public GpuDemand demand() {
    return demand;
  }

  /** What is free of the GPUs of all nodes. */
  public GpuNodes gpuNodes() {
    return gpuNodes;
  }

  /** How much of the GPUs is free, and of use to what waits and runs. */
  public static GpuFragmentationReport gpus(SchedulerView view) {
    AllocationLedger ledger = loaded(view, RunTimeEstimates.LIMITS);
    GpuDemand waiting = new GpuDemand(ledger.demand.types());
    view.pending().forEach((_, job) -> waiting.add(job.spec().resources(), records(job)));
    List<NodeLoad> open = new ArrayList<>(ledger.slots);
    open.removeIf(slot -> !slot.available());
    List<NodeLoad> closed = new ArrayList<>(ledger.slots);
    closed.removeIf(NodeLoad::available);
    return GpuReporter.of(waiting, ledger.demand, open, closed);
  }

  /** How many jobs a record stands for. */
  private static int records(Job job) {
    return job.array() instanceof ArrayPart.Waiting tasks ? tasks.waiting().size() : 1;
  }

  /** The nodes in order. */
  public List<NodeLoad> slots() {
    return slots;
  }

  /** The node of that index. */
  public NodeLoad slot(int index) {
    return slots.get(index);
  }

  private int index(int position) {
    return position < 0 || position >= indexOfPosition.length ? -1 : indexOfPosition[position];
  }

  /** Index of a node's slot, -1 if there is no such node. */
  public int index(String node) {
    return index(view.nodePosition(node));
  }

  /** Indices of a partition's nodes, rising. */
  public int[] partitionNodes(PartitionConfig partition) {
    return members.computeIfAbsent(
        partition.name(),
        _ -> {
          int[] members = new int[partition.nodes().size()];
          int count = 0;
          for (String node : partition.nodes()) {
            int index = index(node);
            if (index >= 0) {
              members[count++] = index;
            }
          }
          int[] known = Arrays.copyOf(members, count);
          Arrays.sort(known);
          return known;
        });
  }

  /** Notes what a job holds. */
  public void hold(NodeAllocation holding) {
    slots.get(holding.node()).hold(holding);
    gpuNodes.changed(holding.node());
    open(holding.node());
  }

  /** Forgets what a job held. */
  public void release(NodeAllocation holding) {
    slots.get(holding.node()).release(holding);
    gpuNodes.changed(holding.node());
    open(holding.node());
    changes.gained(holding.node());
  }

  /** The first node from an index on that has free CPUs and takes jobs, -1 if none has. */
  public int nextOpen(int from) {
    return opened.nextSetBit(from);
  }

  /** Whether a node has too few CPUs for any task, which is all that most nodes are asked. */
  public boolean lacksCpusFor(int node, NodeDemand need) {
    int least = need.wholeNodes() ? slots.get(node).cpus() : need.cpusFor(1);
    return open[node] < least;
  }

  /** Whether a job or a partition was seen that keeps other users off its nodes. */
  public boolean sawOwnUser() {
    return ownUsers || view.partitions().stream().anyMatch(one -> one.sharing().oneUser());
  }

  /** What jobs hold, the first to end first. */
  public NavigableSet<HeldAllocation> byEnd() {
    return byEnd;
  }

  /** What a job holds, null for nothing. */
  public @Nullable HeldAllocation held(int job) {
    return held.get(job);
  }

  /** What became free or came back. */
  public FreedNodeLog changes() {
    return changes;
  }
}
