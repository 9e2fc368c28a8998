package io.dure.siterules;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.config.NodeConfig;
import io.dure.model.node.CommandLineFacts;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeNotes;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is written down of nodes while they run, and the features that they have now. */
@Tag("pure")
class NodeNotesTest {
  private final TestCluster cluster =
      ClusterBuilder.of(1).node("m1").cpus(4).describe(" Features=big,fast").start();

  @Test
  void notesStayThroughAReconfiguration() {
    cluster.ask(ROOT, NodeOrder.of("n1", "comment", "c", "extra", "{e}"));
    cluster.ask(ROOT, NodeOrder.of("n1", "instanceid", "i-1", "instancetype", "t"));
    NodeNotes all = new NodeNotes("c", "{e}", "i-1", "t");
    assertEquals(all, cluster.node("n1").config().notes());
    cluster.reconfigure(cluster.state().config());
    assertEquals(all, cluster.node("n1").config().notes());
    cluster.ask(ROOT, NodeOrder.of("n1", "comment", ""));
    assertEquals("", cluster.node("n1").config().notes().comment());
    cluster.checkReplay();
  }

  @Test
  void aDaemonTellsThoseOfItsCommandLine() {
    cluster.ask(ROOT, NodeOrder.of("n1", "comment", "c", "extra", "old"));
    cluster.ask(ROOT, NodeOrder.of("n1", "instancetype", "t"));
    registered(new NodeNotes("", "new", "i-2", ""));
    assertEquals(new NodeNotes("c", "new", "i-2", "t"), cluster.node("n1").config().notes());
    cluster.ask(ROOT, NodeOrder.of("n1", "extra", "later"));
    cluster.reconfigure(cluster.state().config());
    assertEquals("later", cluster.node("n1").config().notes().extra());
    registered(null);
    assertEquals("later", cluster.node("n1").config().notes().extra(), "it told nothing");
    registered(new NodeNotes("", "new", "i-2", ""));
    assertEquals("new", cluster.node("n1").config().notes().extra());
    cluster.checkReplay();
  }

  @Test
  void aDaemonMaySayThatItsMachineWasBooted() {
    NodeFacts plain = cluster.node("n1").config().asConfigured(cluster.now());
    CommandLineFacts line = new CommandLineFacts(true, NodeNotes.NONE);
    NodeFacts first = plain.with().told(line).build();
    assertFalse(plain.isBootedSince(plain));
    assertFalse(first.isBootedSince(first), "the same daemon calls again");
    NodeFacts later = first.with().daemonStart(first.daemonStart().plusSeconds(1)).build();
    assertTrue(later.isBootedSince(first), "another one that says so");
    assertFalse(plain.with().daemonStart(later.daemonStart()).build().isBootedSince(plain));
    assertTrue(plain.with().bootId("next").build().isBootedSince(plain));
  }

  private void registered(@Nullable NodeNotes notes) {
    CommandLineFacts told = notes == null ? null : new CommandLineFacts(false, notes);
    NodeFacts facts = cluster.node("n1").config().asConfigured(cluster.now());
    cluster.message(
        "n1", new Command.RegisterNode(facts.with().told(told).build(), List.of(), null));
  }

  @Test
  void addressesAndHostNamesAreGivenToSeveralNodesInOrder() {
    Map<String, String> keys =
        Map.of("nodeaddr", "10.0.0.[7-8]", "nodehostname", "i-7,i-8", "comment", "cloud");
    cluster.ask(ROOT, new Command.UpdateNodes(List.of("n1", "m1"), keys));
    assertEquals("10.0.0.8", cluster.node("m1").config().address());
    assertEquals("i-7", cluster.node("n1").config().hostName());
    assertEquals("cloud", cluster.node("m1").config().notes().comment());
    assertEquals(
        ErrorCode.INVALID_NODE_NAME,
        cluster.refusal(
            ROOT, new Command.UpdateNodes(List.of("n1", "m1"), Map.of("nodeaddr", "h1"))));
    cluster.checkReplay();
  }

  @Test
  void aNodeMayHaveFewerFeaturesThanItCould() {
    cluster.ask(ROOT, NodeOrder.of("m1", "activefeatures", "big"));
    NodeConfig node = cluster.node("m1").config();
    assertEquals(List.of("big"), node.features());
    assertEquals(List.of("big", "fast"), node.availableFeatures());
    assertEquals(
        ErrorCode.ACTIVE_FEATURES,
        cluster.refusal(ROOT, NodeOrder.of("m1", "activefeatures", "other")));
    assertEquals(
        ErrorCode.ACTIVE_FEATURES,
        cluster.refusal(ROOT, NodeOrder.of("m1", "availablefeatures", "other")));
    assertEquals(List.of("big", "fast"), cluster.node("m1").config().availableFeatures());
    cluster.ask(ROOT, NodeOrder.of("m1", "availablefeatures", "other,big"));
    assertEquals(List.of("big"), cluster.node("m1").config().features());
    assertEquals(List.of("other", "big"), cluster.node("m1").config().availableFeatures());
    cluster.checkReplay();
  }

  @Test
  void featuresOfBothKindsChangeTogether() {
    Map<String, String> keys = Map.of("availablefeatures", "x,y", "activefeatures", "y");
    cluster.ask(ROOT, new Command.UpdateNodes(List.of("m1"), keys));
    assertEquals(List.of("y"), cluster.node("m1").config().features());
    assertEquals(List.of("x", "y"), cluster.node("m1").config().availableFeatures());
    cluster.ask(ROOT, NodeOrder.of("m1", "activefeatures", ""));
    cluster.ask(ROOT, NodeOrder.of("m1", "availablefeatures", "z"));
    assertEquals(List.of("z"), cluster.node("m1").config().features());
    cluster.checkReplay();
  }

  @Test
  void aNodeThatIsNoDaemonsIsNotSetDownForItsSilenceAndGetsNoJob() {
    TestCluster mixed =
        ClusterBuilder.of(1).node("x1").cpus(4).describe(" State=EXTERNAL").startWithoutDaemons();
    mixed.connect("n1");
    mixed.minutes(30);
    assertFalse(mixed.node("x1").condition().down());
    int id = mixed.submit(ALICE, job().on("x1"));
    assertEquals("PENDING", mixed.state(id));
  }

  @Test
  void aJobsPartitionsAreInTheOrderOfTheirTiers() {
    TestCluster tiers =
        ClusterBuilder.of(1)
            .partition("low", "Nodes=n1 PriorityTier=1 Default=YES")
            .partition("high", "Nodes=n1 PriorityTier=9")
            .partition("same", "Nodes=n1 PriorityTier=1")
            .start();
    int id = tiers.submit(ALICE, job().partition("same", "low", "high").held());
    assertEquals(List.of("high", "same", "low"), tiers.job(id).spec().partitions());
  }
}
