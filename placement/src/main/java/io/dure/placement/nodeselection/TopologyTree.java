package io.dure.placement.nodeselection;

import io.dure.model.config.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * The switches or blocks above the nodes as numbers. A node that is below none is a tree of its
 * own. Never changes.
 */
public final class TopologyTree {
  /** The leaf of each node, by the node's index. */
  private final int[] leafOf;

  private final List<int[]> children = new ArrayList<>();
  private final List<Integer> levels = new ArrayList<>();
  private final int[] parents;

  private TopologyTree(int nodes) {
    leafOf = new int[nodes];
    Arrays.fill(leafOf, -1);
    parents = new int[0];
  }

  private TopologyTree(TopologyTree grown) {
    leafOf = grown.leafOf;
    children.addAll(grown.children);
    levels.addAll(grown.levels);
    parents = new int[children.size()];
    Arrays.fill(parents, -1);
    for (int above = 0; above < parents.length; above++) {
      for (int below : children.get(above)) {
        parents[below] = above;
      }
    }
  }

  /**
   * The forest of a topology.
   *
   * @param nodes how many nodes there are
   * @param index the index of a node, negative for one that is not there
   */
  public static TopologyTree of(Topology topology, int nodes, ToIntFunction<String> index) {
    TopologyTree forest = new TopologyTree(nodes);
    switch (topology) {
      case Topology.Tree(List<Topology.Switch> switches) -> forest.addTree(switches, index);
      case Topology.Blocks(List<Topology.Block> blocks, List<Integer> sizes) ->
          forest.addBlocks(blocks, sizes, index);
    }
    for (int node = 0; node < nodes; node++) {
      if (forest.leafOf[node] < 0) {
        forest.leafOf[node] = forest.add(0, new int[0]);
      }
    }
    return new TopologyTree(forest);
  }

  private int add(int level, int[] below) {
    levels.add(level);
    children.add(below);
    return children.size() - 1;
  }

  private void addTree(List<Topology.Switch> switches, ToIntFunction<String> index) {
    Map<String, Integer> numbers = new TreeMap<>();
    int highest = 0;
    for (Topology.Switch one : switches) {
      numbers.put(one.name(), numbers.size());
      highest = Math.max(highest, one.level());
    }
    for (Topology.Switch one : switches) {
      int[] below =
          one.switches().stream().mapToInt(name -> numbers.getOrDefault(name, 0)).toArray();
      join(one.nodes(), add(one.level(), below), index);
    }
  }

  private void addBlocks(
      List<Topology.Block> blocks, List<Integer> sizes, ToIntFunction<String> index) {
    List<Integer> row = new ArrayList<>();
    for (Topology.Block block : blocks) {
      int leaf = add(0, new int[0]);
      join(block.nodes(), leaf, index);
      row.add(leaf);
    }
    int level = 0;
    int before = sizes.getFirst();
    for (int size : sizes.subList(1, sizes.size())) {
      row = above(row, Math.max(1, size / before), ++level);
      before = size;
    }
    if (row.size() > 1) {
      above(row, row.size(), ++level);
    }
  }

  /** Joins so many of a row in turn. */
  private List<Integer> above(List<Integer> row, int many, int level) {
    List<Integer> joined = new ArrayList<>();
    for (int first = 0; first < row.size(); first += many) {
      List<Integer> group = row.subList(first, Math.min(row.size(), first + many));
      joined.add(add(level, group.stream().mapToInt(Integer::intValue).toArray()));
    }
    return joined;
  }

  private void join(List<String> names, int leaf, ToIntFunction<String> index) {
    for (String name : names) {
      int node = index.applyAsInt(name);
      if (node >= 0) {
        leafOf[node] = leaf;
      }
    }
  }

  /** How many switches or blocks there are. */
  int count() {
    return parents.length;
  }

  int leafOf(int node) {
    return leafOf[node];
  }

  /** What is above, negative for nothing. */
  int parent(int vertex) {
    return parents[vertex];
  }

  /** What is below; nothing for a leaf. */
  int[] children(int vertex) {
    return children.get(vertex);
  }

  int level(int vertex) {
    return levels.get(vertex);
  }
}
