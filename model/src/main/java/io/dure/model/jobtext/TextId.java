package io.dure.model.jobtext;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Names a text by what it says: the SHA-256 of its UTF-8 bytes, 8 of them in each component. Equal
 * texts have equal names, whatever their origin.
 */
public record TextId(long first, long second, long third, long fourth) {
  /** Names the text without characters. */
  public static final TextId EMPTY = of("");

  /** Names a text. */
  public static TextId of(String text) {
    byte[] digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    return new TextId(part(digest, 0), part(digest, 8), part(digest, 16), part(digest, 24));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static long part(byte[] digest, int from) {
    long part = 0;
    for (int i = 0; i < 8; i++) {
      part = part << 8 | digest[from + i] & 0xFF;
    }
    return part;
  }

  /** The digest as 64 hexadecimal digits. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(64);
    for (long part : new long[] {first, second, third, fourth}) {
      String digits = Long.toHexString(part);
      text.append("0".repeat(16 - digits.length())).append(digits);
    }
    return text.toString();
  }
}
