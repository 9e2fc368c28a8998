package io.dure.surface.sinfo;

import io.dure.protocol.NodeCriteria;
import io.dure.surface.json.DocumentFormat;
import java.util.List;
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
   * Which nodes and partitions.
   *
   * @param nodes which nodes
   * @param partitions names of partitions, null for any
   * @param unlisted whether hidden and closed partitions are shown
   */
  public record Filter(NodeMatcher nodes, @Nullable List<String> partitions, boolean unlisted) {}

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
   * @param header whether the table has a header
   * @param date whether a line with the date comes first
   * @param letters format by letters, in which {@code #} is the width of the longest value
   * @param names format by names, null where there is none
   * @param document how a document is written, null where there is a table
   */
  public record View(
      boolean header,
      boolean date,
      String letters,
      @Nullable String names,
      @Nullable DocumentFormat document) {}

  /**
   * What the controller need not send more nodes than, null for all: the widths of a table may be
   * those of all nodes, and a document counts what all have.
   */
  public @Nullable NodeCriteria asked() {
    boolean all = view.document() != null || view.names() == null && view.letters().contains("#N");
    NodeCriteria criteria = filter.nodes().criteria();
    return all || criteria.equals(new NodeCriteria(null, null, null, false)) ? null : criteria;
  }
}
