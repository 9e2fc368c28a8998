package io.dure.surface.body;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Numbers as documents write them, with those by which Slurm says that there is none. */
final class NumberWords {
  private static final int LONGEST = 64;
  private static final double EXACT = 1L << 53;

  /** Slurm's NO_VAL of 32 and 64 bits; that of 16 bits is a number of other kinds. */
  private static final Set<String> UNSET = Set.of("4294967294", "18446744073709551614");

  /** Slurm's INFINITE of the same bits. */
  private static final Set<String> INFINITE = Set.of("4294967295", "18446744073709551615");

  private NumberWords() {}

  static boolean isUnset(String text) {
    return UNSET.contains(text);
  }

  static @Nullable DocumentValue special(String text, boolean whole) {
    boolean named =
        switch (text.toLowerCase(Locale.ROOT)) {
          case "infinite", "infinity", "inf", "unlimited" -> true;
          default -> false;
        };
    return named || whole && INFINITE.contains(text) ? new DocumentValue.Infinite() : null;
  }

  static @Nullable DocumentValue number(String text, boolean whole) {
    if (text.length() > LONGEST) {
      return null;
    }
    try {
      if (!whole) {
        double value = Double.parseDouble(text);
        return Double.isFinite(value) ? new DocumentValue.Fraction(value) : null;
      }
      if (text.chars().allMatch(c -> c >= '0' && c <= '9' || c == '-')) {
        return new DocumentValue.Whole(Long.parseLong(text));
      }
      double value = Double.parseDouble(text);
      return value == Math.rint(value) && Math.abs(value) <= EXACT
          ? new DocumentValue.Whole((long) value)
          : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  static String kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "dictionary";
      case START_ARRAY -> "list";
      case VALUE_NUMBER_INT -> "64 bit integer";
      case VALUE_NUMBER_FLOAT -> "floating point number";
      case VALUE_TRUE, VALUE_FALSE -> "boolean";
      case VALUE_NULL -> "null";
      default -> "string";
    };
  }
}
