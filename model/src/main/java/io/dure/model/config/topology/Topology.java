package io.dure.model.config.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a network joins the nodes. */
public sealed interface Topology {

  /**
   * Switches in trees ({@code topology/tree}).
   *
   * @param switches in the order of the file, each below at most one other
   */
  record Tree(List<Switch> switches) implements Topology {
    static final String TAG = "Tree";

    public Tree {
      switches = List.copyOf(switches);
    }
  }

  /**
   * Blocks of nodes ({@code topology/block}).
   *
   * @param blocks in the order of the file
   * @param sizes nodes of a block, and of so many blocks in a row as jobs are kept together in,
   *     rising; at least one
   */
  record Blocks(List<Block> blocks, List<Integer> sizes) implements Topology {
    static final String TAG = "Blocks";

    public Blocks {
      blocks = List.copyOf(blocks);
      sizes = List.copyOf(sizes);
    }
  }

  /**
   * A switch, which joins nodes or other switches.
   *
   * @param linkSpeed as the file says; nothing follows from it
   * @param level 0 where it joins nodes, else one more than the highest below it
   * @param nodes the nodes that it joins itself
   * @param switches the names of those that it joins
   */
  record Switch(String name, int linkSpeed, int level, List<String> nodes, List<String> switches) {
    public Switch {
      nodes = List.copyOf(nodes);
      switches = List.copyOf(switches);
    }
  }

  /** Nodes that are near each other. */
  record Block(String name, List<String> nodes) {
    public Block {
      nodes = List.copyOf(nodes);
    }
  }

  /** The names of what a node is below, the highest first; empty where it is not known. */
  default List<String> above(String node) {
    List<String> path = new ArrayList<>();
    switch (this) {
      case Blocks(List<Block> blocks, _) -> {
        for (Block block : blocks) {
          if (block.nodes().contains(node)) {
            path.add(block.name());
          }
        }
      }
      case Tree(List<Switch> switches) -> {
        Switch at = null;
        for (Switch one : switches) {
          at = one.nodes().contains(node) ? one : at;
        }
        while (at != null) {
          path.add(at.name());
          at = over(switches, at.name());
        }
        Collections.reverse(path);
      }
    }
    return path;
  }

  private static @Nullable Switch over(List<Switch> switches, String name) {
    for (Switch one : switches) {
      if (one.switches().contains(name)) {
        return one;
      }
    }
    return null;
  }
}
