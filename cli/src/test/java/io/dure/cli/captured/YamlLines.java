package io.dure.cli.captured;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the YAML that Slurm writes: one member in each line, with its type. */
final class YamlLines {

  private record Line(int indent, boolean item, String name, String type, String value) {}

  private final Deque<Line> lines = new ArrayDeque<>();

  YamlLines(List<String> text) {
    if (!text.subList(0, 2).equals(List.of("%YAML 1.1", "--- !!map"))
        || !text.getLast().equals("...")) {
      throw new IllegalArgumentException(text.getFirst());
    }
    text.subList(2, text.size() - 1).forEach(line -> lines.add(parse(line)));
  }

  private static Line parse(String line) {
    String rest = line.stripLeading();
    int indent = line.length() - rest.length();
    boolean item = rest.startsWith("- ");
    String name = "";
    if (item) {
      rest = rest.substring(2);
    } else {
      name = rest.substring("!!str ".length(), rest.indexOf(": !!"));
      rest = rest.substring(rest.indexOf(": !!") + 2);
    }
    String[] words = rest.split(" ", 2);
    return new Line(indent, item, name, words[0], words.length > 1 ? words[1] : "");
  }

  /** All values by their paths, {@code jobs[0].cpus.number}. */
  Map<String, String> leaves() {
    Map<String, String> leaves = new TreeMap<>();
    members("", 0, leaves);
    if (!lines.isEmpty()) {
      throw new IllegalStateException(lines.toString());
    }
    return leaves;
  }

  private void members(String path, int indent, Map<String, String> leaves) {
    while (!lines.isEmpty() && lines.element().indent() == indent && !lines.element().item()) {
      Line line = lines.remove();
      value(path.isEmpty() ? line.name() : path + "." + line.name(), line, leaves);
    }
  }

  private void value(String path, Line line, Map<String, String> leaves) {
    switch (line.type()) {
      case "!!map" -> members(path, line.indent() + 2, leaves);
      case "!!seq" -> {
        int index = 0;
        while (!lines.isEmpty()
            && lines.element().item()
            && lines.element().indent() == line.indent()
            && !line.value().equals("[]")) {
          value(path + "[" + index++ + "]", lines.remove(), leaves);
        }
        leaves.put(path + ".length", Integer.toString(index));
      }
      case "!!str" -> leaves.put(path, text(line.value()));
      case "!!float" -> leaves.put(path, Double.toString(Double.parseDouble(line.value())));
      default -> leaves.put(path, line.value());
    }
  }

  private static String text(String value) {
    boolean quoted = value.startsWith("'") && value.endsWith("'");
    return quoted ? value.substring(1, value.length() - 1).replace("''", "'") : value;
  }
}
