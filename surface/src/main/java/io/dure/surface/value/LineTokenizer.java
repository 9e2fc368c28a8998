package io.dure.surface.value;

import java.util.ArrayList;
import java.util.List;

/** The words of a line that was typed at a prompt. All functions are pure. */
public final class LineTokenizer {
  private LineTokenizer() {}

  /** The words between blanks; blanks within quotes do not part them. */
  public static List<String> of(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean open = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
        open = true;
      } else if (Character.isWhitespace(c)) {
        if (open) {
          words.add(word.toString());
          word.setLength(0);
          open = false;
        }
      } else {
        word.append(c);
        open = true;
      }
    }
    if (open) {
      words.add(word.toString());
    }
    return words;
  }
}
