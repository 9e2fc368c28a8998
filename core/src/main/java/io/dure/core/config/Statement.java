package io.dure.core.config;

import io.dure.core.config.Diagnostics.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One logical line of a configuration file, cut into assignments.
 *
 * @param place where it begins
 * @param assignments what it assigns, in order
 * @param rest what could not be read, empty when all could
 */
record Statement(Place place, List<Assignment> assignments, String rest) {

  /** {@code key=value} as written, quotes removed. */
  record Assignment(String key, String value) {}

  static Statement parse(Place place, String text) {
    List<Assignment> assignments = new ArrayList<>();
    Cursor cursor = new Cursor(text);
    while (!cursor.atEnd()) {
      int start = cursor.at;
      Assignment assignment = cursor.assignment();
      if (assignment == null) {
        return new Statement(place, assignments, text.substring(start).strip());
      }
      assignments.add(assignment);
    }
    return new Statement(place, assignments, "");
  }

  /** Reads one line from left to right. */
  private static final class Cursor {
    private final String text;
    private int at;

    Cursor(String text) {
      this.text = text;
      skipBlanks();
    }

    boolean atEnd() {
      return at >= text.length();
    }

    @Nullable Assignment assignment() {
      int start = at;
      while (!atEnd() && isKeyPart(text.charAt(at))) {
        at++;
      }
      String key = text.substring(start, at);
      skipBlanks();
      if (key.isEmpty() || atEnd() || text.charAt(at) != '=') {
        return null;
      }
      at++;
      skipBlanks();
      String value = value();
      skipBlanks();
      return new Assignment(key, value);
    }

    private String value() {
      if (!atEnd() && text.charAt(at) == '"') {
        int close = text.indexOf('"', at + 1);
        boolean whole =
            close >= 0
                && (close + 1 == text.length() || Character.isWhitespace(text.charAt(close + 1)));
        if (whole) {
          String value = text.substring(at + 1, close);
          at = close + 1;
          return value;
        }
      }
      int start = at;
      boolean quoted = false;
      while (!atEnd() && (quoted || !Character.isWhitespace(text.charAt(at)))) {
        if (text.charAt(at) == '"') {
          quoted = !quoted && text.indexOf('"', at + 1) >= 0;
        }
        at++;
      }
      return text.substring(start, at);
    }

    private void skipBlanks() {
      while (!atEnd() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
    }

    private static boolean isKeyPart(char c) {
      return c == '_' || c == '.' || (c < 128 && Character.isLetterOrDigit(c));
    }
  }
}
