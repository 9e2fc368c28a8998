package io.dure.journal.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A disk for those who only look: what is written goes nowhere, names that are changed are so in
 * memory alone. One thread at a time.
 */
public final class UnwrittenJournalDisk implements JournalDisk {
  private final JournalDisk real = new LocalJournalDisk();
  private final Map<Path, Path> renamed = new HashMap<>(); // to what is there
  private final Set<Path> made = new HashSet<>();
  private final Set<Path> gone = new HashSet<>();

  @Override
  public void createDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new NoSuchFileException(directory.toString());
    }
  }

  /** Is refused while a controller has the directory, and keeps none from taking it. */
  @Override
  public Closeable lock(Path directory) throws IOException {
    Path file = directory.resolve("lock");
    if (Files.exists(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        if (!isFree(channel)) {
          throw new JournalRefusedException(
              "journal " + directory + " is in use by a controller; stop that one first");
        }
      }
    }
    return () -> {};
  }

  private static boolean isFree(FileChannel channel) throws IOException {
    try (FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // this very process has it
    }
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    List<String> names = real.list(directory);
    names.removeIf(name -> gone.contains(directory.resolve(name)));
    for (Set<Path> others : List.of(renamed.keySet(), made)) {
      for (Path file : others) {
        names.add(String.valueOf(file.getFileName()));
      }
    }
    return names;
  }

  @Override
  public JournalDiskFile create(Path file) {
    delete(file);
    made.add(file);
    return new Unwritten(file, null);
  }

  @Override
  public JournalDiskFile open(Path file) throws IOException {
    if (made.contains(file)) {
      return new Unwritten(file, null);
    }
    return new Unwritten(
        file, FileChannel.open(renamed.getOrDefault(file, file), StandardOpenOption.READ));
  }

  @Override
  public void rename(Path from, Path to) {
    Path there = renamed.getOrDefault(from, from);
    boolean isMade = made.contains(from);
    delete(from);
    delete(to);
    if (isMade) {
      made.add(to);
    } else {
      renamed.put(to, there);
    }
  }

  @Override
  public void delete(Path file) {
    renamed.remove(file);
    made.remove(file);
    gone.add(file);
  }

  @Override
  public @Nullable String identity(Path file) throws IOException {
    return real.identity(renamed.getOrDefault(file, file));
  }

  @Override
  public void syncDirectory(Path directory) {
    // nothing was changed
  }

  /** A file as it is, or an empty one. */
  private record Unwritten(Path path, @Nullable FileChannel channel) implements JournalDiskFile {
    @Override
    public long size() throws IOException {
      return channel == null ? 0 : channel.size();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
      long at = offset;
      while (channel != null && into.hasRemaining()) {
        int count = channel.read(into, at);
        if (count < 0) {
          return;
        }
        at += count;
      }
    }

    @Override
    public void write(ByteBuffer from, long offset) {
      from.position(from.limit());
    }

    @Override
    public void sync(boolean metadata) {
      // nothing was written
    }

    @Override
    public void close() throws IOException {
      if (channel != null) {
        channel.close();
      }
    }
  }
}
