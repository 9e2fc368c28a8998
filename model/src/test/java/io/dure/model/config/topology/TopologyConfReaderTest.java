package io.dure.model.config.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
class TopologyConfReaderTest {
  private static final String CONF =
      """
      ClusterName=c
      SlurmctldHost=h
      NodeName=n[1-8] CPUs=1
      PartitionName=p Nodes=ALL
      TopologyPlugin=topology/\
      """;

  private static ParsedConfig parse(String plugin, String topology) {
    Map<String, String> files =
        Map.of("/e/slurm.conf", CONF + plugin + "\n", "/e/topology.conf", topology);
    return SlurmConfParser.parse("/e/slurm.conf", files::get);
  }

  /** Lines are set apart by slashes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SwitchName=a Nodes=n[1-4]/SwitchName=b Nodes=n[4-8] | 2 | n4 is in a (line 1) too",
        "SwitchName=a Nodes=m[1-9] | 1 | none of its nodes is there",
        "SwitchName=a Nodes=n[1-8]/SwitchName=b Switches=a,x | 2 | there is no switch x",
        "SwitchName=a Switches=b/SwitchName=b Switches=a | 2 | b is below itself",
        "SwitchName=a Switches=a | 1 | a is below itself",
        "SwitchName=a Nodes=n1/SwitchName=b Switches=a/SwitchName=c Switches=a | 3 "
            + "| a is below b (line 2) too",
        "SwitchName=a Nodes=n1/SwitchName=a Nodes=n2 | 2 | a stands on line 1 too",
        "SwitchName=a | 1 | a needs either Nodes or Switches",
        "SwitchName=b Nodes=n1/SwitchName=a Nodes=n2 Switches=b | 2 "
            + "| a needs either Nodes or Switches",
        "Nodes=n1 | 1 | the line names no switch",
        "SwitchName=a Nodes=n[1 | 1 | value (n[1) is no list of names",
        "SwitchName=a Nodes=n1 Speed=1 | 1 | unknown key Speed",
        "SwitchName=a Nodes=n1 LinkSpeed=x | 1 | value (x) is not a number",
        "BlockName=a Nodes=n1 | 1 | BlockName does not belong to topology/tree",
        "# nothing | 1 | the file describes nothing"
      })
  void whatIsWrongNamesFileAndLine(String text, int line, String message) {
    expect(parse("tree", text.replace('/', '\n')), line, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BlockName=a Nodes=n[1-4]/BlockSizes=8 | 2 | a block has only 4 nodes",
        "BlockName=a Nodes=n[1-4]/BlockSizes=4,12 | 2 "
            + "| value (4,12) is not a size and its doubles, rising",
        "BlockName=a Nodes=n[1-4]/BlockName=b Nodes=n[4-8] | 2 | n4 is in a (line 1) too",
        "SwitchName=a Nodes=n1 | 1 | SwitchName does not belong to topology/block"
      })
  void blocksThatAreWrong(String text, int line, String message) {
    expect(parse("block", text.replace('/', '\n')), line, message);
  }

  private static void expect(ParsedConfig parsed, int line, String message) {
    assertNull(parsed.config().topology());
    ConfigDiagnostic first = parsed.errors().getFirst();
    assertEquals("/e/topology.conf", first.file());
    assertEquals(line, first.line());
    assertEquals(message, first.message());
  }

  @Test
  void aMissingFileIsNamed() {
    ParsedConfig parsed =
        SlurmConfParser.parse("/e/slurm.conf", Map.of("/e/slurm.conf", CONF + "tree\n")::get);
    assertEquals("cannot read /e/topology.conf", parsed.errors().getFirst().message());
  }

  @Test
  void withoutThePluginTheFileIsNotRead() {
    ParsedConfig parsed = parse("flat", "rubbish\n");
    assertTrue(parsed.errors().isEmpty());
    assertNull(parsed.config().topology());
  }

  @Test
  void anotherPluginIsAsNone() {
    ParsedConfig parsed = parse("torus3d", "rubbish\n");
    assertTrue(parsed.errors().isEmpty());
    assertTrue(
        parsed.diagnostics().stream()
            .anyMatch(d -> d.severity() == ConfigDiagnostic.Severity.NO_EFFECT));
  }

  @Test
  void switchesKnowTheirLevelsAndWhatIsAboveANode() {
    ParsedConfig parsed =
        parse(
            "tree",
            """
            SwitchName=top Switches=s[0-1]
            SwitchName=s0 Nodes=n[1-4]
            SwitchName=s1 Nodes=n[5-7] LinkSpeed=9
            """);
    Topology topology = parsed.config().topology();
    assertEquals(List.of("top", "s1"), topology.above("n6"));
    assertEquals(List.of(), topology.above("n8"));
    assertEquals(1, ((Topology.Tree) topology).switches().getFirst().level());
    assertTrue(
        parsed.diagnostics().stream().anyMatch(d -> d.message().startsWith("n8 is in none")));
  }

  @Test
  void namesOfNoNodeAreLeftOut() {
    ParsedConfig parsed = parse("tree", "SwitchName=a Nodes=n[7-12],m1\n");
    assertEquals(
        List.of("n7", "n8"),
        ((Topology.Tree) parsed.config().topology()).switches().getFirst().nodes());
    ConfigDiagnostic first = parsed.diagnostics().getFirst();
    assertEquals(ConfigDiagnostic.Severity.WARNING, first.severity());
    assertEquals("there is no node of that name, and it is left out: m1,n[9-12]", first.message());
  }

  @Test
  void blocksKnowTheirSizes() {
    ParsedConfig parsed = parse("block", "BlockName=a Nodes=n[1-4]\nBlockName=b Nodes=n[5-8]\n");
    assertEquals(List.of(4), ((Topology.Blocks) parsed.config().topology()).sizes());
    assertEquals(List.of("b"), parsed.config().topology().above("n5"));
  }
}
