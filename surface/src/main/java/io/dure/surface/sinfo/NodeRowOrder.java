package io.dure.surface.sinfo;

import io.dure.model.HostList;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.message.CommandException;
import io.dure.surface.print.TableColumn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of the rows: by the letters of columns, the first one first. */
public final class NodeRowOrder implements Comparator<NodeRow> {

  /**
   * One column to sort by.
   *
   * @param sign 1 to rise, -1 to fall
   * @param configured whether in the order of the configuration
   */
  private record Key(NodeColumn column, int sign, boolean configured) {}

  private final List<Key> keys;
  private final NodeColumnValues values;

  private NodeRowOrder(List<Key> keys, NodeColumnValues values) {
    this.keys = keys;
    this.values = values;
  }

  /**
   * Reads {@code #P,-t}.
   *
   * @throws CommandException for a letter that names no column
   */
  public static NodeRowOrder parse(String text, NodeColumnValues values) throws CommandException {
    List<Key> keys = new ArrayList<>();
    int sign = 1;
    boolean configured = false;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case ',', ' ', '+' -> {
          // What follows rises, which is what it does without a sign.
        }
        case '-' -> sign = -1;
        case '#' -> configured = true;
        default -> {
          keys.add(new Key(column(letter), sign, configured));
          sign = 1;
          configured = false;
        }
      }
    }
    return new NodeRowOrder(keys, values);
  }

  private static NodeColumn column(char letter) throws CommandException {
    NodeColumn column = TableColumn.byLetter(letter, NodeColumn.all());
    if (column == null) {
      throw CommandException.error("Invalid sort specification: " + letter);
    }
    return column;
  }

  @Override
  public int compare(NodeRow left, NodeRow right) {
    for (Key key : keys) {
      int difference = compare(key, left, right);
      if (difference != 0) {
        return difference * key.sign();
      }
    }
    return 0;
  }

  private int compare(Key key, NodeRow left, NodeRow right) {
    return switch (key.column()) {
      case PARTITION, PARTITION_NAME ->
          key.configured()
              ? Integer.compare(left.place(), right.place())
              : left.partition().name().compareTo(right.partition().name());
      case STATE_COMPACT, STATE_LONG -> Integer.compare(rank(left), rank(right));
      case NODE_LIST, NODE_HOST -> HostList.ORDER.compare(firstName(left), firstName(right));
      case NODES -> Integer.compare(left.nodes().size(), right.nodes().size());
      case CPUS, DISK, MEMORY, WEIGHT, SOCKETS, CORES, THREADS ->
          Long.compare(least(key.column(), left), least(key.column(), right));
      default -> values.value(key.column(), left).compareTo(values.value(key.column(), right));
    };
  }

  private static int rank(NodeRow row) {
    NodeDetails first = row.first();
    return first == null ? -1 : first.state().rank();
  }

  private static String firstName(NodeRow row) {
    @Nullable String least = null;
    for (NodeDetails node : row.nodes()) {
      if (least == null || HostList.ORDER.compare(node.name(), least) < 0) {
        least = node.name();
      }
    }
    return least == null ? "" : least;
  }

  private static long least(NodeColumn column, NodeRow row) {
    long least = Long.MAX_VALUE;
    for (NodeDetails node : row.nodes()) {
      least = Math.min(least, NodeColumnValues.number(column, node.config()));
    }
    return least;
  }
}
