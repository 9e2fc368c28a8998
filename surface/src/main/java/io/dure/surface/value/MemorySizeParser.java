package io.dure.surface.value;

import org.jspecify.annotations.Nullable;

/** Amounts of memory as users type them: a number and K, M, G, T or P; MiB without a letter. */
public final class MemorySizeParser {

  private static final long MAX_MIB = 1L << 40;

  private MemorySizeParser() {}

  /** The amount in MiB, kibibytes rounded up, or null if the text is no amount. */
  public static @Nullable Long parseMib(String text) {
    int end = 0;
    while (end < text.length() && DigitParser.isDigit(text.charAt(end))) {
      end++;
    }
    long value = DigitParser.parse(text.substring(0, end), MAX_MIB * 1024);
    if (value < 0) {
      return null;
    }
    if (end == text.length()) {
      return value > MAX_MIB ? null : value;
    }
    String tail = text.substring(end + 1);
    if (!tail.isEmpty() && !tail.equalsIgnoreCase("B") && !tail.equalsIgnoreCase("iB")) {
      return null;
    }
    int shift;
    switch (text.charAt(end)) {
      case 'k', 'K' -> {
        return (value + 1023) / 1024;
      }
      case 'm', 'M' -> shift = 0;
      case 'g', 'G' -> shift = 10;
      case 't', 'T' -> shift = 20;
      case 'p', 'P' -> shift = 30;
      default -> {
        return null;
      }
    }
    return value > MAX_MIB >> shift ? null : Long.valueOf(value << shift);
  }
}
