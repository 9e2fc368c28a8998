package io.dure.surface.sbatch;

import io.dure.surface.message.CommandException;
import io.dure.surface.value.NumberParser;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The least shape of a node as {@code -B} takes it: {@code sockets[:cores[:threads]]} with an
 * asterisk for any number. Of a range the lower end counts.
 *
 * @param sockets sockets on a node, at least 1, null for any number
 * @param cores cores on a socket, at least 1, null for any number
 * @param threads threads on a core, at least 1, null for any number
 */
record ExtraNodeInfoOption(
    @Nullable Integer sockets, @Nullable Integer cores, @Nullable Integer threads) {
  private static final List<String> PLACES = List.of("first", "second", "third");

  /** Reads the three numbers; what is left out may be any number. */
  static ExtraNodeInfoOption parse(String text) throws CommandException {
    @Nullable Integer[] parts = new Integer[3];
    int start = 0;
    int count = 0;
    while (start <= text.length()) {
      int colon = text.indexOf(':', start);
      int end = colon < 0 ? text.length() : colon;
      if (count == parts.length) {
        throw CommandException.error("Invalid --extra-node-info specification");
      }
      parts[count] = number(PLACES.get(count), text.substring(start, end));
      count++;
      start = end + 1;
    }
    return new ExtraNodeInfoOption(parts[0], parts[1], parts[2]);
  }

  private static @Nullable Integer number(String place, String text) throws CommandException {
    if (text.equals("*")) {
      return null;
    }
    int dash = text.indexOf('-');
    return NumberParser.positive(place + " arg of -B", dash < 0 ? text : text.substring(0, dash));
  }
}
