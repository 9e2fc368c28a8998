package io.dure.surface.show;

import io.dure.surface.print.PlainText;
import java.util.ArrayList;
import java.util.List;

/**
 * A record as text: its first line stands at the left, the others three blanks to the right, and a
 * blank line ends it; or all on one line. What would end a line or change a terminal's state is not
 * in it, whatever users chose.
 */
public final class RecordText {

  private static final String INDENT = "\n   ";
  private static final String CONTINUED = "\n          ";

  private final StringBuilder text = new StringBuilder(1024);

  /** Where in the text each line starts. */
  private final List<Integer> starts = new ArrayList<>();

  /** Adds a line. */
  public RecordText line(String line) {
    text.append(starts.isEmpty() ? "" : INDENT);
    starts.add(text.length());
    text.append(PlainText.of(line));
    return this;
  }

  /** Begins a line with a key and its value. */
  RecordText line(String key, Object value) {
    line(key).text.append('=').append(plain(value));
    return this;
  }

  /** Adds a key and its value to the last line. */
  RecordText and(String key, Object value) {
    text.append(' ').append(key).append('=').append(plain(value));
    return this;
  }

  /** Adds text to the last line, which goes on below itself. */
  RecordText below(String more) {
    text.append(CONTINUED).append(PlainText.of(more));
    return this;
  }

  private static String plain(Object value) {
    return PlainText.of(String.valueOf(value));
  }

  /** Adds a line to those that have something to say. */
  RecordText lineIf(boolean condition, String line) {
    return condition ? line(line) : this;
  }

  /** The whole text, the end of its last line included. */
  public String text(boolean oneLine) {
    if (!oneLine) {
      return text + "\n\n";
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      boolean last = i == starts.size() - 1;
      int end = last ? text.length() : starts.get(i + 1) - INDENT.length();
      lines.add(text.substring(starts.get(i), end).replace(CONTINUED, " ").stripLeading());
    }
    return String.join(" ", lines) + "\n";
  }
}
