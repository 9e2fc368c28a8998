package io.dure.surface.show;

import java.util.ArrayList;
import java.util.List;

/**
 * A record as text: its first line stands at the left, the others three blanks to the right, and a
 * blank line ends it; or all on one line.
 */
public final class RecordText {

  private static final String INDENT = "\n   ";

  private final List<String> lines = new ArrayList<>();

  /** Adds a line. */
  public RecordText line(String text) {
    lines.add(text);
    return this;
  }

  /** Adds a line to those that have something to say. */
  RecordText lineIf(boolean condition, String text) {
    return condition ? line(text) : this;
  }

  /** The whole text, the end of its last line included. */
  public String text(boolean oneLine) {
    return oneLine
        ? String.join(" ", lines.stream().map(String::stripLeading).toList()) + "\n"
        : String.join(INDENT, lines) + "\n\n";
  }
}
