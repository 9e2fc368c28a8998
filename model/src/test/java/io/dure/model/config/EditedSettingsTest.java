package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.slurmconf.SlurmConfParser;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One line of a section by itself, and over a partition that stands. */
@Tag("pure")
class EditedSettingsTest {

  private static Map<String, String> keys(String... words) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (int i = 0; i < words.length; i += 2) {
      keys.put(words[i], words[i + 1]);
    }
    return keys;
  }

  private static List<NodeConfig> nodes() {
    return SlurmConfParser.nodes(keys("NodeName", "n[1-3]", "CPUs", "4"), 17001).results();
  }

  private static PartitionConfig partition(String... words) {
    SlurmConfParser.Edited<PartitionConfig> edited =
        SlurmConfParser.partition(null, keys(words), nodes());
    assertEquals(List.of(), edited.errors());
    return edited.results().getFirst();
  }

  @Test
  void nodesAreReadAsInTheFile() {
    assertEquals(List.of("n1", "n2", "n3"), nodes().stream().map(NodeConfig::name).toList());
    assertEquals(4, nodes().getFirst().shape().cpus());
    assertEquals(17001, nodes().getFirst().port());
  }

  @Test
  void whatIsNotNamedStaysAsItWas() {
    PartitionConfig before =
        partition(
            "PartitionName",
            "p",
            "Nodes",
            "n[1-2]",
            "MaxTime",
            "60",
            "DefaultTime",
            "30",
            "OverSubscribe",
            "FORCE:2",
            "DefMemPerCPU",
            "100",
            "AllowGroups",
            "a,b",
            "Hidden",
            "yes",
            "PriorityTier",
            "7",
            "OverTimeLimit",
            "5",
            "Default",
            "yes");
    SlurmConfParser.Edited<PartitionConfig> same =
        SlurmConfParser.partition(before, keys("PartitionName", "p"), nodes());
    assertEquals(List.of(before), same.results());
  }

  @Test
  void whatIsNamedChanges() {
    PartitionConfig before = partition("PartitionName", "p", "Nodes", "n1", "DefMemPerCPU", "100");
    PartitionConfig after =
        SlurmConfParser.partition(
                before,
                keys("State", "down", "MaxTime", "1-0", "Nodes", "ALL", "DefMemPerNode", "500"),
                nodes())
            .results()
            .getFirst();
    assertEquals(PartitionConfig.State.DOWN, after.state());
    assertEquals(Duration.ofDays(1), after.limits().maxTime());
    assertEquals(List.of("n1", "n2", "n3"), after.nodes());
    assertEquals(new MemoryLimit(MemoryLimit.Scope.NODE, 500), after.defaultMemory());
  }

  @Test
  void whatIsWrongIsAFinding() {
    PartitionConfig before = partition("PartitionName", "p", "Nodes", "n1");
    SlurmConfParser.Edited<PartitionConfig> edited =
        SlurmConfParser.partition(before, keys("Nodes", "n9"), nodes());
    assertEquals(List.of(), edited.results());
    assertTrue(edited.errors().getFirst().message().contains("n9"));
  }

  @Test
  void keysMayBeCutShort() {
    assertEquals("MaxTime", SlurmConfParser.partitionKey("maxt"));
    assertEquals("OverSubscribe", SlurmConfParser.partitionKey("shared"));
    assertEquals("RealMemory", SlurmConfParser.nodeKey("REALMEM"));
    assertNull(SlurmConfParser.partitionKey("nonsense"));
  }
}
