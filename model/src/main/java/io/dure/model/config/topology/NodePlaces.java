package io.dure.model.config.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts nodes where they say themselves that they are in a network: {@code Topology=NAME:UNIT} of a
 * node, NAME being a topology's and UNIT a switch or block of it; switches above may stand between,
 * and several topologies are separated by commas.
 */
public final class NodePlaces {
  /** What the network of topology.conf is called. */
  public static final String ONLY = "default";

  private NodePlaces() {}

  /** The network by which the nodes of partitions are chosen that name none, and the named ones. */
  public record Networks(@Nullable Topology topology, List<NamedTopology> named) {
    public Networks {
      named = List.copyOf(named);
    }

    /**
     * These networks with the nodes where they say that they are, wherever they were before. What
     * they say of units that are not there is passed over.
     *
     * @param texts by the names of the nodes
     */
    public Networks with(Map<String, String> texts) {
      List<NamedTopology> placed = new ArrayList<>();
      Topology chosen = named.isEmpty() ? placed(ONLY, topology, texts) : topology;
      for (NamedTopology one : named) {
        Topology next = placed(one.name(), one.topology(), texts);
        placed.add(new NamedTopology(one.name(), next, one.isDefault()));
        chosen = one.isDefault() ? next : chosen;
      }
      return new Networks(chosen, placed);
    }

    /** Why a node cannot be where its text says; null if it can. */
    public @Nullable String fault(String text) {
      for (String word : words(text)) {
        List<String> path = List.of(word.split(":", -1));
        String name = path.getFirst();
        boolean known =
            named.isEmpty()
                ? name.equals(ONLY) && topology != null
                : named.stream().anyMatch(one -> one.name().equals(name));
        if (!known) {
          return "there is no topology " + name;
        }
        Topology own = topology;
        for (NamedTopology one : named) {
          own = one.name().equals(name) ? one.topology() : own;
        }
        if (own == null || unit(own, path) == null) {
          return "topology " + name + " has no such switch or block that nodes are in: " + word;
        }
      }
      return null;
    }
  }

  private static Topology placed(Topology topology, Map<String, String> units) {
    return switch (topology) {
      case Topology.Tree(List<Topology.Switch> switches) ->
          new Topology.Tree(
              switches.stream()
                  .map(one ->
                      new Topology.Switch(
                          one.name(),
                          one.linkSpeed(),
                          one.level(),
                          nodes(one.name(), one.nodes(), units),
                          one.switches()))
                  .toList());
      case Topology.Blocks(List<Topology.Block> blocks, List<Integer> sizes) ->
          new Topology.Blocks(
              blocks.stream()
                  .map(one -> new Topology.Block(one.name(), nodes(one.name(), one.nodes(), units)))
                  .toList(),
              sizes);
    };
  }

  private static List<String> nodes(String unit, List<String> before, Map<String, String> units) {
    List<String> nodes = new ArrayList<>(before);
    nodes.removeIf(node -> units.containsKey(node) && !unit.equals(units.get(node)));
    units.forEach((node, own) -> {
      if (own.equals(unit) && !nodes.contains(node)) {
        nodes.add(node);
      }
    });
    return nodes;
  }

  private static @Nullable Topology placed(
      String name, @Nullable Topology topology, Map<String, String> texts) {
    if (topology == null) {
      return null;
    }
    Map<String, String> units = new LinkedHashMap<>();
    texts.forEach((node, text) -> {
      for (String word : words(text)) {
        List<String> path = List.of(word.split(":", -1));
        String unit = path.getFirst().equals(name) ? unit(topology, path) : null;
        if (unit != null) {
          units.put(node, unit);
        }
      }
    });
    return units.isEmpty() ? topology : placed(topology, units);
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  /** The unit at the end of the path, behind the topology's name; null if there is none. */
  private static @Nullable String unit(Topology topology, List<String> path) {
    String above = null;
    for (String name : path.subList(1, path.size())) {
      if (!isThere(topology, above, name)) {
        return null;
      }
      above = name;
    }
    return above != null && holdsNodes(topology, above) ? above : null;
  }

  private static boolean isThere(Topology topology, @Nullable String above, String name) {
    return switch (topology) {
      case Topology.Tree(List<Topology.Switch> switches) ->
          switches.stream()
              .anyMatch(one ->
                  above == null
                      ? one.name().equals(name)
                      : one.name().equals(above) && one.switches().contains(name));
      case Topology.Blocks(List<Topology.Block> blocks, _) ->
          above == null && blocks.stream().anyMatch(one -> one.name().equals(name));
    };
  }

  private static boolean holdsNodes(Topology topology, String name) {
    return switch (topology) {
      case Topology.Tree(List<Topology.Switch> switches) ->
          switches.stream().anyMatch(one -> one.name().equals(name) && one.switches().isEmpty());
      case Topology.Blocks _ -> true;
    };
  }
}
