package io.dure.host.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Mode and owner of files as numbers, the way the kernel keeps them.
 *
 * <p>Java's own view knows owners by name only, and asks the user database for it; these read and
 * set the numbers. Any thread may call.
 */
public final class FileModes {
  private FileModes() {}

  /** The permission bits of the file, 0 to 07777; links are followed. */
  public static int modeOf(Path file) throws IOException {
    return number(file, "unix:mode") & 07777;
  }

  /** User and group of the file; links are followed. */
  public static FileOwner ownerOf(Path file) throws IOException {
    return new FileOwner(number(file, "unix:uid"), number(file, "unix:gid"));
  }

  /** Sets the permission bits, 0 to 07777. */
  public static void setMode(Path file, int mode) throws IOException {
    Files.setAttribute(file, "unix:mode", mode);
  }

  /**
   * Gives the file itself (not what a link points to) to its owner; does nothing if it is theirs
   * already, so that an unprivileged caller may ask for itself.
   *
   * @throws IOException if the running user may not
   */
  public static void setOwner(Path file, FileOwner owner) throws IOException {
    if (number(file, "unix:uid", LinkOption.NOFOLLOW_LINKS) != owner.uid()) {
      Files.setAttribute(file, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
    }
    if (number(file, "unix:gid", LinkOption.NOFOLLOW_LINKS) != owner.gid()) {
      Files.setAttribute(file, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  private static int number(Path file, String attribute, LinkOption... options) throws IOException {
    return (Integer) Files.getAttribute(file, attribute, options);
  }
}
