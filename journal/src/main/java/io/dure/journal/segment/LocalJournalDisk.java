package io.dure.journal.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The machine's file system; files are readable by their owner alone. Any thread. */
public final class LocalJournalDisk implements JournalDisk {
  private static final int PIECE = 1024 * 1024;
  private static final String INODE_NUMBER = "ino";
  private static final String INODE = "unix:" + INODE_NUMBER;
  private static final String BIRTH = "creationTime";
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> OWNER_ONLY_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  @Override
  public void createDirectory(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null) {
      throw new NoSuchFileException(directory.toString());
    }
    createDirectory(parent);
    Files.createDirectory(directory, OWNER_ONLY_DIRECTORY);
    syncDirectory(parent);
  }

  @Override
  public Closeable lock(Path directory) throws IOException {
    Path file = directory.resolve("lock");
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OWNER_ONLY);
    FileLock lock = null;
    try {
      lock = tryLock(channel);
      if (lock == null) {
        throw new JournalRefusedException(
            "journal "
                + directory
                + " is in use by another controller"
                + owner(channel)
                + "; stop that one first, or set another StateSaveLocation");
      }
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      try {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(pid), 0);
      } catch (IOException e) {
        // On a full disk the lock holds all the same; only its owner's number is missing.
      }
      return channel;
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(32);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "" : " (process " + pid + ")";
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        names.add(String.valueOf(file.getFileName()));
      }
    }
    return names;
  }

  @Override
  public JournalDiskFile create(Path file) throws IOException {
    Files.deleteIfExists(file); // never reuse the bytes of a file that is still open
    return new LocalFile(
        file,
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OWNER_ONLY));
  }

  @Override
  public JournalDiskFile open(Path file) throws IOException {
    return new LocalFile(
        file, FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  /** The inode and, as its number is given again, when it was made. */
  @Override
  public @Nullable String identity(Path file) throws IOException {
    try {
      Map<String, Object> found = Files.readAttributes(file, INODE + "," + BIRTH);
      Object made = found.get(BIRTH);
      return made instanceof FileTime time && keepsBirths(file)
          ? found.get(INODE_NUMBER) + "/" + time.to(TimeUnit.NANOSECONDS)
          : String.valueOf(found.get(INODE_NUMBER));
    } catch (NoSuchFileException e) {
      return null;
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return null; // no inodes here
    }
  }

  /** A file system that does not keep when a file was made shows its last change instead. */
  private static boolean keepsBirths(Path file) throws IOException {
    Path probe = file.resolveSibling("birth.tmp");
    try {
      Files.deleteIfExists(probe);
      Files.createFile(probe, OWNER_ONLY);
      Files.setLastModifiedTime(probe, FileTime.fromMillis(0));
      return !FileTime.fromMillis(0).equals(Files.getAttribute(probe, BIRTH));
    } catch (IOException e) {
      return false; // as on a full disk
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Its failures name the file: the platform's own messages do not. */
  private record LocalFile(Path path, FileChannel channel) implements JournalDiskFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
      long at = offset;
      try {
        while (into.hasRemaining()) {
          ByteBuffer next = next(into);
          int count = channel.read(next, at);
          if (count < 0) {
            return;
          }
          into.position(next.position());
          at += count;
        }
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      long at = offset;
      try {
        while (from.hasRemaining()) {
          ByteBuffer next = next(from);
          at += channel.write(next, at);
          from.position(next.position());
        }
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public void sync(boolean metadata) throws IOException {
      try {
        channel.force(metadata);
      } catch (IOException e) {
        throw named(e);
      }
    }

    /** The channel copies what is on the heap to outside of it, as much as it is given. */
    private static ByteBuffer next(ByteBuffer all) {
      return all.duplicate().limit(Math.min(all.limit(), all.position() + PIECE));
    }

    private IOException named(IOException e) {
      return new IOException(path + ": " + e.getMessage(), e);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
