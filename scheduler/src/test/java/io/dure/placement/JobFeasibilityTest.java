package io.dure.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.MemoryLimit;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.placement.JobFeasibility.Answer;
import io.dure.scheduler.JobBuilder;
import io.dure.scheduler.StartEstimate;
import io.dure.scheduler.TestCluster;
import io.dure.scheduler.TestView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests that a cluster of four nodes with 16 CPUs and 31 GiB each can or cannot meet. */
@Tag("pure")
class JobFeasibilityTest {
  private static TestCluster cluster() {
    TestCluster cluster = new TestCluster();
    for (int i = 1; i <= 4; i++) {
      cluster.node("n" + i, 2, 4, 2, 32_000, 1).features(i == 4 ? "gpu" : "cpu");
    }
    return cluster.with(limited("short", List.of("n1", "n2"), 1, Duration.ofMinutes(30)));
  }

  private static PartitionConfig limited(
      String name, List<String> nodes, int maxNodes, Duration maxTime) {
    PartitionConfig open = TestCluster.partition(name, nodes);
    return new PartitionConfig(
        name,
        nodes,
        false,
        open.state(),
        new PartitionConfig.Limits(maxTime, null, 0, maxNodes, Integer.MAX_VALUE),
        new PartitionConfig.Access(
            List.of(),
            List.of("physics"),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            false,
            false,
            false),
        false,
        1,
        1,
        open.sharing(),
        null,
        new MemoryLimit(MemoryLimit.Scope.NODE, 16_000),
        null,
        Map.of(),
        null,
        null,
        Duration.ZERO,
        GpuDefaults.NONE);
  }

  private static String configured(UnaryOperator<JobBuilder> options) {
    return answer(cluster(), options, false);
  }

  private static String answer(
      TestCluster cluster, UnaryOperator<JobBuilder> options, boolean available) {
    JobBuilder job = options.apply(new JobBuilder());
    TestView view = cluster.view();
    PartitionConfig partition = Objects.requireNonNull(view.partition(job.partitions.getFirst()));
    Answer answer =
        available
            ? JobFeasibility.available(view, partition, job.spec())
            : JobFeasibility.configured(view, partition, job.spec());
    return switch (answer) {
      case Answer.Possible _ -> "possible";
      case Answer.Waits(String reason, ErrorCode code) -> "waits " + reason + " / " + code;
      case Answer.Refused(ErrorCode code, String detail) ->
          "refused " + code + (detail.isEmpty() ? "" : ": " + detail);
    };
  }

  @Test
  void whatFitsIsPossibleWhateverItsForm() {
    assertEquals("possible", configured(j -> j));
    assertEquals("possible", configured(j -> j.tasks(64)));
    assertEquals("possible", configured(j -> j.nodes(4).exclusive()));
    assertEquals("possible", configured(j -> j.mem(32_000).cpusPerTask(16)));
    assertEquals("possible", configured(j -> j.on("n4").constraint("gpu&(cpu|gpu)")));
    assertEquals("possible", configured(j -> j.tasks(100).overcommit()));
  }

  @Test
  void tooManyCpusForThePartitionWait() {
    assertEquals("waits PartitionConfig / TOO_MANY_CPUS", configured(j -> j.tasks(9999)));
    assertEquals("waits PartitionConfig / TOO_MANY_CPUS", configured(j -> j.cpusPerTask(99)));
  }

  @Test
  void tooManyCpusForOneNodeAreRefused() {
    assertEquals("refused TOO_MANY_CPUS", configured(j -> j.cpusPerTask(17)));
    assertEquals("refused NODE_CONFIG_UNAVAILABLE", configured(j -> j.tasks(17).nodes(1, 1)));
    assertEquals("refused NODE_CONFIG_UNAVAILABLE", configured(j -> j.tasks(33).threadsPerCore(1)));
  }

  @Test
  void tooMuchMemoryIsRefused() {
    assertEquals(
        "refused NODE_CONFIG_UNAVAILABLE: Memory specification can not be satisfied",
        configured(j -> j.mem(999 * 1024)));
  }

  @Test
  void moreNodesThanThereAreWait() {
    assertEquals("waits PartitionNodeLimit / NODE_CONFIG_UNAVAILABLE", configured(j -> j.nodes(9)));
  }

  @Test
  void limitsOfThePartitionMakeJobsWait() {
    UnaryOperator<JobBuilder> ours = j -> j.partition("short").account("physics").minutes(10);
    assertEquals("possible", configured(ours));
    assertEquals(
        "waits PartitionNodeLimit / INVALID_NODE_COUNT", configured(j -> ours.apply(j).nodes(2)));
    assertEquals(
        "waits PartitionTimeLimit / INVALID_TIME_LIMIT",
        configured(j -> ours.apply(j).minutes(60)));
    assertEquals(
        "waits PartitionTimeLimit / INVALID_TIME_LIMIT",
        configured(j -> ours.apply(j).unlimited()));
    assertEquals(
        "waits AccountNotAllowed / INVALID_ACCOUNT", configured(j -> ours.apply(j).account("bio")));
    assertEquals(
        "waits MaxMemPerLimit / MEMORY_UNAVAILABLE", configured(j -> ours.apply(j).mem(20_000)));
  }

  @Test
  void namesMustExist() {
    assertEquals("refused INVALID_NODE_NAME", configured(j -> j.on("nosuchnode")));
    assertEquals("refused INVALID_NODE_NAME", configured(j -> j.notOn("nosuchnode")));
    assertEquals("refused INVALID_FEATURE", configured(j -> j.constraint("nosuchfeat")));
    assertEquals("refused INVALID_FEATURE", configured(j -> j.constraint("cpu&")));
    assertEquals(
        "refused NODES_NOT_IN_PARTITION",
        configured(j -> j.partition("short").account("physics").on("n3")));
  }

  @Test
  void featuresThatNoNodeHasTogetherAreNoNodeConfiguration() {
    assertEquals("refused NODE_CONFIG_UNAVAILABLE", configured(j -> j.constraint("cpu&gpu")));
  }

  @Test
  void whereSwitchesJoinNodesOneNodeIsEnoughAndSeveralHaveToBeJoined() {
    String conf =
        """
        ClusterName=c
        SlurmctldHost=h
        TopologyPlugin=topology/tree
        SelectType=select/cons_tres
        SelectTypeParameters=CR_Core
        NodeName=n[1-4] CPUs=4 Sockets=1 CoresPerSocket=4
        PartitionName=debug Nodes=ALL Default=YES
        """;
    String switches =
        """
        SwitchName=a Nodes=n[1-2]
        SwitchName=b Nodes=n[3-4]
        """;
    Map<String, String> files = Map.of("/slurm.conf", conf, "/topology.conf", switches);
    ClusterConfig config = SlurmConfParser.parse("/slurm.conf", files::get).config();
    TestView state = TestView.configured(config);
    PartitionConfig partition = Objects.requireNonNull(state.partition("debug"));
    List<Boolean> possible = new ArrayList<>();
    for (int nodes = 1; nodes <= 4; nodes++) {
      JobBuilder job = new JobBuilder().nodes(nodes).tasks(nodes * 4);
      Answer answer = JobFeasibility.configured(state, partition, job.spec());
      possible.add(answer instanceof Answer.Possible);
    }
    assertEquals(List.of(true, true, false, false), possible);
    // Five tasks of one node's four cores are as few nodes as will do.
    JobBuilder wide = new JobBuilder().nodes(1, 2).tasks(5);
    assertEquals(new Answer.Possible(), JobFeasibility.configured(state, partition, wide.spec()));
    assertTrue(
        JobFeasibility.configured(state, partition, new JobBuilder().nodes(1).tasks(5).spec())
            instanceof Answer.Refused);
  }

  @Test
  void eachPartitionHasItsOwnNetworkAndSegmentsMayBeSpread() {
    String conf =
        """
        ClusterName=c
        SlurmctldHost=h
        SelectType=select/cons_tres
        SelectTypeParameters=CR_Core
        NodeName=n[1-8] CPUs=4 Sockets=1 CoresPerSocket=4
        PartitionName=flat Nodes=ALL Default=YES
        PartitionName=racks Nodes=ALL Topology=racks
        PartitionName=apart Nodes=ALL Topology=apart
        """;
    String networks =
        """
        - topology: all
          flat: true
        - topology: racks
          block:
            block_sizes: [4]
            blocks:
            - block: a
              nodes: n[1-4]
            - block: b
              nodes: n[5-8]
        - topology: apart
          tree:
            switches:
            - switch: a
              nodes: n[1-4]
            - switch: b
              nodes: n[5-8]
        """;
    Map<String, String> files = Map.of("/slurm.conf", conf, "/topology.yaml", networks);
    ClusterConfig config = SlurmConfParser.parse("/slurm.conf", files::get).config();
    TestView state = TestView.configured(config);
    JobSpec five = new JobBuilder().nodes(5).tasks(5).spec();
    assertEquals("true true false", possible(state, five, "flat", "racks", "apart"));
    ResourceRequest pairs = new JobBuilder().nodes(4).tasks(4).spec().resources();
    JobSpec spread = five.withResources(segments(pairs, 2, true));
    JobSpec near = five.withResources(segments(pairs, 2, false));
    assertEquals("true true", possible(state, near, "racks", "apart"));
    assertEquals("true", possible(state, spread, "racks"));
    JobSpec six =
        five.withResources(
            segments(new JobBuilder().nodes(6).tasks(6).spec().resources(), 2, true));
    assertEquals("false", possible(state, six, "racks"));
  }

  private static ResourceRequest segments(ResourceRequest of, int size, boolean spread) {
    return of.with(
        ResourceRequest.NodePreferences.NONE.with().segment(size).spreadSegments(spread).build());
  }

  private static String possible(TestView state, JobSpec spec, String... partitions) {
    List<String> answers = new ArrayList<>();
    for (String name : partitions) {
      PartitionConfig partition = Objects.requireNonNull(state.partition(name));
      Answer answer = JobFeasibility.configured(state, partition, spec);
      answers.add(String.valueOf(answer instanceof Answer.Possible));
    }
    return String.join(" ", answers);
  }

  @Test
  void availableCountsOnlyNodesThatTakeJobs() {
    TestCluster cluster = cluster().down("n4");
    String down =
        "waits Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority"
            + " partitions / NODES_BUSY";
    assertEquals("possible", answer(cluster, j -> j.tasks(48), true));
    assertEquals(down, answer(cluster, j -> j.tasks(49), true));
    assertEquals("possible", answer(cluster, j -> j.tasks(49), false));
    assertEquals(down, answer(cluster, j -> j.constraint("gpu"), true));
    assertEquals(
        "waits ReqNodeNotAvail, UnavailableNodes:n4 / NODES_BUSY",
        answer(cluster, j -> j.on("n4"), true));
  }

  @Test
  void theQueueTellsTheSameReasons() {
    TestCluster cluster = cluster();
    cluster.submit(j -> j.tasks(9999));
    cluster.submit(j -> j.mem(999 * 1024));
    cluster.submit(j -> j.nodes(9));
    cluster.submit(j -> j.partition("short").account("physics"));
    cluster.submit(j -> j.partition("short"));
    cluster.submit(j -> j.partition("gone"));
    cluster.submit(j -> j);
    assertEquals("7", cluster.starts());
    assertEquals("PartitionConfig", cluster.reason(1));
    assertEquals("BadConstraints", cluster.reason(2));
    assertEquals("PartitionNodeLimit", cluster.reason(3));
    assertEquals("PartitionTimeLimit", cluster.reason(4));
    assertEquals("AccountNotAllowed", cluster.reason(5));
    assertEquals("PartitionConfig", cluster.reason(6));
  }

  private static @Nullable StartEstimate estimate(
      TestCluster cluster, UnaryOperator<JobBuilder> options) {
    return StartEstimate.of(
        cluster.view(), options.apply(new JobBuilder()).spec(), 1001, cluster.now);
  }

  @Test
  void anEstimateWalksTheEndsOfRunningJobs() {
    TestCluster cluster = TestCluster.nodes(2, 4);
    cluster.submit(j -> j.tasks(4).minutes(30));
    cluster.submit(j -> j.tasks(4).minutes(50));
    cluster.submit(j -> j.tasks(9));
    assertEquals("1 2", cluster.starts());
    StartEstimate one = Objects.requireNonNull(estimate(cluster, j -> j.tasks(2)));
    assertEquals(cluster.now.plus(Duration.ofMinutes(30)), one.start());
    assertEquals("debug [n1] 2", one.partition() + " " + one.nodes() + " " + one.cpus());
    StartEstimate two = Objects.requireNonNull(estimate(cluster, j -> j.nodes(2)));
    assertEquals(cluster.now.plus(Duration.ofMinutes(50)), two.start());
    cluster.end(1);
    assertEquals(cluster.now, Objects.requireNonNull(estimate(cluster, j -> j)).start());
    assertNull(estimate(cluster, j -> j.tasks(9)));
  }
}
