package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Prints switches or blocks. */
final class ShowTopology {
  private static final String LOAD = "slurm_load_topo error";

  private final ScontrolSession session;

  ShowTopology(ScontrolSession session) {
    this.session = session;
  }

  /**
   * A line of the output.
   *
   * @param name the switch's or block's, empty for some blocks together
   * @param nodes all below it
   */
  private record Line(String name, NavigableSet<String> nodes, String text) {}

  /**
   * All of them, those of the topology of that name, the one of that name, or those that are above
   * all of these nodes.
   */
  void show(@Nullable String name) throws CommandException {
    Response.NodeTopology answer =
        session.ask(LOAD, new Request.ShowTopology(), Response.NodeTopology.class);
    Topology topology = answer.topology();
    List<NamedTopology> several = answer.topologies() == null ? List.of() : answer.topologies();
    for (NamedTopology one : several) {
      if (one.name().equals(name)) {
        showAll(one.topology());
        return;
      }
    }
    if (topology == null) {
      // A cluster without a topology is no failure.
      session.context().report(StderrMessage.error("No topology information available"));
      return;
    }
    List<Line> wanted = wanted(lines(topology), name);
    if (wanted.isEmpty()) {
      String text = "Topology information contains no switch or node named " + name;
      session.context().report(StderrMessage.error(text));
    }
    for (Line line : wanted) {
      session.print(line.text() + "\n");
    }
  }

  private void showAll(@Nullable Topology topology) {
    for (Line line : topology == null ? List.<Line>of() : lines(topology)) {
      session.print(line.text() + "\n");
    }
  }

  private static List<Line> wanted(List<Line> all, @Nullable String name) {
    if (name == null) {
      return all;
    }
    List<Line> named = all.stream().filter(line -> line.name().equals(name)).toList();
    if (!named.isEmpty()) {
      return named;
    }
    try {
      List<String> nodes = HostList.expand(name);
      return all.stream().filter(line -> line.nodes().containsAll(nodes)).toList();
    } catch (HostListException e) {
      return List.of();
    }
  }

  private static List<Line> lines(Topology topology) {
    return switch (topology) {
      case Topology.Tree(List<Topology.Switch> switches) -> switches(switches);
      case Topology.Blocks(List<Topology.Block> blocks, List<Integer> sizes) ->
          blocks(blocks, sizes);
    };
  }

  private static List<Line> switches(List<Topology.Switch> switches) {
    Map<String, Topology.Switch> byName = new LinkedHashMap<>();
    switches.forEach(one -> byName.put(one.name(), one));
    List<Line> lines = new ArrayList<>();
    for (Topology.Switch one : switches) {
      TreeSet<String> nodes = new TreeSet<>();
      collect(one, byName, nodes);
      String below =
          one.switches().isEmpty() ? "" : " Switches=" + HostList.compress(one.switches());
      String text =
          "SwitchName="
              + one.name()
              + " Level="
              + one.level()
              + " LinkSpeed="
              + one.linkSpeed()
              + " Nodes="
              + HostList.compress(nodes)
              + below;
      lines.add(new Line(one.name(), nodes, text));
    }
    return lines;
  }

  private static void collect(
      Topology.Switch one, Map<String, Topology.Switch> byName, NavigableSet<String> nodes) {
    nodes.addAll(one.nodes());
    for (String name : one.switches()) {
      Topology.Switch below = byName.get(name);
      if (below != null) {
        collect(below, byName, nodes);
      }
    }
  }

  private static List<Line> blocks(List<Topology.Block> blocks, List<Integer> sizes) {
    List<Line> lines = new ArrayList<>();
    for (Topology.Block block : blocks) {
      lines.add(block("BlockName", lines.size(), List.of(block), sizes.getFirst()));
    }
    for (int size : sizes.subList(1, sizes.size())) {
      int many = Math.max(1, size / sizes.getFirst());
      for (int first = 0; first < blocks.size(); first += many) {
        List<Topology.Block> some = blocks.subList(first, Math.min(blocks.size(), first + many));
        lines.add(block("AggregatedBlock", lines.size(), some, size));
      }
    }
    return lines;
  }

  private static Line block(String key, int index, List<Topology.Block> blocks, int size) {
    TreeSet<String> nodes = new TreeSet<>();
    blocks.forEach(block -> nodes.addAll(block.nodes()));
    List<String> names = blocks.stream().map(Topology.Block::name).toList();
    String text =
        key
            + "="
            + String.join(",", names)
            + " BlockIndex="
            + index
            + " Nodes="
            + HostList.compress(nodes)
            + " BlockSize="
            + size;
    return new Line(names.size() == 1 ? names.getFirst() : "", nodes, text);
  }
}
