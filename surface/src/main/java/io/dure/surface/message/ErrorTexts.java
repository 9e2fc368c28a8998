package io.dure.surface.message;

import io.dure.model.ErrorCode;
import io.dure.surface.language.HelpText;
import java.math.BigInteger;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of errors in words: below 1000 the C library's, from there on Slurm's, and Dure's own for
 * what Slurm has no number for. Any thread may ask.
 */
public final class ErrorTexts {
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  private ErrorTexts() {}

  /** The texts that Slurm has, by number. */
  public static NavigableMap<Integer, String> slurm() {
    NavigableMap<Integer, String> texts = new TreeMap<>();
    for (String line : HelpText.of(ErrorTexts.class, "error-texts.tsv").lines().toList()) {
      int tab = line.indexOf('\t');
      if (!line.startsWith("#")) {
        texts.put(Integer.parseInt(line.substring(0, tab)), line.substring(tab + 1));
      }
    }
    return texts;
  }

  /** The text of a number; one without is told to be unknown. */
  public static String of(int number) {
    String text = slurm().get(number);
    if (text != null) {
      return text;
    }
    ErrorCode own = ErrorCode.of(number);
    if (own != null) {
      return own.text();
    }
    return number < 0 ? "Unknown negative error number" : "Unknown error " + number;
  }

  /**
   * A number as Slurm reads one here: blanks before it, a sign, nothing behind it; none at all is
   * 0, and of a large one the lowest 32 bits count.
   *
   * @return null if that is none
   */
  public static @Nullable Integer number(String word) {
    String digits = word.stripLeading();
    if (word.isEmpty()) {
      return 0;
    }
    return digits.matches("[+-]?[0-9]{1,1000}")
        ? Integer.valueOf(new BigInteger(digits).max(LEAST).min(MOST).intValue())
        : null;
  }
}
