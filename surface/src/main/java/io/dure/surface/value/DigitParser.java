package io.dure.surface.value;

/** Unsigned decimal numbers in what users type. */
public final class DigitParser {

  private DigitParser() {}

  static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  /** Whether the text is one digit or more and nothing else. */
  public static boolean only(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** The number, or -1 if the text is none or the number is above the bound. */
  public static long parse(String text, long bound) {
    if (!only(text)) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (value > (bound - digit) / 10) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
