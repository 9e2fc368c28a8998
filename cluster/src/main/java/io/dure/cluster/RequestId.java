package io.dure.cluster;

import org.jspecify.annotations.Nullable;

/** Names one request among all: 128 random bits, as 32 hexadecimal digits outside. */
public record RequestId(long high, long low) {
  private static final int HALF = 16;
  private static final int RADIX = 16;

  /** The id that the text writes, null if it is none. */
  public static @Nullable RequestId parse(String text) {
    if (text.length() != 2 * HALF
        || !text.chars().allMatch(c -> Character.digit(c, RADIX) >= 0 && c <= 'f')) {
      return null;
    }
    return new RequestId(
        Long.parseUnsignedLong(text, 0, HALF, RADIX),
        Long.parseUnsignedLong(text, HALF, 2 * HALF, RADIX));
  }

  /** As 32 hexadecimal digits. */
  @Override
  public String toString() {
    return digits(high) + digits(low);
  }

  private static String digits(long half) {
    String digits = Long.toHexString(half);
    return "0".repeat(HALF - digits.length()) + digits;
  }
}
