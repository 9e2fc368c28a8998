package io.dure.cli.scontrol;

import io.dure.cli.command.FakeContext;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The cluster on which the captures were made: n1 to n4, partition debug and a few more. */
public final class ClusterFixture {

  private static final Instant BOOT = Instant.parse("2026-11-20T15:16:10Z");
  private static final Instant START = Instant.parse("2026-11-20T15:41:18Z");

  private ClusterFixture() {}

  /** The cluster. */
  public static Response.Cluster cluster() {
    NodeCondition draining =
        new NodeCondition(
            false, true, false, "disk swap", 0, Instant.parse("2026-11-20T16:00:49Z"));
    NodeCondition good = NodeCondition.GOOD;
    return new Response.Cluster(
        "labreal",
        List.of(
            node(1, 7, 700, "15:59:25", new NodeMetrics(139, 22329), good),
            node(2, 0, 0, "16:00:50", new NodeMetrics(139, 22329), good),
            node(3, 16, 1600, "15:59:16", new NodeMetrics(202, 20645), draining),
            node(4, 9, 1724, "15:59:16", new NodeMetrics(194, 20990), good)),
        List.of(debug()),
        FakeContext.NOW,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        PreemptMode.REQUEUE,
        List.of(),
        false,
        List.of());
  }

  private static NodeInfo node(
      int number, int cpus, long memory, String busy, NodeMetrics load, NodeCondition condition) {
    String name = "n" + number;
    NodeConfig config =
        new NodeConfig(
            name,
            "127.0.0.1",
            "vm",
            "",
            17000 + number,
            new NodeConfig.Shape(16, 1, 2, 8, 1),
            32000,
            0,
            0,
            List.of("lab", number % 2 == 1 ? "f1" : "f0"),
            number == 4 ? "gpu:a100:2" : "",
            1,
            NodeConfig.State.UNKNOWN,
            "",
            null,
            List.of());
    return new NodeInfo(
        config,
        condition,
        facts(),
        true,
        Instant.parse("2026-11-20T" + busy + "Z"),
        cpus,
        memory,
        false,
        load,
        number == 1 ? List.of("debug", "short", "inact", "priv") : List.of("debug", "short"),
        "root",
        number == 2,
        List.of(),
        List.of(),
        null,
        false);
  }

  private static NodeFacts facts() {
    return new NodeFacts(
        "22.05.8",
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
        BOOT,
        "boot",
        START,
        "none",
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static PartitionConfig debug() {
    List<String> none = List.of();
    return new PartitionConfig(
        "debug",
        List.of("n1", "n2", "n3", "n4"),
        true,
        PartitionConfig.State.UP,
        new PartitionConfig.Limits(
            null, Duration.ofHours(1), 0, Integer.MAX_VALUE, Integer.MAX_VALUE),
        new PartitionConfig.Access(none, none, none, none, none, none, false, false, false),
        false,
        1,
        10,
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
