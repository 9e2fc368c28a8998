package io.dure.cli.scontrol.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash of a file by the algorithms of {@code HashPlugin}, of 32 bytes each. */
final class FileHash {
  private static final int LENGTH = 32;
  private static final int CHUNK = 8192;
  private static final int ONE_CHUNK = 0x07;
  private static final int INNER_CHUNK = 0x0B;
  private static final int TREE = 0x06;

  private FileHash() {}

  /** SHA3-256. */
  static byte[] sha3(InputStream in) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA3-256");
      byte[] chunk = new byte[CHUNK];
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        digest.update(chunk, 0, count);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA3-256", e);
    }
  }

  /**
   * KangarooTwelve without a customization string, as RFC 9861 describes it: the first chunk is
   * hashed together with the hashes of the others.
   */
  static byte[] k12(InputStream in) throws IOException {
    byte[] chunk = new byte[CHUNK];
    int count = in.readNBytes(chunk, 0, CHUNK);
    TurboShake node = new TurboShake();
    node.absorb(chunk, 0, count);
    if (count < CHUNK) {
      // The length of the empty string ends the message.
      node.absorb((byte) 0);
      return node.finish(ONE_CHUNK, LENGTH);
    }
    node.absorb((byte) 3, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
    long inner = 0;
    do {
      count = in.readNBytes(chunk, 0, CHUNK);
      TurboShake leaf = new TurboShake();
      leaf.absorb(chunk, 0, count);
      if (count < CHUNK) {
        leaf.absorb((byte) 0);
      }
      node.absorb(leaf.finish(INNER_CHUNK, LENGTH));
      inner++;
    } while (count == CHUNK);
    node.absorb(lengthOf(inner));
    node.absorb((byte) 0xFF, (byte) 0xFF);
    return node.finish(TREE, LENGTH);
  }

  /** A number, its highest byte first, and how many bytes that are. */
  private static byte[] lengthOf(long number) {
    int bytes = (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / 8;
    byte[] text = new byte[bytes + 1];
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) (number >>> (8 * (bytes - 1 - i)));
    }
    text[bytes] = (byte) bytes;
    return text;
  }
}
