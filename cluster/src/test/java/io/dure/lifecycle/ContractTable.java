package io.dure.lifecycle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A checked table of docs/states-and-events.md: event, state it meets, states it makes. */
final class ContractTable {
  private final Map<String, Map<String, TreeSet<String>>> rows = new TreeMap<>();
  private final List<String> columns;

  /** Reads the table whose header begins with {@code event} and has this column. */
  ContractTable(String column) {
    List<String> lines = lines();
    int header = 0;
    while (!cells(lines.get(header)).getFirst().equals("event")
        || !cells(lines.get(header)).contains(column)) {
      header++;
    }
    List<String> titles = cells(lines.get(header));
    columns = titles.subList(1, titles.size() - 1);
    for (int i = header + 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
      List<String> cells = cells(lines.get(i));
      Map<String, TreeSet<String>> row = new TreeMap<>();
      for (int c = 0; c < columns.size(); c++) {
        String cell = cells.get(c + 1);
        row.put(
            columns.get(c),
            cell.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(cell.split(" or ", -1))));
      }
      rows.put(cells.getFirst(), row);
    }
  }

  private static List<String> cells(String line) {
    String[] cells = line.split("\\|", -1);
    return cells.length < 3
        ? List.of("")
        : Arrays.stream(cells, 1, cells.length - 1).map(String::strip).toList();
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(root().resolve("docs/states-and-events.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.isDirectory(folder.resolve("docs"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IllegalStateException("no docs above the working directory");
    }
    return folder;
  }

  /** States in the order of the table. */
  List<String> columns() {
    return columns;
  }

  /** Events that the table names. */
  Set<String> events() {
    return new TreeSet<>(rows.keySet());
  }

  /** What an event may make of a state; empty if it is refused there. */
  Set<String> next(String event, String state) {
    return new TreeSet<>(rows.getOrDefault(event, Map.of()).getOrDefault(state, new TreeSet<>()));
  }
}
