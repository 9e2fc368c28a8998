package io.dure.cli.captured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sinfo.Sinfo;
import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.sinfo.NodeColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Options of the node listing of which no output was captured, and the words for states. */
@Tag("pure")
class NodeOptionsTest {

  private static final NodeCondition DOWN =
      new NodeCondition(true, false, false, "Not responding", 0, FakeContext.NOW);
  private static final NodeCondition DRAIN =
      new NodeCondition(false, true, false, "fan", 0, FakeContext.NOW);
  private static final NodeCondition FAIL =
      new NodeCondition(false, false, true, "soon", 0, FakeContext.NOW);

  private final FakeContext world = new FakeContext();
  private Response.Cluster cluster = LabNodes.cluster();

  private String list(String... words) {
    return run(0, words);
  }

  private String run(int code, String... words) {
    world.out.reset();
    world.controller = new ScriptedController().answer(cluster);
    List<String> all = new ArrayList<>(List.of("sinfo"));
    all.addAll(List.of(words));
    assertEquals(code, new Sinfo().run(world.call(all.toArray(String[]::new))));
    return world.printed();
  }

  @Test
  void summary() {
    assertEquals(
        """
        PARTITION AVAIL  TIMELIMIT   NODES(A/I/O/T) NODELIST
        debug*       up   infinite          3/1/0/4 n[1-4]
        short        up      30:00          3/1/0/4 n[1-4]
        inact     inact   infinite          1/0/0/1 n1
        priv         up   infinite          1/0/0/1 n1
        """,
        list("-s"));
  }

  @Test
  void nodeByNode() {
    assertEquals(
        """
        NODELIST   NODES PARTITION STATE\s
        n1             1    debug* mix  \s
        n2             1    debug* plnd \s
        n3             1    debug* drng \s
        n4             1    debug* mix  \s
        """,
        list("-N", "-p", "debug"));
    assertEquals(
        """
        Fri Nov 20 16:01:34 2026
        NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON\
                     \s
        n3             1    debug*    draining 16      2:8:1  32000        0      1   lab,f1 \
        disk swap          \s
        """,
        list("-Nl", "-p", "debug", "-n", "n3"));
  }

  @Test
  void statesTogetherAndNegated() {
    assertEquals("n1\nn2\nn4\n", nodes("~drain"));
    assertEquals("n3\n", nodes("alloc+drain"));
    assertEquals("n3\n", nodes("ALLOC&DRAIN"));
    assertEquals("n1\nn4\n", nodes("mixed+~drain,idle+drain"));
    assertEquals("n2\nn3\n", nodes("!mix"));
    assertEquals("", nodes("reboot_requested,external"));
    cluster = withAnExternalNode();
    assertEquals("n2\n", nodes("external"));
    assertEquals("n1\nn3\nn4\n", nodes("~external"));
    cluster = LabNodes.cluster();
    world.out.reset();
    run(1, "-t", "idle+nope");
    assertTrue(world.errors().startsWith("sinfo: error: Bad state string: \"nope\"\n"));
  }

  private static Response.Cluster withAnExternalNode() {
    Response.Cluster lab = LabNodes.cluster();
    List<NodeInfo> nodes = new ArrayList<>(lab.nodes());
    NodeInfo second = nodes.get(1);
    nodes.set(1, second.withConfig(second.config().withState(NodeConfig.State.EXTERNAL)));
    return new Response.Cluster(
        lab.clusterName(), nodes, lab.partitions(), FakeContext.NOW, List.of());
  }

  private String nodes(String states) {
    world.out.reset();
    return list("-N", "-h", "-p", "debug", "-o", "%N", "-t", states);
  }

  @Test
  void whatHasNoGresUsesNoneOfTheClustersKinds() {
    cluster = cluster.withGresTypes(List.of("gpu"));
    assertEquals("gpu:0\n", list("-h", "-n", "n1", "-O", "GresUsed:"));
  }

  @Test
  void longReasons() {
    assertEquals(
        """
        Fri Nov 20 16:01:34 2026
        REASON               USER         TIMESTAMP           STATE  NODELIST
        disk swap            root(0)      2026-11-20T16:00:49 drng   n3
        """,
        list("-lR"));
  }

  @Test
  void withoutPartitionEachNodeCountsOnce() {
    assertEquals("32/32/0/64\n", list("-h", "-o", "%C"));
    assertEquals("3/1/0/4\n", list("-h", "-o", "%F"));
    assertEquals("1,planned\n1,draining\n2,mixed\n", list("-ho", "%D,%T"));
    assertEquals("n1 \nn1 \nn1 \nn1 \n", list("-h", "-N", "-n", "n1", "-o", "%N "));
  }

  @Test
  void rangesAndLeastValues() {
    assertEquals("16 32000 1.39-2.02 20645-22329\n", list("-h", "-o", "%c %m %O %e"));
    assertEquals(
        "gpu:a100:2 gpu:a100:0(IDX:N/A)\n", list("-h", "-n", "n4", "-O", "Gres: ,GresUsed:"));
    cluster =
        with(cluster.nodes().get(0), cluster.nodes().get(1).condition(), 7, false, false, null);
    assertEquals("N/A N/A\n", list("-h", "-n", "n1", "-p", "priv", "-o", "%O %e"));
  }

  private Response.Cluster with(
      NodeInfo node,
      NodeCondition condition,
      int cpus,
      boolean completing,
      boolean planned,
      io.dure.model.node.NodeMetrics load) {
    return new Response.Cluster(
        "lab",
        List.of(
            new NodeInfo(
                node.config(),
                condition,
                node.facts(),
                true,
                null,
                cpus,
                0,
                completing,
                load,
                List.of(),
                "",
                planned,
                List.of(),
                List.of(),
                null,
                false)),
        cluster.partitions(),
        FakeContext.NOW,
        List.of());
  }

  private static SlurmNodeState state(
      NodeCondition condition, int cpus, boolean completing, boolean responding, boolean known) {
    NodeInfo node = LabNodes.cluster().nodes().getFirst();
    return SlurmNodeState.of(
        new NodeInfo(
            node.config(),
            condition,
            known ? node.facts() : null,
            responding,
            null,
            cpus,
            0,
            completing,
            null,
            List.of(),
            "",
            false,
            List.of(),
            List.of(),
            null,
            false));
  }

  @Test
  void aNodesPowerIsASignBehindItsState() {
    Instant now = FakeContext.NOW;
    NodeCondition good = NodeCondition.GOOD;
    NodeCondition off = good.withAway(new NodeLife.PoweredDown(now));
    assertEquals("idle~", state(off, 0, false, false, true).brief());
    assertEquals("IDLE+POWERED_DOWN", state(off, 0, false, false, false).complete());
    NodeCondition up = good.withAway(new NodeLife.PoweringUp(now, now));
    assertEquals("alloc#", state(up, 16, false, false, true).brief());
    assertEquals("MIXED+POWERING_UP", state(up, 3, false, false, true).complete());
    NodeCondition down = good.withAway(new NodeLife.PoweringDown(now, now));
    assertEquals("idle%", state(down, 0, false, true, true).brief());
    NodeCondition wanted = good.withAway(new NodeLife.PoweringDown(null, now));
    assertEquals("mix!", state(wanted, 3, false, true, true).brief());
    assertEquals("MIXED+POWER_DOWN", state(wanted, 3, false, true, true).complete());
    assertEquals(
        "DOWN+POWERED_DOWN", state(off.asDown("x", 0, now), 0, false, false, true).complete());
  }

  @Test
  void words() {
    NodeCondition good = NodeCondition.GOOD;
    assertEquals("idle", state(good, 0, false, true, true).brief());
    assertEquals("mix", state(good, 3, false, true, true).brief());
    assertEquals("alloc", state(good, 16, false, true, true).brief());
    assertEquals("comp", state(good, 0, true, true, true).brief());
    assertEquals("alloc+", state(good, 16, true, true, true).brief());
    assertEquals("drain", state(DRAIN, 0, false, true, true).brief());
    assertEquals("drained", state(DRAIN, 0, false, true, true).full());
    assertEquals("drng", state(DRAIN, 2, false, true, true).brief());
    assertEquals("down*", state(DOWN, 0, false, false, true).brief());
    assertEquals("down", state(DOWN, 0, false, true, true).brief());
    assertEquals("idle*", state(good, 0, false, false, true).brief());
    assertEquals("unk*", state(good, 0, false, false, false).brief());
    assertEquals("fail", state(FAIL, 0, false, true, true).brief());
    assertEquals("failg", state(FAIL, 1, false, true, true).brief());
    assertEquals("MIXED+DRAIN+NOT_RESPONDING", state(DRAIN, 2, false, false, true).complete());
  }

  @Test
  void others() {
    world.controller =
        new ScriptedController().answer(new Response.Reservations(List.of(), FakeContext.NOW));
    assertEquals(0, new Sinfo().run(world.call("sinfo", "-T")));
    assertEquals("No reservations in the system\n", world.printed());
    assertTrue(list("--help").startsWith("Usage: sinfo [OPTIONS]\n"));
    assertTrue(list("-V").startsWith("slurm 26.05"));
    assertEquals(
        "CLUSTER: labreal\nPARTITION\nclosed\n",
        list("-M", "labreal", "-a", "-p", "closed", "-o", "%R"));
    assertEquals("short\npriv\ninact\ndebug*\n", list("-S", "-P", "-ho", "%P"));
  }

  @Test
  void everyColumnHasAValue() {
    StringBuilder names = new StringBuilder();
    for (NodeColumn column : NodeColumn.all()) {
      names.append(names.isEmpty() ? "" : ",").append(column.names().longName());
    }
    assertEquals(1, list("-h", "-O", names.toString(), "-n", "n1", "-p", "debug").lines().count());
  }

  @Test
  void environment() {
    world.environment.put("SINFO_FORMAT", "%R %a");
    world.environment.put("SINFO_PARTITION", "inact");
    assertEquals("PARTITION AVAIL\ninact inactive\n", list());
  }

  @Test
  void slips() {
    assertEquals("%~\n", list("-o", "%~", "-n", "nope", "extra"));
    assertEquals("Invalid node format specification: ~\n", world.errors());
    world.err.reset();
    run(1, "-i", "x");
    assertEquals("sinfo: error: Error: invalid entry for --iterate=x\n", world.errors());
    world.err.reset();
    run(1, "-t", "idle,foo");
    assertTrue(world.errors().startsWith("sinfo: error: Bad state string: \"foo\"\n"));
    world.err.reset();
    assertEquals("\n", list("-O", "nope", "-n", "nope"));
    assertEquals("sinfo: error: Invalid job format specification: nope\n", world.errors());
  }

  @Test
  void noController() {
    world.controller = new FakeContext().controller;
    assertEquals(1, new Sinfo().run(world.call("sinfo")));
    assertEquals(
        "slurm_load_partitions: Unable to contact slurm controller (connect failure)\n",
        world.errors());
  }
}
