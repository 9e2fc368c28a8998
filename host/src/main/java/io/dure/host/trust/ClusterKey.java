package io.dure.host.trust;

import io.dure.host.storage.AtomicFile;
import io.dure.host.storage.FileModes;
import io.dure.host.storage.FileOwner;
import io.dure.host.user.CurrentProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What makes a machine part of the cluster: a secret with which its programs vouch for users and
 * nodes, and the fingerprint of the one certificate authority that they trust.
 *
 * <p>The file {@code dure.key} lies beside {@code slurm.conf} and is the only thing to copy to a
 * new machine. Two lines: {@code secret=} 32 bytes in base64, {@code ca=} SHA-256 of the CA
 * certificate in hexadecimal; and a checksum of them, so that damage is not taken for another
 * secret. Values of this class never change; any thread may use them.
 */
public final class ClusterKey {
  /** Name of the file, in the directory of {@code slurm.conf}. */
  public static final String FILE_NAME = "dure.key";

  private static final int SECRET_BYTES = 32;
  private static final int LARGEST_FILE = 4096;
  private static final int OTHERS_MAY = 077;
  private static final String HMAC = "HmacSHA256";
  private static final String ANEW =
      "; copy it anew from another machine of the cluster, or from a backup";
  private static final String CHECKED = "# Checked at its end.";
  private static final String CHECK = "# check=";
  private static final int CHECK_BYTES = 8;

  private final byte[] secret;
  private final String caFingerprint;

  private ClusterKey(byte[] secret, String caFingerprint) {
    this.secret = secret;
    this.caFingerprint = caFingerprint;
  }

  /**
   * A new key with a random secret.
   *
   * @param caFingerprint SHA-256 of the CA certificate, 64 hexadecimal digits
   */
  public static ClusterKey generate(SecureRandom random, String caFingerprint) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return new ClusterKey(secret, caFingerprint);
  }

  /**
   * Reads the key file.
   *
   * @param slurmUserUid number of SlurmUser, whose file is trusted as root's and the running user's
   * @throws NoSuchFileException if there is none
   * @throws ClusterKeyException if others than its owner may read or write it, if it belongs to
   *     another user, or if it is damaged
   */
  public static ClusterKey load(Path file, int slurmUserUid) throws IOException {
    FileOwner owner = FileModes.ownerOf(file);
    int uid = owner.uid();
    if (uid != 0 && uid != slurmUserUid && uid != CurrentProcess.effectiveUid()) {
      throw new ClusterKeyException(
          file
              + " belongs to user "
              + Integer.toUnsignedString(uid)
              + ": it must belong to root,"
              + " SlurmUser or the user who runs this program");
    }
    int mode = FileModes.modeOf(file);
    if ((mode & OTHERS_MAY) != 0) {
      throw new ClusterKeyException(
          file
              + " has mode 0"
              + Integer.toOctalString(mode)
              + ": others may read or write it; correct it by: chmod 600 "
              + file);
    }
    if (Files.size(file) > LARGEST_FILE) {
      throw new ClusterKeyException(file + " is not a cluster key: it is too long");
    }
    return parse(file, Files.readString(file, StandardCharsets.ISO_8859_1));
  }

  private static ClusterKey parse(Path file, String text) throws ClusterKeyException {
    byte @Nullable [] secret = null;
    String ca = null;
    for (String line : text.lines().toList()) {
      String trimmed = line.strip();
      if (trimmed.startsWith("secret=")) {
        secret = secret(file, trimmed.substring("secret=".length()));
      } else if (trimmed.startsWith("ca=")) {
        ca = fingerprint(file, trimmed.substring("ca=".length()));
      } else if (!trimmed.isEmpty() && !trimmed.startsWith("#")) {
        throw new ClusterKeyException(
            file + " is not a cluster key: it has an unknown line" + ANEW);
      }
    }
    if (secret == null || ca == null) {
      throw new ClusterKeyException(
          file
              + " is not a cluster key: the line "
              + (secret == null ? "secret=" : "ca=")
              + " is missing"
              + ANEW);
    }
    check(file, text);
    return new ClusterKey(secret, ca);
  }

  /**
   * A line at the end that older programs take for a comment. The first line says that it is there;
   * a key that was made before has neither.
   */
  private static void check(Path file, String text) throws ClusterKeyException {
    int end = text.indexOf(CHECK);
    int at = end < 0 ? text.length() : end;
    String checked = CHECK + digest(text.substring(0, at)) + "\n";
    if ((end >= 0 || text.startsWith(CHECKED)) && !text.substring(at).equals(checked)) {
      throw new ClusterKeyException(
          file + " is damaged: its content does not match its checksum" + ANEW);
    }
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.ISO_8859_1));
      return HexFormat.of().formatHex(digest, 0, CHECK_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static byte[] secret(Path file, String base64) throws ClusterKeyException {
    try {
      byte[] secret = Base64.getDecoder().decode(base64);
      if (secret.length == SECRET_BYTES) {
        return secret;
      }
    } catch (IllegalArgumentException e) {
      // The decoder's message would quote a part of the secret.
    }
    throw new ClusterKeyException(
        file + " is not a cluster key: secret= is not " + SECRET_BYTES + " bytes in base64" + ANEW);
  }

  private static String fingerprint(Path file, String hex) throws ClusterKeyException {
    try {
      byte[] digest = HexFormat.of().parseHex(hex);
      if (digest.length == 32) {
        return HexFormat.of().formatHex(digest);
      }
    } catch (IllegalArgumentException e) {
      // The message below says it.
    }
    throw new ClusterKeyException(
        file + " is not a cluster key: ca= is not a SHA-256 in hexadecimal" + ANEW);
  }

  /**
   * Writes a new key file with mode 0600, at once and durably.
   *
   * @param owner its owner (SlurmUser); null leaves the running user
   * @throws java.nio.file.FileAlreadyExistsException if there is one; it is never overwritten
   */
  public void create(Path file, @Nullable FileOwner owner) throws IOException {
    String text =
        CHECKED
            + " Whoever reads this file may act as any user of the cluster. Copy it to each machine.\n"
            + "secret="
            + Base64.getEncoder().encodeToString(secret)
            + "\nca="
            + caFingerprint
            + "\n";
    text += CHECK + digest(text) + "\n";
    AtomicFile.create(file, text.getBytes(StandardCharsets.ISO_8859_1), 0600, owner);
  }

  /** SHA-256 of the CA certificate that the cluster trusts, 64 small hexadecimal digits. */
  public String caFingerprint() {
    return caFingerprint;
  }

  /** HMAC-SHA256 of the bytes with the cluster's secret. */
  byte[] authenticate(byte[] message) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secret, HMAC));
      return mac.doFinal(message);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java has " + HMAC, e);
    }
  }

  /** Says nothing of the secret. */
  @Override
  public String toString() {
    return "ClusterKey[ca=" + caFingerprint + "]";
  }
}
