package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.backfill.BackfillSettings;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.NodeGres;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeLife;
import io.dure.model.report.DurePriority;
import io.dure.model.reservation.Reservation;
import io.dure.rules.PartitionRules;
import io.dure.rules.queueorder.DurePriorityTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A small cluster with a clock: jobs are submitted, plans carried out, time passes. */
public final class TestCluster {
  static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

  ClusterSettings.Unit unit = ClusterSettings.Unit.CORE;
  boolean memory = true;
  boolean backfill;
  BackfillSettings promises = BackfillSettings.USUAL;
  @Nullable PolicySettings policy;
  PreemptSettings preempt = PreemptSettings.NONE;
  AccountingTree accounts = AccountingTree.initial();
  List<Reservation> reservations = List.of();
  RunHistory runs = RunHistory.EMPTY;
  public Instant now = START;
  final List<TestView.TestNode> nodes = new ArrayList<>();
  final List<PartitionConfig> partitions = new ArrayList<>();
  IntMap<Job> pending = IntMap.empty();
  IntMap<Job> active = IntMap.empty();
  IntMap<IntMap<Integer>> tasks = IntMap.empty();
  int nextId = 1;
  private final Planner planner = new Planner();
  private Planner.Memory remembered = Planner.Memory.none();
  SchedulingPlan last = new SchedulingPlan(List.of(), IntMap.empty(), false);

  /** Nodes n1, n2, ... of one socket, one thread a core, and 1000 MiB. */
  public static TestCluster nodes(int count, int cores) {
    TestCluster cluster = new TestCluster();
    for (int i = 1; i <= count; i++) {
      cluster.node("n" + i, 1, cores, 1, 1000, 1);
    }
    return cluster;
  }

  /**
   * A node of four cores, which one job holds for an hour at first, under Dure's own order with
   * these settings.
   */
  static TestCluster busy(String... settings) {
    TestCluster cluster = nodes(1, 4).backfill();
    cluster.policy = TestSettings.policy(settings);
    cluster.submit(j -> j.tasks(4).minutes(60));
    if (!cluster.starts().equals("1")) {
      throw new IllegalStateException("the first job does not start");
    }
    return cluster;
  }

  public TestCluster node(
      String name, int sockets, int cores, int threads, long memoryMib, long weight) {
    NodeConfig.Shape shape =
        new NodeConfig.Shape(sockets * cores * threads, 1, sockets, cores, threads);
    NodeConfig config =
        new NodeConfig(
            name,
            name,
            name,
            "",
            6818,
            shape,
            memoryMib,
            0,
            0,
            List.of(),
            "",
            weight,
            NodeConfig.State.UNKNOWN,
            "",
            null,
            List.of());
    nodes.add(new TestView.TestNode(config, NodeLife.Plain.UP, IntMap.empty()));
    return this;
  }

  /** The node that was added last has these features. */
  public TestCluster features(String... features) {
    NodeConfig config = nodes.removeLast().config().withFeatures(List.of(features));
    nodes.add(new TestView.TestNode(config, NodeLife.Plain.UP, IntMap.empty()));
    return this;
  }

  /** The node that was added last has so many GPUs. */
  TestCluster gpus(int count) {
    CountedGres gpus = new CountedGres(GresCount.GPU, null, null, count, true);
    NodeConfig config = nodes.removeLast().config().with(new NodeGres(List.of(), List.of(gpus)));
    nodes.add(new TestView.TestNode(config, NodeLife.Plain.UP, IntMap.empty()));
    return this;
  }

  /** A node does not exist yet. */
  TestCluster future(String name) {
    nodes.replaceAll(n ->
        n.config().name().equals(name)
            ? new TestView.TestNode(
                n.config().withState(NodeConfig.State.FUTURE), n.life(), n.shares())
            : n);
    return this;
  }

  TestCluster backfill() {
    backfill = true;
    return this;
  }

  TestCluster unit(ClusterSettings.Unit next) {
    unit = next;
    return this;
  }

  public TestCluster down(String name) {
    return life(name, NodeLife.Plain.DOWN);
  }

  /** The node is there in its life now. */
  TestCluster life(String name, NodeLife life) {
    nodes.replaceAll(n ->
        n.config().name().equals(name) ? new TestView.TestNode(n.config(), life, n.shares()) : n);
    return this;
  }

  public static PartitionConfig partition(String name, List<String> nodes) {
    return partition(name, nodes, PartitionConfig.State.UP, 1, Integer.MAX_VALUE);
  }

  static PartitionConfig cpusPerNode(String name, List<String> nodes, int most) {
    return partition(name, nodes, PartitionConfig.State.UP, 1, most);
  }

  public static PartitionConfig state(
      String name, PartitionConfig like, PartitionConfig.State state, int tier) {
    return partition(name, like.nodes(), state, tier, Integer.MAX_VALUE);
  }

  private static PartitionConfig partition(
      String name, List<String> nodes, PartitionConfig.State state, int tier, int cpusPerNode) {
    return new PartitionConfig(
        name,
        nodes,
        false,
        state,
        new PartitionConfig.Limits(null, null, 0, Integer.MAX_VALUE, cpusPerNode),
        new PartitionConfig.Access(
            List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), false, false, false),
        false,
        tier,
        1,
        new PartitionConfig.OverSubscribe(PartitionConfig.OverSubscribe.Mode.NO, 1),
        null,
        null,
        null,
        Map.of(),
        null,
        null,
        Duration.ZERO,
        GpuDefaults.NONE);
  }

  public TestCluster with(PartitionConfig partition) {
    partitions.add(partition);
    return this;
  }

  /** The partitions, and debug with all nodes unless there is one. */
  private List<PartitionConfig> partitions() {
    List<PartitionConfig> all = new ArrayList<>(partitions);
    if (all.stream().noneMatch(p -> p.name().equals("debug"))) {
      all.add(partition("debug", nodes.stream().map(n -> n.config().name()).toList()));
    }
    return all;
  }

  public TestView view() {
    List<PartitionConfig> all = partitions();
    IntMap<TestView.TestNode> byPosition = IntMap.empty();
    TreeMap<String, Integer> positions = new TreeMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      positions.put(nodes.get(i).config().name(), i);
      byPosition = byPosition.with(i, nodes.get(i));
    }
    return new TestView(
        TestSettings.of(unit, memory, backfill, promises, policy, preempt),
        all,
        byPosition,
        positions,
        pending,
        active,
        tasks,
        runs,
        null,
        List.of(),
        accounts,
        reservations);
  }

  /** What Dure's own order says of a job that waits. */
  DurePriority standing(int job) {
    TestView view = view();
    PartitionConfig partition = view.partitions().getLast();
    return DurePriorityTable.of(view, now).of(view.pending().require(job), partition);
  }

  /** Submits; each job is a second younger than the one before. */
  public int submit(UnaryOperator<JobBuilder> options) {
    int id = nextId++;
    pending = pending.with(id, options.apply(new JobBuilder()).job(id, START.plusSeconds(id)));
    return id;
  }

  /** A pass that remembers the one before, if that was of the same planner. */
  SchedulingPlan plan(Planner by) {
    Planner.Planned planned = by.plan(view(), now, ArrayTaskGate.OPEN, remembered);
    remembered = planned.memory();
    return planned.plan();
  }

  /** One pass whose starts are carried out. What the planner remembers must change nothing. */
  public SchedulingPlan schedule() {
    last = Planner.once(view(), now);
    assertEquals(last, plan(planner), "with and without memory");
    last.starts().forEach(this::start);
    return last;
  }

  /** Minutes from now until each job is promised to start, {@code 2:60 3:90} and the like. */
  String promised() {
    List<String> all = new ArrayList<>();
    last.verdicts()
        .forEach((id, verdict) -> {
          if (verdict.expectedStart() != null) {
            all.add(id + ":" + Duration.between(now, verdict.expectedStart()).toMinutes());
          }
        });
    return String.join(" ", all);
  }

  /** Ids of the jobs that a pass starts, {@code 3 4_0} and the like. */
  public String starts() {
    List<String> ids = new ArrayList<>();
    for (Placement placement : schedule().starts()) {
      ids.add(
          placement.jobId() + (placement.taskIndex() == null ? "" : "_" + placement.taskIndex()));
    }
    return String.join(" ", ids);
  }

  /** Nodes on which the last pass put the job, {@code n1:2 n2:1} with CPUs. */
  String where(int jobId) {
    List<String> shares = new ArrayList<>();
    for (Placement placement : last.starts()) {
      if (placement.jobId() == jobId) {
        placement.allocation().shares().forEach(s -> shares.add(s.node() + ":" + s.cpus()));
      }
    }
    return String.join(" ", shares);
  }

  public String reason(int jobId) {
    PendingVerdict verdict = last.verdicts().get(jobId);
    return verdict == null ? "None" : verdict.reason();
  }

  public void start(Placement placement) {
    Job job = pending.require(placement.jobId());
    if (job.array() instanceof ArrayPart.Waiting waiting) {
      job = split(job, waiting, Objects.requireNonNull(placement.taskIndex()));
    }
    pending = pending.without(job.id());
    PartitionConfig partition =
        partitions().stream()
            .filter(p -> p.name().equals(placement.allocation().partition()))
            .findFirst()
            .orElseThrow();
    Instant end = PartitionRules.end(partition, job.spec(), now);
    active =
        active.with(
            job.id(),
            job.withState(
                new JobState.Running(
                    placement.allocation(),
                    now,
                    end,
                    true,
                    false,
                    Hold.NONE,
                    false,
                    null,
                    null,
                    false)));
    share(job.id(), placement.allocation(), true);
  }

  private Job split(Job job, ArrayPart.Waiting waiting, int index) {
    var left = waiting.waiting().without(index);
    int id = left.isEmpty() ? job.id() : nextId++;
    if (!left.isEmpty()) {
      pending =
          pending.with(
              job.id(),
              job.withArray(
                  job.id(),
                  new ArrayPart.Waiting(
                      waiting.arrayJobId(), waiting.shape(), left, waiting.throttle())));
    }
    IntMap<Integer> known = tasks.get(waiting.arrayJobId());
    tasks =
        tasks.with(
            waiting.arrayJobId(),
            (known == null ? IntMap.<Integer>empty() : known).with(index, id));
    return job.withArray(
        id, new ArrayPart.Task(waiting.arrayJobId(), waiting.shape(), index, waiting.throttle()));
  }

  private void share(int jobId, Allocation allocation, boolean take) {
    TreeMap<String, NodeShare> byNode = new TreeMap<>();
    allocation.shares().forEach(s -> byNode.put(s.node(), s));
    nodes.replaceAll(n -> {
      @Nullable NodeShare share = byNode.get(n.config().name());
      return share == null
          ? n
          : new TestView.TestNode(
              n.config(),
              n.life(),
              take ? n.shares().with(jobId, share) : n.shares().without(jobId));
    });
  }

  /** The job ends now. */
  public TestCluster end(int jobId) {
    Job job = active.require(jobId);
    if (job.state() instanceof JobState.Running running) {
      share(jobId, running.allocation(), false);
    }
    active = active.without(jobId);
    return this;
  }

  /** Time passes; jobs end at their limits. */
  TestCluster advance(Duration time) {
    now = now.plus(time);
    for (Job job : active.values()) {
      if (job.state() instanceof JobState.Running running
          && running.end() != null
          && !running.end().isAfter(now)) {
        end(job.id());
      }
    }
    return this;
  }
}
