package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.protocol.Response;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code scontrol show topology} prints, as Slurm does. */
@Tag("pure")
class TopologyTest {
  private static final Topology TREE =
      new Topology.Tree(
          List.of(
              new Topology.Switch("s0", 1, 0, List.of("t1", "t2"), List.of()),
              new Topology.Switch("s1", 100, 0, List.of("t3", "t4"), List.of()),
              new Topology.Switch("top", 1, 1, List.of(), List.of("s0", "s1"))));
  private static final Topology BLOCKS =
      new Topology.Blocks(
          List.of(
              new Topology.Block("b0", List.of("t1", "t2")),
              new Topology.Block("b1", List.of("t3", "t4"))),
          List.of(2, 4));

  private static FakeContext shown(Topology topology, String... name) {
    FakeContext world = new FakeContext();
    ScriptedController controller = new ScriptedController();
    controller.answer(new Response.NodeTopology(topology, null));
    world.controller = controller;
    String[] words = name.length == 0 ? new String[3] : new String[4];
    words[0] = "scontrol";
    words[1] = "show";
    words[2] = "topology";
    if (name.length > 0) {
      words[3] = name[0];
    }
    assertEquals(0, new Scontrol().run(world.call(words)));
    return world;
  }

  @Test
  void oneOfSeveralByItsName() {
    FakeContext world = new FakeContext();
    ScriptedController controller = new ScriptedController();
    controller.answer(
        new Response.NodeTopology(
            TREE,
            List.of(
                new NamedTopology("fabric", TREE, true),
                new NamedTopology("racks", BLOCKS, false))));
    world.controller = controller;
    assertEquals(0, new Scontrol().run(world.call("scontrol", "show", "topology", "racks")));
    assertTrue(world.printed().startsWith("BlockName=b0 BlockIndex=0 Nodes=t[1-2] BlockSize=2\n"));
  }

  @Test
  void allSwitches() {
    assertEquals(
        """
        SwitchName=s0 Level=0 LinkSpeed=1 Nodes=t[1-2]
        SwitchName=s1 Level=0 LinkSpeed=100 Nodes=t[3-4]
        SwitchName=top Level=1 LinkSpeed=1 Nodes=t[1-4] Switches=s[0-1]
        """,
        shown(TREE).printed());
  }

  @Test
  void theSwitchesAboveANode() {
    assertEquals(
        """
        SwitchName=s1 Level=0 LinkSpeed=100 Nodes=t[3-4]
        SwitchName=top Level=1 LinkSpeed=1 Nodes=t[1-4] Switches=s[0-1]
        """,
        shown(TREE, "t3").printed());
  }

  @Test
  void theSwitchesAboveAllOfTheNodes() {
    assertEquals(
        "SwitchName=top Level=1 LinkSpeed=1 Nodes=t[1-4] Switches=s[0-1]\n",
        shown(TREE, "t[2-3]").printed());
  }

  @Test
  void oneSwitch() {
    assertEquals("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=t[1-2]\n", shown(TREE, "s0").printed());
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertEquals(
        "scontrol: error: Topology information contains no switch or node named nosuch\n",
        shown(TREE, "nosuch").errors());
  }

  @Test
  void blocks() {
    assertEquals(
        """
        BlockName=b0 BlockIndex=0 Nodes=t[1-2] BlockSize=2
        BlockName=b1 BlockIndex=1 Nodes=t[3-4] BlockSize=2
        AggregatedBlock=b0,b1 BlockIndex=2 Nodes=t[1-4] BlockSize=4
        """,
        shown(BLOCKS).printed());
  }
}
