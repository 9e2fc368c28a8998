package io.dure.cli.man;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A help text by its parts. All functions are pure.
 *
 * @param synopsis the lines that say how it is called
 * @param parts what follows, in order
 */
record HelpParts(List<String> synopsis, List<Part> parts) {
  private static final int DEEPEST_TAG = 8;
  private static final int TAB = 8;
  private static final Pattern USAGE = Pattern.compile("Usage: +(.*)");
  private static final Pattern TAGGED = Pattern.compile("( *)(\\S.*?)(?: {2,}(\\S.*))?");

  /** A part of the text. */
  sealed interface Part {
    /** A line that stands over others. */
    record Heading(String text) implements Part {}

    /** Some sentences. */
    record Paragraph(String text) implements Part {}

    /** A word, mostly an option, with what is said of it. */
    record Entry(String tag, String text) implements Part {}
  }

  /** The parts of a help text. */
  static HelpParts of(String help) {
    List<String> lines = help.lines().map(HelpParts::withoutTabs).toList();
    List<String> synopsis = new ArrayList<>();
    int at = synopsis(lines, synopsis);
    List<Part> parts = new ArrayList<>();
    while (at < lines.size()) {
      String line = lines.get(at);
      if (line.isBlank()) {
        at++;
      } else if (isHeading(line)) {
        parts.add(new Part.Heading(line.strip().replaceAll(":$", "")));
        at++;
      } else if (isEntry(lines, at)) {
        at = entry(lines, at, parts);
      } else {
        at = paragraph(lines, at, parts);
      }
    }
    return new HelpParts(synopsis, parts);
  }

  private static String withoutTabs(String line) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char letter = line.charAt(i);
      if (letter == '\t') {
        text.repeat(' ', TAB - text.length() % TAB);
      } else {
        text.append(letter);
      }
    }
    return text.toString().stripTrailing();
  }

  /** The lines up to what does not begin as the first does, or with more blanks. */
  private static int synopsis(List<String> lines, List<String> synopsis) {
    if (lines.isEmpty()) {
      return 0;
    }
    Matcher first = USAGE.matcher(lines.getFirst());
    synopsis.add(first.matches() ? first.group(1) : lines.getFirst());
    int at = 1;
    while (at < lines.size()
        && lines.get(at).startsWith("      ")
        && !lines.get(at).strip().startsWith("-")) {
      synopsis.add(lines.get(at).strip());
      at++;
    }
    return at;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }

  private static boolean isHeading(String line) {
    return indent(line) <= 4 && line.endsWith(":") && !line.contains("  -");
  }

  private static boolean isEntry(List<String> lines, int at) {
    String line = lines.get(at);
    int indent = indent(line);
    if (indent == 0 || indent > DEEPEST_TAG) {
      return false;
    }
    Matcher matcher = TAGGED.matcher(line);
    boolean alone = matcher.matches() && matcher.group(3) == null;
    boolean deeper = at + 1 < lines.size() && indent(lines.get(at + 1)) > DEEPEST_TAG;
    return !alone || line.strip().startsWith("-") || deeper;
  }

  private static int entry(List<String> lines, int at, List<Part> parts) {
    Matcher matcher = TAGGED.matcher(lines.get(at));
    if (!matcher.matches()) {
      throw new IllegalStateException("no entry: " + lines.get(at));
    }
    StringBuilder text = new StringBuilder(matcher.group(3) == null ? "" : matcher.group(3));
    int next = at + 1;
    while (next < lines.size() && indent(lines.get(next)) > DEEPEST_TAG) {
      text.append(text.isEmpty() ? "" : " ").append(lines.get(next).strip());
      next++;
    }
    parts.add(new Part.Entry(matcher.group(2), text.toString()));
    return next;
  }

  private static int paragraph(List<String> lines, int at, List<Part> parts) {
    StringBuilder text = new StringBuilder();
    int next = at;
    while (next < lines.size()
        && !lines.get(next).isBlank()
        && (next == at || !isHeading(lines.get(next)) && !isEntry(lines, next))) {
      text.append(text.isEmpty() ? "" : " ").append(lines.get(next).strip());
      next++;
    }
    parts.add(new Part.Paragraph(text.toString()));
    return next;
  }
}
