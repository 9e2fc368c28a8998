package io.dure.model.config.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * Reads the YAML of configuration files: mappings and sequences by indentation, words, quoted
 * words, {@code [a, b]} and comments. Anchors, tags, texts of several lines and {@code {...}} are
 * refused.
 */
final class YamlReader {
  private static final int MAX_DEPTH = 32;
  private static final String REFUSED = "&*!|>{%@`";

  /**
   * A line with something on it.
   *
   * @param indent how many blanks stand before it
   */
  private record Line(int number, int indent, String text) {
    boolean isItem() {
      return text.equals("-") || text.startsWith("- ");
    }
  }

  private final List<Line> lines = new ArrayList<>();
  private int at;

  private YamlReader() {}

  /**
   * Reads one document.
   *
   * @throws YamlNode.InvalidYamlException saying on which line what is wrong
   */
  static YamlNode read(String text) throws YamlNode.InvalidYamlException {
    YamlReader reader = new YamlReader();
    int number = 0;
    for (String raw : text.lines().toList()) {
      number++;
      String line = uncommented(raw).stripTrailing();
      String bare = line.strip();
      if (bare.isEmpty() || bare.equals("---") || bare.equals("...")) {
        continue;
      }
      int indent = line.length() - line.stripLeading().length();
      if (line.substring(0, indent).indexOf('\t') >= 0) {
        throw new YamlNode.InvalidYamlException(number, "a tab stands where blanks belong");
      }
      reader.lines.add(new Line(number, indent, bare));
    }
    if (reader.lines.isEmpty()) {
      return new YamlNode.Scalar(1, "");
    }
    YamlNode all = reader.node(reader.lines.getFirst().indent(), 0);
    if (reader.at < reader.lines.size()) {
      throw reader.unexpected();
    }
    return all;
  }

  /** A number sign begins a comment at the beginning of a line, or behind a blank. */
  private static String uncommented(String line) {
    char quote = '\0';
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != '\0') {
        quote = c == quote ? '\0' : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '#' && (i == 0 || Character.isWhitespace(line.charAt(i - 1)))) {
        return line.substring(0, i);
      }
    }
    return line;
  }

  private YamlNode.InvalidYamlException unexpected() {
    Line line = lines.get(at);
    return new YamlNode.InvalidYamlException(
        line.number(),
        "\"" + line.text() + "\" is indented by no more or less than what it belongs to");
  }

  private YamlNode node(int indent, int depth) throws YamlNode.InvalidYamlException {
    Line line = lines.get(at);
    if (depth > MAX_DEPTH) {
      throw new YamlNode.InvalidYamlException(line.number(), "it is nested too deeply");
    }
    if (line.isItem()) {
      return sequence(indent, depth);
    }
    if (colon(line.text()) >= 0) {
      return mapping(indent, depth);
    }
    at++;
    return value(line.number(), line.text());
  }

  private YamlNode sequence(int indent, int depth) throws YamlNode.InvalidYamlException {
    int first = lines.get(at).number();
    List<YamlNode> items = new ArrayList<>();
    while (at < lines.size() && lines.get(at).indent() == indent && lines.get(at).isItem()) {
      Line line = lines.get(at);
      String rest = line.text().substring(1).stripLeading();
      if (rest.isEmpty()) {
        at++;
        items.add(below(line, indent + 1, depth));
      } else {
        // What follows the dash is as if it stood on a line of its own.
        int inner = indent + line.text().length() - rest.length();
        lines.set(at, new Line(line.number(), inner, rest));
        items.add(node(inner, depth + 1));
      }
    }
    return new YamlNode.Sequence(first, List.copyOf(items));
  }

  private YamlNode mapping(int indent, int depth) throws YamlNode.InvalidYamlException {
    int first = lines.get(at).number();
    SequencedMap<String, YamlNode> entries = new LinkedHashMap<>();
    while (at < lines.size() && lines.get(at).indent() == indent && !lines.get(at).isItem()) {
      Line line = lines.get(at);
      int colon = colon(line.text());
      if (colon < 0) {
        throw new YamlNode.InvalidYamlException(
            line.number(), "\"" + line.text() + "\" has no colon behind its key");
      }
      String key = unquoted(line.number(), line.text().substring(0, colon).strip());
      String rest = line.text().substring(colon + 1).strip();
      at++;
      YamlNode value = rest.isEmpty() ? below(line, indent, depth) : value(line.number(), rest);
      if (entries.put(key, value) != null) {
        throw new YamlNode.InvalidYamlException(line.number(), key + " stands there twice");
      }
    }
    return new YamlNode.Mapping(first, entries);
  }

  /** What is indented more than a line, or is a sequence at its key's indentation. */
  private YamlNode below(Line of, int indent, int depth) throws YamlNode.InvalidYamlException {
    Line next = at < lines.size() ? lines.get(at) : null;
    boolean isBelow =
        next != null && (next.indent() > of.indent() || next.indent() >= indent && next.isItem());
    return next != null && isBelow
        ? node(next.indent(), depth + 1)
        : new YamlNode.Scalar(of.number(), "");
  }

  /** Where the colon behind a key is, negative where the line has no key. */
  private static int colon(String text) {
    char quote = '\0';
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != '\0') {
        quote = c == quote ? '\0' : quote;
      } else if (i == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == ':' && (i + 1 == text.length() || text.charAt(i + 1) == ' ')) {
        return i;
      }
    }
    return -1;
  }

  private static YamlNode value(int line, String text) throws YamlNode.InvalidYamlException {
    if (!text.startsWith("[")) {
      return new YamlNode.Scalar(line, unquoted(line, text));
    }
    if (!text.endsWith("]")) {
      throw new YamlNode.InvalidYamlException(line, "\"" + text + "\" lacks a ']' on its line");
    }
    List<YamlNode> items = new ArrayList<>();
    String inner = text.substring(1, text.length() - 1).strip();
    for (String item : inner.isEmpty() ? new String[0] : inner.split(",", -1)) {
      items.add(new YamlNode.Scalar(line, unquoted(line, item.strip())));
    }
    return new YamlNode.Sequence(line, List.copyOf(items));
  }

  private static String unquoted(int line, String text) throws YamlNode.InvalidYamlException {
    char first = text.isEmpty() ? '\0' : text.charAt(0);
    if (first == '"' || first == '\'') {
      if (text.length() < 2 || text.charAt(text.length() - 1) != first) {
        throw new YamlNode.InvalidYamlException(line, text + " lacks its closing quote");
      }
      return text.substring(1, text.length() - 1);
    }
    if (REFUSED.indexOf(first) >= 0) {
      throw new YamlNode.InvalidYamlException(line, "\"" + text + "\" is not understood");
    }
    return text;
  }
}
