package io.dure.surface.document;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table of descriptions that lies beside this class. A line is {@code name versions: kind --
 * description}, of which the versions, such as {@code 44-} or {@code 42-43}, are left out where all
 * have it, and of which the kind may end with {@code required}; what is further to the right
 * belongs to the line above. A table of words has one word in each line. A part of it is read when
 * it is asked for: most documents need few. Immutable.
 */
final class DescriptionTable {
  private static final String SEPARATOR = " -- ";
  private static final String REQUIRED = " required";
  private static final int INDENT = 2;

  /** What begins at a line that is not indented, by the name there. */
  private final Map<String, String> parts = new LinkedHashMap<>();

  /** The table of that name. */
  DescriptionTable(String table) {
    String text = text(table);
    int from = 0;
    while (from < text.length()) {
      int to = text.indexOf('\n', from) + 1;
      while (to < text.length() && text.charAt(to) == ' ') {
        to = text.indexOf('\n', to) + 1;
      }
      parts.put(name(text.substring(from, text.indexOf('\n', from))), text.substring(from, to));
      from = to;
    }
  }

  private static String text(String table) {
    try (InputStream in = DescriptionTable.class.getResourceAsStream(table + ".txt")) {
      if (in == null) {
        throw new IllegalStateException("the table of descriptions " + table + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(String line) {
    return described(line, List.of()).name();
  }

  /** What the table has of that name; null for none. */
  @Nullable Described find(String name) {
    String part = parts.get(name);
    return part == null ? null : read(part);
  }

  /** All that the table has, in its order. */
  List<Described> all() {
    return parts.values().stream().map(DescriptionTable::read).toList();
  }

  private static Described read(String part) {
    return new Level(part.lines().toList()).read(0).getFirst();
  }

  /** The lines of a part, read one after the other. */
  private static final class Level {
    private final List<String> lines;
    private int next;

    Level(List<String> lines) {
      this.lines = lines;
    }

    List<Described> read(int indent) {
      List<Described> found = new ArrayList<>();
      while (next < lines.size() && indent(lines.get(next)) == indent) {
        String line = lines.get(next);
        next++;
        found.add(described(line.substring(indent), read(indent + INDENT)));
      }
      return List.copyOf(found);
    }

    private static int indent(String line) {
      int indent = 0;
      while (line.charAt(indent) == ' ') {
        indent++;
      }
      return indent;
    }
  }

  private static Described described(String line, List<Described> members) {
    int dashes = line.indexOf(SEPARATOR);
    String facts = dashes < 0 ? line : line.substring(0, dashes);
    String description = dashes < 0 ? "" : line.substring(dashes + SEPARATOR.length());
    int colon = facts.indexOf(": ");
    String head = colon < 0 ? facts : facts.substring(0, colon);
    String kind = colon < 0 ? "" : facts.substring(colon + 2);
    int since = DocumentSchemas.OLDEST;
    int until = DocumentSchemas.NEWEST;
    int blank = head.lastIndexOf(' ');
    if (blank > 0 && Character.isDigit(head.charAt(blank + 1))) {
      String versions = head.substring(blank + 1);
      int dash = versions.indexOf('-');
      since = Integer.parseInt(dash < 0 ? versions : versions.substring(0, dash));
      if (dash < 0) {
        until = since;
      } else if (dash < versions.length() - 1) {
        until = Integer.parseInt(versions.substring(dash + 1));
      }
      head = head.substring(0, blank);
    }
    boolean required = kind.endsWith(REQUIRED);
    // Names are compared with constants often, which is quick where both are the same object.
    return new Described(
        head.intern(),
        since,
        until,
        required ? kind.substring(0, kind.length() - REQUIRED.length()) : kind,
        required,
        description,
        members);
  }
}
