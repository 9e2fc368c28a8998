package io.dure.model.config.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class TopologyYamlReaderTest {
  private static final String CONF =
      """
      ClusterName=c
      SlurmctldHost=h
      NodeName=n[1-8] CPUs=1
      PartitionName=p Nodes=ALL
      PartitionName=q Nodes=ALL Topology=racks
      """;

  private static ParsedConfig parse(String yaml) {
    Map<String, String> files =
        Map.of(
            "/e/slurm.conf",
            CONF,
            "/e/topology.yaml",
            yaml,
            "/e/topology.conf",
            "BlockName=other Nodes=n[1-8]");
    return SlurmConfParser.parse("/e/slurm.conf", files::get);
  }

  @Test
  void severalTopologiesOfWhichOneIsTheDefault() {
    ParsedConfig parsed =
        parse(
            """
            ---
            # two of them
            - topology: racks
              block:
                block_sizes: [2, 4]
                blocks:
                  - block: b0
                    nodes: n[1-2]
                  - block: b1
                    nodes: "n[3-4]"   # quoted
                  - block: b2
                    nodes: n[5-8]
            - topology: fabric
              cluster_default: true
              tree:
                switches:
                - switch: top
                  children: s[1-2]
                - switch: s1
                  nodes: n[1-4]
                - {}
            """
                .replace("    - {}\n", "    - switch: s2\n      nodes: n[5-8]\n"));
    assertTrue(parsed.errors().isEmpty(), parsed.errors().toString());
    ClusterConfig config = parsed.config();
    assertEquals(
        List.of("racks", "fabric"), config.topologies().stream().map(NamedTopology::name).toList());
    Topology.Tree tree = (Topology.Tree) config.topology();
    assertNotNull(tree);
    assertEquals(List.of("top", "s1"), tree.above("n3"));
    Topology.Blocks blocks = (Topology.Blocks) config.topologies().getFirst().topology();
    assertNotNull(blocks);
    assertEquals(List.of(2, 4), blocks.sizes());
    assertEquals(List.of("n3", "n4"), blocks.blocks().get(1).nodes());
    assertEquals("racks", config.partitions().get(1).nodeUse().topology());
  }

  @Test
  void flatHasNoNetworkAndRingIsAsFlat() {
    ParsedConfig parsed = parse("- topology: all\n  flat: true\n- topology: racks\n  ring: x\n");
    assertTrue(parsed.errors().isEmpty(), parsed.errors().toString());
    assertEquals(
        List.of(new NamedTopology("all", null, true), new NamedTopology("racks", null, false)),
        parsed.config().topologies());
    assertTrue(
        parsed.diagnostics().stream().anyMatch(d -> d.message().contains("racks is as flat")));
  }

  /** Lines are set apart by slashes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topology: racks | 1 | the file is no list of topologies",
        "- flat: true/  topology: racks | 1 | a topology begins with its name",
        "- topology: racks | 1 | racks needs exactly one of tree, block and flat",
        "- topology: racks/  flat: true/- topology: racks/  flat: true | 3 | racks is there twice",
        "- topology: racks/  flat: true/  speed: 1 | 3 | unknown key speed",
        "- topology: racks/  tree: x | 2 | racks has nothing below tree",
        "- topology: racks/  tree:/    switches:/      - switch: a/        nodes: m1 | 4 "
            + "| none of its nodes is there",
        "- topology: racks/  tree:/    switches: a | 3 | a list is expected",
        "- topology: racks/  block:/    blocks:/      - block: a/        children: b | 4 "
            + "| a needs either Nodes or Switches",
        "- topology: racks/   flat: true | 2 "
            + "| \"flat: true\" is indented by no more or less than what it belongs to",
        "- topology: racks/  flat | 2 | \"flat\" has no colon behind its key",
        "- topology: &a racks | 1 | \"&a racks\" is not understood",
        "- topology: other/  flat: true | 5 | there is no topology racks"
      })
  void whatIsWrongNamesItsLine(String text, int line, String message) {
    ParsedConfig parsed = parse(text.replace('/', '\n'));
    ConfigDiagnostic first = parsed.errors().getFirst();
    assertEquals(line + ": " + message, first.line() + ": " + first.message());
  }
}
