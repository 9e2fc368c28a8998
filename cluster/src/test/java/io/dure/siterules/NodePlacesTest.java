package io.dure.siterules;

import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that say themselves where they are in the network ({@code Topology=}). */
@Tag("pure")
class NodePlacesTest {
  private static final String YAML =
      """
      - topology: fabric
        tree:
          switches:
            - switch: top
              children: s[1-2]
            - switch: s1
              nodes: n1
            - switch: s2
              nodes: n2
      - topology: racks
        block:
          block_sizes: [1]
          blocks:
            - block: b1
              nodes: n[1-2]
      """;

  private static ParsedConfig parse(String nodes) {
    Map<String, String> files =
        Map.of(
            "/e/slurm.conf",
            "ClusterName=c\nSlurmctldHost=h\n" + nodes + "PartitionName=p Nodes=ALL\n",
            "/e/topology.yaml",
            YAML);
    return SlurmConfParser.parse("/e/slurm.conf", files::get);
  }

  private static List<String> above(TestCluster cluster, String node) {
    return present(cluster.state().topology()).above(node);
  }

  private static <T> T present(T value) {
    Assertions.assertNotNull(value);
    return value;
  }

  private static TestCluster started() {
    ParsedConfig parsed =
        parse(
            """
            NodeName=n[1-2] CPUs=1
            NodeName=n3 CPUs=1 Topology=fabric:top:s2,racks:b1
            """);
    assertEquals(List.of(), parsed.diagnostics());
    TestCluster cluster = ClusterBuilder.of(3).start();
    cluster.reconfigure(parsed.config());
    return cluster;
  }

  @Test
  void nodesAreWhereTheySay() {
    TestCluster cluster = started();
    assertEquals(List.of("top", "s2"), above(cluster, "n3"));
    assertEquals(List.of("top", "s1"), above(cluster, "n1"));
    assertEquals(
        List.of("b1"), present(cluster.state().topologies().get(1).topology()).above("n3"));
    cluster.checkReplay();
  }

  @Test
  void aNodeMovesWhileTheClusterRuns() {
    TestCluster cluster = started();
    cluster.ask(ROOT, NodeOrder.of("n3", "topology", "fabric:s1"));
    assertEquals(List.of("top", "s1"), above(cluster, "n3"));
    cluster.ask(ROOT, NodeOrder.of("n2", "topology", "fabric:s1"));
    assertEquals(List.of("top", "s1"), above(cluster, "n2"));
    assertEquals(
        ErrorCode.BAD_INPUT, cluster.refusal(ROOT, NodeOrder.of("n3", "topology", "fabric:s9")));
    assertEquals(
        ErrorCode.BAD_INPUT, cluster.refusal(ROOT, NodeOrder.of("n3", "topology", "fabric:top")));
    cluster.checkReplay();
  }

  @Test
  void aNodeThatIsAddedIsInTheNetworkAndLeavesItAgain() {
    TestCluster cluster = started();
    Map<String, String> keys =
        Map.of("NodeName", "d1", "CPUs", "1", "Topology", "fabric:s2,racks:b1");
    cluster.ask(ROOT, new Command.CreateNodes(SlurmConfParser.nodes(keys, 6818).results()));
    assertEquals(List.of("top", "s2"), above(cluster, "d1"));
    cluster.ask(ROOT, new Command.DeleteNodes(List.of("d1")));
    assertEquals(List.of(), above(cluster, "d1"));
    cluster.checkReplay();
  }

  @ParameterizedTest
  @CsvSource({"other:s1", "fabric:s9", "fabric:top", "fabric", "racks:b1:b1"})
  void aPlaceThatIsNotThereIsAnErrorOfItsLine(String topology) {
    ParsedConfig parsed = parse("NodeName=n[1-2] CPUs=1 Topology=" + topology + "\n");
    ConfigDiagnostic found = parsed.diagnostics().getFirst();
    assertEquals("Topology", found.key());
    assertTrue(found.message().contains("topology"), found.message());
  }
}
