package io.dure.controller.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.node.NodeCondition;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What PrivateData keeps from users. */
@Tag("pure")
final class PrivateDataTest {
  private static final Instant NOW = Instant.EPOCH;

  private static Response.Cluster seen(String privateData, boolean operator) {
    String text =
        "SlurmctldHost=vm\nClusterName=lab\nPrivateData="
            + privateData
            + "\nNodeName=n1 CPUs=4 RealMemory=1000 State=DOWN Reason=disk"
            + "\nPartitionName=debug Nodes=n1\n";
    var config = SlurmConfParser.parse("/slurm.conf", _ -> text).config();
    ClusterState state =
        EventApplier.apply(ClusterState.initial(config), new Event.Configured(config, NOW));
    Caller.User who =
        new Caller.User(new UserIdentity(1001, 1001, "alice", "users"), List.of(), operator);
    return ClusterView.of(state, PendingVerdicts.NONE, _ -> null, _ -> "root", who, NOW);
  }

  @Test
  void nodesHaveNoState() {
    Response.Cluster cluster = seen("nodes", false);
    assertEquals(List.of("nodes"), cluster.denied());
    assertEquals(NodeCondition.GOOD, cluster.nodes().getFirst().condition());
    assertEquals(4, cluster.nodes().getFirst().config().shape().cpus());
    assertFalse(cluster.partitions().isEmpty());
  }

  @Test
  void partitionsAreNone() {
    Response.Cluster cluster = seen("partitions,jobs", false);
    assertEquals(List.of("partitions"), cluster.denied());
    assertTrue(cluster.partitions().isEmpty());
    assertEquals("disk", cluster.nodes().getFirst().condition().reason());
  }

  @Test
  void operatorsSeeEverything() {
    Response.Cluster cluster = seen("nodes,partitions", true);
    assertEquals(List.of(), cluster.denied());
    assertEquals("disk", cluster.nodes().getFirst().condition().reason());
    assertFalse(cluster.partitions().isEmpty());
  }
}
