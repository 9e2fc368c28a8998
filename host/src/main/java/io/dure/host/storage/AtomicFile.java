package io.dure.host.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a whole file so that a crash at any moment leaves the old content or the new, never a mix.
 *
 * <p>The content goes to a temporary file in the same directory, is synced, takes its name in one
 * step, and the directory is synced, so that a power failure after the return cannot undo it. Any
 * thread may call; two writers of one file leave the content of one of them.
 */
public final class AtomicFile {
  private AtomicFile() {}

  /**
   * Replaces or creates {@code file}.
   *
   * @param mode permission bits such as 0600, set exactly (the umask does not matter)
   * @param owner owner of the file; null leaves the running user
   * @throws IOException if any step fails; the old content is then still there
   */
  public static void write(Path file, byte[] content, int mode, @Nullable FileOwner owner)
      throws IOException {
    Path temporary = writeTemporary(file, content, mode, owner);
    try {
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
    syncDirectory(parent(file));
  }

  /**
   * Creates {@code file} with its full content, or fails if it exists: of several callers exactly
   * one succeeds, and no reader ever sees the file half written.
   *
   * @param mode permission bits such as 0600, set exactly
   * @param owner owner of the file; null leaves the running user
   * @throws FileAlreadyExistsException if the file exists
   */
  public static void create(Path file, byte[] content, int mode, @Nullable FileOwner owner)
      throws IOException {
    Path temporary = writeTemporary(file, content, mode, owner);
    try {
      // A link, because a rename would silently replace a file that came into being meanwhile.
      Files.createLink(file, temporary);
    } finally {
      Files.deleteIfExists(temporary);
    }
    syncDirectory(parent(file));
  }

  /** Makes the names inside {@code directory} durable: creations, renames and removals. */
  public static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Path writeTemporary(Path file, byte[] content, int mode, @Nullable FileOwner owner)
      throws IOException {
    Path directory = parent(file);
    // Not readable by others until its mode and owner are as asked for.
    FileAttribute<Set<PosixFilePermission>> secret =
        PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    Path temporary =
        Files.createTempFile(directory, "." + file.getFileName() + ".", ".new", secret);
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        ByteBuffer buffer = ByteBuffer.wrap(content);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        if (owner != null) {
          FileModes.setOwner(temporary, owner);
        }
        FileModes.setMode(temporary, mode);
        channel.force(true);
      }
      return temporary;
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  private static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file.toAbsolutePath() : parent;
  }
}
