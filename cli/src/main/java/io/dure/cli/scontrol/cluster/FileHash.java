package io.dure.cli.scontrol.cluster;

import java.io.IOException;
import java.io.InputStream;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.Kangaroo;
import org.bouncycastle.crypto.digests.SHA3Digest;

/** The hash of a file by the algorithms of {@code HashPlugin}, of 32 bytes each. */
final class FileHash {
  private static final int LENGTH = 32;
  private static final int CHUNK = 8192;

  private FileHash() {}

  /** SHA3-256. */
  static byte[] sha3(InputStream in) throws IOException {
    SHA3Digest digest = new SHA3Digest(8 * LENGTH);
    absorb(in, digest);
    byte[] hash = new byte[LENGTH];
    digest.doFinal(hash, 0);
    return hash;
  }

  /** KangarooTwelve without a customization string, see RFC 9861. */
  static byte[] k12(InputStream in) throws IOException {
    Kangaroo.KangarooTwelve digest = new Kangaroo.KangarooTwelve();
    absorb(in, digest);
    byte[] hash = new byte[LENGTH];
    digest.doFinal(hash, 0, LENGTH);
    return hash;
  }

  private static void absorb(InputStream in, Digest digest) throws IOException {
    byte[] chunk = new byte[CHUNK];
    for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
      digest.update(chunk, 0, count);
    }
  }
}
