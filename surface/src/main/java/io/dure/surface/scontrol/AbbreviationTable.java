package io.dure.surface.scontrol;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Words that may be cut short: each as far as a number of letters, the first in order winning.
 *
 * @param entries the words, lower case
 */
public record AbbreviationTable<T>(List<AbbreviationTable.Entry<T>> entries) {

  /**
   * A word.
   *
   * @param word lower case
   * @param least how many letters must be typed
   * @param meaning what it stands for
   */
  public record Entry<T>(String word, int least, T meaning) {}

  /** What the text stands for, or null; case does not matter. */
  public @Nullable T find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (Entry<T> entry : entries) {
      if (entry.word().equals(lower)) {
        return entry.meaning();
      }
    }
    for (Entry<T> entry : entries) {
      if (lower.length() >= entry.least() && entry.word().startsWith(lower)) {
        return entry.meaning();
      }
    }
    return null;
  }
}
