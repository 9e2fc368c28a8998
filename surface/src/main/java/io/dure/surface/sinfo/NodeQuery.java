package io.dure.surface.sinfo;

import io.dure.surface.facts.NodeDetails;
import io.dure.surface.facts.SlurmNodeState;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a call of the node listing asks for.
 *
 * @param filter which nodes and partitions
 * @param rows how nodes become rows
 * @param view what is printed of them
 * @param everySeconds time between two listings, null for one only
 * @param clusters names of clusters asked for, null for none
 */
public record NodeQuery(
    Filter filter,
    Rows rows,
    View view,
    @Nullable Integer everySeconds,
    @Nullable List<String> clusters) {

  /**
   * Which nodes and partitions; what is null lets everything pass.
   *
   * @param nodes names of nodes
   * @param partitions names of partitions
   * @param states states of nodes
   * @param responding whether only nodes that answer, or only those that do not
   * @param unlisted whether hidden and closed partitions are shown
   * @param future whether nodes that are still to come are shown
   */
  public record Filter(
      @Nullable Set<String> nodes,
      @Nullable List<String> partitions,
      @Nullable NodeStateFilter states,
      @Nullable Boolean responding,
      boolean unlisted,
      boolean future) {

    public boolean accepts(NodeDetails node) {
      return (nodes == null || nodes.contains(node.name()))
          && (responding == null || node.info().responding() == responding)
          && (states == null || states.matches(node.state()))
          && (future || node.state().base() != SlurmNodeState.Base.FUTURE);
    }
  }

  /**
   * How nodes become rows.
   *
   * @param perNode whether each node of each partition has its own
   * @param exact whether nodes share a row only if all that is printed is equal
   * @param empty whether a partition without nodes has a row
   * @param sort letters of the columns to sort by
   */
  public record Rows(boolean perNode, boolean exact, boolean empty, String sort) {}

  /**
   * What is printed.
   *
   * @param kind table or document
   * @param header whether the table has a header
   * @param date whether a line with the date comes first
   * @param letters format by letters, in which {@code #} is the width of the longest value
   * @param names format by names, null where there is none
   */
  public record View(
      Kind kind, boolean header, boolean date, String letters, @Nullable String names) {}

  /** What the listing is. */
  public enum Kind {
    TABLE,
    JSON
  }
}
