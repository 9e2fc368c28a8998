package io.dure.siterules;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Hold;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules that a site may set, as jobs and nodes meet them. */
@Tag("pure")
class SiteRulesInForceTest {
  private static ErrorCode refusalOfNodes(TestCluster cluster, int count) {
    List<NodeConfig> nodes = ClusterBuilder.of(9).config().config().nodes();
    return cluster.refusal(ROOT, new Command.CreateNodes(nodes.subList(9 - count, 9)));
  }

  @Test
  void noMoreNodesAreAddedThanMaxNodeCount() {
    TestCluster cluster = ClusterBuilder.of(2).set("MaxNodeCount", "3").start();
    assertEquals(ErrorCode.INVALID_NODE_NAME, refusalOfNodes(cluster, 2));
    assertNull(refusalOfNodes(cluster, 1));
  }

  @Test
  void aJobThatLostItsNodeTooOftenIsHeld() {
    TestCluster cluster = ClusterBuilder.of(1).set("MaxNodeFailRequeue", "1").start();
    int id = cluster.submit(ALICE, job().on("n1").runs(6_000).requeue(true));
    lose(cluster);
    assertEquals(Hold.NONE, cluster.job(id).state().hold());
    cluster.minutes(3);
    assertEquals("RUNNING", cluster.state(id));
    lose(cluster);
    assertEquals(Hold.MAX_REQUEUE, cluster.job(id).state().hold());
  }

  private static void lose(TestCluster cluster) {
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "DOWN", "reason", "x"));
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "RESUME"));
  }

  @Test
  void aJobWithoutPartitionAsksForAll() {
    TestCluster cluster =
        ClusterBuilder.of(2)
            .set("JobSubmitPlugins", "all_partitions")
            .partition("a", "Nodes=n1 Default=YES")
            .partition("b", "Nodes=n2")
            .start();
    int id = cluster.submit(ALICE, job().partition().runs(60));
    assertEquals(List.of("a", "b"), cluster.job(id).spec().partitions());
  }

  @Test
  void aJobHasToNameATimeLimit() {
    TestCluster cluster = ClusterBuilder.of(1).set("JobSubmitPlugins", "require_timelimit").start();
    assertEquals(ErrorCode.INVALID_TIME_LIMIT, cluster.refusal(ALICE, job().runs(60)));
    assertNull(cluster.refusal(ALICE, job().time(5).runs(60)));
  }

  @Test
  void partitionsStayAsTheyWereChanged() {
    for (String flag : List.of("KeepPartState", "KeepPartInfo", "none")) {
      ClusterBuilder builder = ClusterBuilder.of(1);
      TestCluster cluster =
          flag.equals("none") ? builder.start() : builder.set("ReconfigFlags", flag).start();
      PartitionConfig down =
          cluster
              .state()
              .partitions()
              .getFirst()
              .withState(PartitionConfig.State.DOWN)
              .withPriorityTier(7);
      cluster.ask(ROOT, new Command.ChangePartition(down, false));
      cluster.reconfigure(cluster.state().config());
      PartitionConfig now = cluster.state().partitions().getFirst();
      assertEquals(!flag.equals("none"), now.state() == PartitionConfig.State.DOWN, flag);
      assertEquals(flag.equals("KeepPartInfo"), now.priorityTier() == 7, flag);
    }
  }

  @Test
  void aNodeMayHaveALittleLessMemoryThanItIsSaid() {
    TestCluster strict = ClusterBuilder.of(1).start();
    TestCluster lenient =
        ClusterBuilder.of(1).set("SlurmctldParameters", "node_reg_mem_percent=90").start();
    for (TestCluster cluster : List.of(strict, lenient)) {
      NodeConfig config = cluster.node("n1").config();
      cluster.message(
          "n1",
          new Command.RegisterNode(
              config.asConfigured(cluster.now()).with().memoryMib(3_700).build(), List.of(), null));
    }
    assertTrue(strict.node("n1").condition().drain());
    assertFalse(lenient.node("n1").condition().drain());
  }

  @Test
  void noMoreNodesAreOnThanMaxPoweredNodes() {
    TestCluster cluster =
        ClusterBuilder.of(3)
            .set("SuspendProgram", "/off")
            .set("ResumeProgram", "/on")
            .set("SuspendTime", "60")
            .set("SlurmctldParameters", "max_powered_nodes=2")
            .start();
    cluster.seconds(70);
    for (String node : List.of("n1", "n2", "n3")) {
      cluster.disconnect(node);
    }
    cluster.seconds(40);
    int id = cluster.submit(ALICE, job().nodes(3).runs(60));
    assertEquals("CONFIGURING", cluster.state(id));
    long coming =
        cluster.state().nodes().values().stream()
            .filter(node -> node.life().toString().startsWith("PoweringUp"))
            .count();
    assertEquals(2, coming);
  }
}
