package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.SlurmdParameters.SocketKind;
import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import io.dure.model.config.slurmconf.ParsedConfig;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a node's daemon is told by its own line of slurm.conf. */
@Tag("pure")
class NodeParametersTest {
  private static SlurmdParameters of(ParsedConfig parsed, String node) {
    NodeConfig found = parsed.config().node(node);
    assertNotNull(found);
    return found.parameters();
  }

  @Test
  void aNodesOwnWordsStandBesideThoseOfAll() {
    ParsedConfig parsed =
        ConfText.with(
            """
            SlurmdParameters=dure_job_processes=100,numa_node_as_socket
            NodeName=a Parameters=config_overrides,L3cache_as_socket,dure_job_processes=UNLIMITED
            NodeName=b
            """);
    assertEquals(List.of(), ConfText.found(parsed, Severity.ERROR));
    SlurmdParameters a = of(parsed, "a");
    assertTrue(a.configOverrides());
    assertEquals(SocketKind.L3_CACHE, a.sockets());
    assertEquals(Integer.MAX_VALUE, a.jobProcesses());
    assertEquals(SlurmdParameters.NONE, of(parsed, "b"));
    ClusterSettings.Daemon all = parsed.config().settings().daemon();
    assertFalse(all.configOverrides());
    assertEquals(SocketKind.NUMA_NODE, all.sockets());
    assertEquals(100, all.jobProcesses());
  }

  @Test
  void whatCannotBeFollowedIsTold() {
    ParsedConfig parsed =
        ConfText.with("NodeName=a Parameters=shutdown_on_reboot,dure_job_processes=few\n");
    assertEquals(
        List.of("5 Parameters: dure_job_processes: value (few) is not a number"),
        ConfText.found(parsed, Severity.ERROR));
    assertEquals(
        List.of("5 Parameters: shutdown_on_reboot: read, and not acted on"),
        ConfText.found(parsed, Severity.NO_EFFECT));
  }
}
