package io.dure.node.usage;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.dure.host.user.CurrentProcess;
import io.dure.model.UserIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file of a user in a folder of the daemon's below that of all users: the user may read and
 * change it, and nobody can put another in its place. Blocks; not for several threads.
 */
final class ProfileFile {
  private static final Set<OpenOption> APPEND =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND, NOFOLLOW_LINKS);

  private final Path file;

  private ProfileFile(Path file) {
    this.file = file;
  }

  /**
   * Makes the file with its first line, unless an earlier daemon did.
   *
   * @param directory of all users
   * @throws IOException if it cannot be, or if the user's folder belongs to somebody else
   */
  static ProfileFile open(Path directory, UserIdentity user, String name, String header)
      throws IOException {
    int daemon = CurrentProcess.effectiveUid();
    Path folder = directory.resolve(user.userName()).normalize();
    if (!directory.normalize().equals(folder.getParent())) {
      throw new IOException("no folder can be named after user " + user.userName());
    }
    makeFolder(folder);
    if (!Files.isDirectory(folder, NOFOLLOW_LINKS) || owner(folder) != daemon) {
      throw new IOException(folder + " is no folder of user " + daemon + ": remove it");
    }
    ProfileFile opened = new ProfileFile(folder.resolve(name));
    try {
      Files.createFile(
          opened.file,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      opened.append(header);
      if (daemon == 0) {
        Files.setAttribute(opened.file, "unix:gid", user.gid(), NOFOLLOW_LINKS);
        Files.setAttribute(opened.file, "unix:uid", user.uid(), NOFOLLOW_LINKS);
      }
    } catch (FileAlreadyExistsException e) {
      return opened;
    }
    return opened;
  }

  private static void makeFolder(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (FileAlreadyExistsException e) {
      // Of another step, or not this daemon's, which is looked at next.
      return;
    }
  }

  private static int owner(Path folder) throws IOException {
    return (int) Files.getAttribute(folder, "unix:uid", NOFOLLOW_LINKS);
  }

  /** Adds to its end. */
  void append(String lines) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.US_ASCII));
    try (SeekableByteChannel channel = Files.newByteChannel(file, APPEND)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }
}
