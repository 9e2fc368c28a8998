package io.dure.faults.step;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Signatures of a world. They bind a message to a leadership, as the product's do, and cost little;
 * nobody forges them here.
 *
 * @param leadership number of the leadership that signs
 */
public record CheapSignature(long leadership) {
  private static final int KEY = Long.BYTES;

  /** What nodes check by. */
  public byte[] publicKey() {
    return ByteBuffer.allocate(KEY).putLong(leadership).array();
  }

  /** The signature of a message. */
  public byte[] sign(byte[] message) {
    return signature(publicKey(), message);
  }

  private static byte[] signature(byte[] key, byte[] message) {
    return ByteBuffer.allocate(KEY + Integer.BYTES)
        .put(key)
        .putInt(Arrays.hashCode(message))
        .array();
  }

  /** Whether a signature is that of a message, by that key. */
  static boolean isValid(byte[] key, byte[] message, byte[] signature) {
    return Arrays.equals(signature, signature(key, message));
  }
}
