package io.dure.node.peer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a node is in the tree of a step's nodes: the first one is its root, and each has the next
 * that have no other above them.
 *
 * @param parent the node above it, null for the root
 * @param size how many nodes there are from it downwards, itself included
 */
record StepTreePosition(@Nullable String parent, int size) {
  /**
   * The position of a node.
   *
   * @param nodes the step's nodes, in order
   * @param index which of them
   * @param width how many each has directly below it, at least 1
   */
  static StepTreePosition of(List<String> nodes, int index, int width) {
    long first = index;
    long last = index;
    int size = 0;
    while (first < nodes.size()) {
      size += (int) (Math.min(last, nodes.size() - 1L) - first) + 1;
      first = first * width + 1;
      last = last * width + width;
    }
    return new StepTreePosition(index == 0 ? null : nodes.get((index - 1) / width), size);
  }
}
