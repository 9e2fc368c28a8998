package io.dure.host.process;

import io.dure.host.storage.DirectoryCreator;
import io.dure.host.storage.FileModes;
import io.dure.host.user.CurrentProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The file that says which process is the daemon, and sees to it that there is only one.
 *
 * <p>It holds the number and nothing else, since scripts say {@code kill $(cat FILE)}. That the
 * daemon lives is told by a lock on the file, which the kernel releases with the process: unlike a
 * number and a start time, it is right even when numbers are used again or the clock is set.
 *
 * <p>No other code of the same process may open the file, since closing it would release the lock
 * (fcntl(2)).
 */
public final class PidFile implements Closeable {
  private static final int MODE = 0644;
  private static final int LONGEST = 32;

  private final Path path;
  private final FileChannel channel;

  private PidFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Writes the running process into the file. One left over by a process that is gone is taken
   * over; the directory is made if it is missing.
   *
   * @throws AlreadyRunningException if another process holds it
   * @throws IOException if the file cannot be written
   */
  public static PidFile claim(Path path) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null) {
      DirectoryCreator.ensure(directory, 0755, null);
    }
    PidFile claimed = null;
    while (claimed == null) {
      claimed = tryClaim(path);
    }
    return claimed;
  }

  /** Null if the former owner removed the file meanwhile. */
  private static @Nullable PidFile tryClaim(Path path) throws IOException {
    Object seen = identity(path);
    if (seen == null) {
      try {
        Files.createFile(path);
      } catch (FileAlreadyExistsException e) {
        // Another process was faster.
      }
      return null;
    }
    FileChannel channel;
    try {
      channel =
          FileChannel.open(
              path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
    boolean ours = false;
    try {
      if (!lock(channel)) {
        throw new AlreadyRunningException(path, number(channel));
      }
      ours = seen.equals(identity(path));
      if (!ours) {
        return null;
      }
      channel.truncate(0);
      byte[] text = (CurrentProcess.pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(text), 0);
      FileModes.setMode(path, MODE);
      return new PidFile(path, channel);
    } finally {
      if (!ours) {
        channel.close();
      }
    }
  }

  /** Device and number of the file that has the name now; null if none has. */
  private static @Nullable Object identity(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * The number of the living process that holds the file, or 0 if there is none. For other
   * processes than that one: see above.
   */
  public static int owner(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      FileLock free = channel.tryLock(0, Long.MAX_VALUE, true);
      return free == null ? number(channel) : 0;
    } catch (OverlappingFileLockException e) {
      return CurrentProcess.pid();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Removes the file and lets it go. */
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      Files.deleteIfExists(path);
      channel.close();
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static int number(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(LONGEST);
    channel.read(buffer, 0);
    String text =
        new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII).strip();
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Another process is the daemon already. */
  public static final class AlreadyRunningException extends IOException {
    private static final long serialVersionUID = 1L;
    private final int pid;

    AlreadyRunningException(Path path, int pid) {
      super(path + " is held by a running process" + (pid == 0 ? "" : " (" + pid + ")"));
      this.pid = pid;
    }

    /** Its number; 0 if it has not yet written it. */
    public int pid() {
      return pid;
    }
  }
}
