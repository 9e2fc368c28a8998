package io.dure.host.trust;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which controllers are the cluster's, for machines that have no cluster key: the file {@code
 * dure.ca} beside {@code slurm.conf}, of one line, {@code ca=} and the SHA-256 of the certificate
 * authority, as the cluster key has it. Everybody may read it; who may write it may just as well
 * write {@code slurm.conf}. All functions may be called by any thread.
 */
public final class ClusterAuthority {
  /** Name of the file, in the directory of {@code slurm.conf}. */
  public static final String FILE_NAME = "dure.ca";

  private static final int LARGEST_FILE = 4096;
  private static final String BEGINNING = "ca=";
  private static final int DIGITS = 64;

  private ClusterAuthority() {}

  /**
   * What the file beside a configuration names, in hexadecimal digits; null where there is none.
   *
   * @throws IOException if there is one that names nothing
   */
  public static @Nullable String beside(Path configuration) throws IOException {
    Path file = configuration.resolveSibling(FILE_NAME);
    String text;
    try (InputStream in = Files.newInputStream(file)) {
      text = new String(in.readNBytes(LARGEST_FILE), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return null;
    }
    for (String line : text.lines().toList()) {
      String named = line.strip().toLowerCase(Locale.ROOT);
      String digits = named.startsWith(BEGINNING) ? named.substring(BEGINNING.length()) : "";
      if (digits.length() == DIGITS
          && digits.chars().allMatch(c -> "0123456789abcdef".indexOf(c) >= 0)) {
        return digits;
      }
    }
    throw new IOException(file + " has no line ca=SHA256; copy that of " + ClusterKey.FILE_NAME);
  }

  /** What to do where nothing names the authority. */
  public static String missing(Path configuration) {
    return "nothing on this machine says which controllers are the cluster's: copy the line ca= of "
        + ClusterKey.FILE_NAME
        + " into "
        + configuration.resolveSibling(FILE_NAME);
  }
}
