package io.dure.cli.captured;

import io.dure.cli.command.FakeContext;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The nodes and partitions of the cluster whose outputs were captured. */
final class LabNodes {

  private static final List<String> ALL = List.of("n1", "n2", "n3", "n4");

  private LabNodes() {}

  /** The cluster as a user saw it who is not in the group of partition {@code closed}. */
  static Response.Cluster cluster() {
    NodeCondition draining =
        new NodeCondition(false, true, false, "disk swap", 0, LabJobs.at("16:00:49"));
    return new Response.Cluster(
        "labreal",
        List.of(
            node(1, 7, 700, NodeCondition.GOOD, 139, 22329),
            node(2, 0, 0, NodeCondition.GOOD, 139, 22329),
            node(3, 16, 1600, draining, 202, 20645),
            node(4, 9, 1724, NodeCondition.GOOD, 194, 20990)),
        List.of(
            partition("debug", ALL, true, PartitionConfig.State.UP, null, 0),
            partition("short", ALL, false, PartitionConfig.State.UP, Duration.ofMinutes(30), 0),
            partition(
                "closed", List.of("n1"), false, PartitionConfig.State.DOWN, Duration.ofDays(1), 0),
            partition("inact", List.of("n1"), false, PartitionConfig.State.INACTIVE, null, 0),
            partition("priv", List.of("n1"), false, PartitionConfig.State.UP, null, 1)),
        FakeContext.NOW,
        List.of("closed"));
  }

  private static NodeInfo node(
      int number, int cpus, long memory, NodeCondition condition, int load, long free) {
    Instant boot = LabJobs.at("15:16:10");
    NodeConfig config =
        new NodeConfig(
            "n" + number,
            "127.0.0.1",
            "vm",
            "",
            17000 + number,
            new NodeConfig.Shape(16, 1, 2, 8, 1),
            32000,
            0,
            0,
            List.of("lab", "f" + number % 2),
            number == 4 ? "gpu:a100:2" : "",
            1,
            NodeConfig.State.UNKNOWN,
            "",
            null,
            List.of());
    return new NodeInfo(
        config,
        condition,
        facts(boot),
        true,
        LabJobs.at("15:59:25"),
        cpus,
        memory,
        false,
        new NodeMetrics(load, free),
        number == 1 ? List.of("debug", "short", "inact", "priv") : List.of("debug", "short"),
        condition.reason() == null ? "" : "root",
        number == 2,
        List.of(),
        List.of(),
        null,
        false);
  }

  private static NodeFacts facts(Instant boot) {
    return new NodeFacts(
        "0.1.0",
        "vm",
        "127.0.0.1",
        "x86_64",
        "Linux 6.18.44-fc-v669 #1 SMP PREEMPT_DYNAMIC @0",
        16,
        2,
        8,
        1,
        32000,
        0,
        List.of(),
        boot,
        "boot",
        LabJobs.at("15:41:18"),
        "cgroup/v2",
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static PartitionConfig partition(
      String name,
      List<String> nodes,
      boolean isDefault,
      PartitionConfig.State state,
      Duration maxTime,
      int maxNodes) {
    return new PartitionConfig(
        name,
        nodes,
        isDefault,
        state,
        new PartitionConfig.Limits(
            maxTime,
            isDefault ? Duration.ofHours(1) : null,
            0,
            maxNodes == 0 ? Integer.MAX_VALUE : maxNodes,
            Integer.MAX_VALUE),
        new PartitionConfig.Access(
            List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), false, false, false),
        false,
        1,
        isDefault ? 10 : 1,
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
}
