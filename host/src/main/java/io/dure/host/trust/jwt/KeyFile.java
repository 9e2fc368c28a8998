package io.dure.host.trust.jwt;

import io.dure.host.storage.FileModes;
import io.dure.host.user.CurrentProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file of keys that the configuration names: who could change it could be any user of the
 * cluster.
 *
 * @param parameter the word of {@code AuthAltParameters} that names it
 * @param path where it lies
 * @param slurmUserUid number of SlurmUser, whose file is trusted as root's and the running user's
 */
record KeyFile(String parameter, Path path, int slurmUserUid) {
  private static final int OTHERS_MAY = 077;
  private static final int OTHERS_MAY_WRITE = 022;

  /** The content of one that nobody but its owner may read. */
  byte[] secret(int most) throws IOException {
    return read(OTHERS_MAY, "others may read or write it", "chmod 600 ", most);
  }

  /** The content of one that everybody may read. */
  byte[] published(int most) throws IOException {
    return read(OTHERS_MAY_WRITE, "others may write it", "chmod 644 ", most);
  }

  private byte[] read(int forbidden, String danger, String remedy, int most) throws IOException {
    try {
      int owner = FileModes.ownerOf(path).uid();
      if (owner != 0 && owner != slurmUserUid && owner != CurrentProcess.effectiveUid()) {
        throw refused(
            "belongs to user "
                + Integer.toUnsignedString(owner)
                + ": it must belong to root or SlurmUser");
      }
      int mode = FileModes.modeOf(path);
      if ((mode & forbidden) != 0) {
        throw refused(
            "has mode 0"
                + Integer.toOctalString(mode)
                + ": "
                + danger
                + "; correct it by: "
                + remedy
                + path);
      }
      return content(most);
    } catch (JwtKeyException e) {
      throw e;
    } catch (NoSuchFileException e) {
      throw refused("does not exist: create it, or name another file");
    } catch (IOException e) {
      throw refused("cannot be read: " + e.getMessage() + "; SlurmUser must be able to");
    }
  }

  private byte[] content(int most) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] content = in.readNBytes(most + 1);
      if (content.length > most) {
        throw refused("has more than " + most + " bytes: it is no file of keys");
      }
      return content;
    }
  }

  /** What is wrong with it. */
  JwtKeyException refused(String what) {
    return new JwtKeyException("AuthAltParameters: " + parameter + "=" + path + " " + what);
  }
}
