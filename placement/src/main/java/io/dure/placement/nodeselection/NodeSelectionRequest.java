package io.dure.placement.nodeselection;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many nodes a job wants of those that have room.
 *
 * @param min fewest
 * @param max most
 * @param want as many as there may be up to this, at least {@code min}
 * @param tasks tasks on all of them together
 * @param each tasks on each node where their number grows with the nodes, 0 where it does not
 * @param gpus GPUs on all nodes together, 0 where each node's number is told
 * @param contiguous whether they must be neighbours
 * @param segment they come in groups of so many, each within one leaf; 1 for no such groups
 * @param spread whether no leaf has two of these groups
 * @param switches most leaves over which they may spread, null for any number
 * @param required indices of nodes that must be among them, rising
 */
@RecordBuilder
public record NodeSelectionRequest(
    int min,
    int max,
    int want,
    int tasks,
    int each,
    long gpus,
    boolean contiguous,
    int segment,
    boolean spread,
    @Nullable Integer switches,
    List<Integer> required)
    implements NodeSelectionRequestBuilder.With {

  /** So many nodes, whatever runs on them, beside those that are required. */
  public NodeSelectionRequest only(int nodes) {
    return new NodeSelectionRequest(nodes, nodes, nodes, 0, 0, 0, false, 1, false, null, List.of());
  }

  /** The same with other nodes required. */
  public NodeSelectionRequest requiring(List<Integer> others) {
    return withRequired(List.copyOf(others));
  }

  /** The same for at least so many nodes. */
  NodeSelectionRequest atLeast(int nodes) {
    return with().min(nodes).want(Math.max(nodes, want)).build();
  }
}
