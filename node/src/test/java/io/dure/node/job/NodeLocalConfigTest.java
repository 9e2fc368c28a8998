package io.dure.node.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.SlurmdParameters.SocketKind;
import io.dure.model.config.slurmconf.SlurmConfParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a node is told alone comes before what all are told. */
@Tag("pure")
class NodeLocalConfigTest {
  private static NodeLocalConfig of(String node, String... lines) {
    String conf = "ClusterName=c\nSlurmctldHost=h\n" + String.join("\n", lines) + "\n";
    ClusterConfig config = SlurmConfParser.parseAlone("/slurm.conf", conf).config();
    NodeConfig found = config.node(node);
    assertNotNull(found);
    return new NodeLocalConfig("/slurm.conf", found, config.settings());
  }

  @Test
  void parametersOfTheNodeComeFirst() {
    String all = "SlurmdParameters=dure_job_processes=100,numa_node_as_socket";
    String mine = "NodeName=a Parameters=dure_job_processes=7,l3cache_as_socket";
    assertEquals(7, of("a", all, mine).jobProcesses());
    assertEquals(SocketKind.L3_CACHE, of("a", all, mine).sockets());
    assertEquals(100, of("b", all, "NodeName=b").jobProcesses());
    assertEquals(SocketKind.NUMA_NODE, of("b", all, "NodeName=b").sockets());
    assertEquals(SocketKind.PACKAGE, of("b", "NodeName=b").sockets());
  }
}
