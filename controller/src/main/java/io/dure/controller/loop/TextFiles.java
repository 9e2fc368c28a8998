package io.dure.controller.loop;

import io.dure.cluster.TextContent;
import io.dure.cluster.TextStorage;
import io.dure.cluster.UnreadableTextException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;

/**
 * Long texts in files, short ones in memory, so that jobs may have more text than the controller
 * has memory. The files are only a cache: the journal has all texts, nothing here is synced, and
 * what an earlier controller left is deleted. A file goes once no state refers to its text any
 * more, which a garbage collection finds out; one is asked for where files that may be garbage take
 * much of the disk. Where a text cannot be written it stays in memory. Any thread.
 */
public final class TextFiles implements TextStorage {
  private static final int SUBDIRECTORIES = 256;

  private final Path directory;
  private final Limits limits;
  private final Runnable collection;
  private final Logger log;
  private final Thread emptying;
  private final Cleaner cleaner = Cleaner.create();
  private final AtomicLong numbers = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private long bytes; // this and what follows are guarded by lock
  private long fewest;
  private boolean failing;

  /**
   * Where files begin and collections are asked for.
   *
   * @param shortest characters of the shortest text in a file, at least 1
   * @param garbage bytes of files that were added since the last collection, from which on another
   *     one is asked for; half of all files where that is more
   */
  record Limits(int shortest, long garbage) {
    static final Limits DEFAULTS = new Limits(32 * 1024, 4L << 30);
  }

  private TextFiles(
      Path directory, Limits limits, Runnable collection, Thread emptying, Logger log) {
    this.directory = directory;
    this.limits = limits;
    this.collection = collection;
    this.emptying = emptying;
    this.log = log;
  }

  /**
   * A place for the texts of a controller that holds the lock of its state directory. All texts
   * stay in memory if the directory cannot be made, which the log says.
   *
   * @param directory for these files alone; made if it is not there
   */
  public static TextStorage open(Path directory, Logger log) {
    return open(
        directory,
        Limits.DEFAULTS,
        () -> Thread.ofPlatform().daemon().name("text-collection").start(System::gc),
        log);
  }

  static TextStorage open(Path directory, Limits limits, Runnable collection, Logger log) {
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      List<Path> former = new ArrayList<>();
      try (Stream<Path> found = Files.list(directory)) {
        found.forEach(former::add);
      }
      // Deleting many files takes long, and the start of a controller should not.
      Thread emptying =
          Thread.ofPlatform()
              .daemon()
              .name("text-cleanup")
              .start(() -> former.forEach(one -> delete(one, log)));
      Path mine = Files.createDirectory(directory.resolve(String.valueOf(next(former))));
      return new TextFiles(mine, limits, collection, emptying, log);
    } catch (IOException e) {
      log.error(
          "cannot use "
              + directory
              + " for long scripts and environments ("
              + e
              + "): they stay in memory; make it writable and start slurmctld again if they need"
              + " more than there is");
      return TextStorage.IN_MEMORY;
    }
  }

  private static int next(List<Path> former) {
    int last = 0;
    for (Path one : former) {
      String name = String.valueOf(one.getFileName());
      if (name.matches("[0-9]{1,9}")) {
        last = Math.max(last, Integer.parseInt(name));
      }
    }
    return last == Integer.MAX_VALUE ? 0 : last + 1;
  }

  private static void delete(Path tree, Logger log) {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path one : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(one);
      }
    } catch (IOException | UncheckedIOException e) { // a walk throws the latter
      log.warn(
          "cannot delete "
              + tree
              + ", which an earlier slurmctld left and none needs ("
              + e
              + "): delete it");
    }
  }

  @Override
  public TextContent keep(String text) {
    if (text.length() < limits.shortest()) {
      return new TextContent.InMemory(text);
    }
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    long number = numbers.getAndIncrement();
    try {
      write(number, encoded);
    } catch (IOException e) {
      delete(number);
      failed(e);
      return new TextContent.InMemory(text);
    }
    added(encoded.length);
    InFile content = new InFile(this, number, text.length(), checksum(encoded));
    int size = encoded.length;
    var _ =
        cleaner.register(
            content,
            () -> {
              delete(number);
              removed(size);
            });
    return content;
  }

  private Path path(long number) {
    return directory.resolve(String.valueOf(number % SUBDIRECTORIES), String.valueOf(number));
  }

  private void write(long number, byte[] encoded) throws IOException {
    Path path = path(number);
    if (number < SUBDIRECTORIES) {
      Files.createDirectories(path.getParent());
    }
    try {
      put(path, encoded);
    } catch (IOException full) {
      await(emptying); // there may be room then
      Files.createDirectories(path.getParent());
      put(path, encoded);
    }
  }

  // Streams, since a channel is closed when its thread is interrupted.
  private static void put(Path path, byte[] encoded) throws IOException {
    try (OutputStream out = new FileOutputStream(path.toFile())) {
      out.write(encoded);
    }
  }

  private static void await(Thread ending) {
    try {
      ending.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void delete(long number) {
    try {
      Files.deleteIfExists(path(number));
    } catch (IOException e) {
      // The next start deletes what is left.
      log.debug("cannot delete " + path(number), e);
    }
  }

  private String read(InFile content) {
    Path path = path(content.number);
    try (InputStream in = new FileInputStream(path.toFile())) {
      byte[] encoded = in.readAllBytes();
      if (checksum(encoded) != content.checksum) {
        throw new IOException(path + " is not as it was written");
      }
      return new String(encoded, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UnreadableTextException(
          "cannot read a script or an environment: "
              + e.getMessage()
              + "; check that disk, and start slurmctld again, which writes the file anew from"
              + " its journal",
          e);
    } finally {
      Reference.reachabilityFence(content);
    }
  }

  private static int checksum(byte[] encoded) {
    CRC32C sum = new CRC32C();
    sum.update(encoded);
    return (int) sum.getValue();
  }

  private void failed(IOException e) {
    lock.lock();
    try {
      if (!failing) {
        failing = true;
        log.error(
            "cannot write a long script or environment to "
                + directory
                + ": "
                + e.getMessage()
                + "; from now on they stay in memory until one can be written: free space there, or"
                + " slurmctld may run out of memory");
      }
    } finally {
      lock.unlock();
    }
  }

  private void added(int size) {
    lock.lock();
    try {
      if (failing) {
        failing = false;
        log.info("long scripts and environments are written to " + directory + " again");
      }
      bytes += size;
      if (bytes - fewest < Math.max(limits.garbage(), fewest / 2)) {
        return;
      }
      fewest = bytes;
    } finally {
      lock.unlock();
    }
    collection.run();
  }

  private void removed(int size) {
    lock.lock();
    try {
      bytes -= size;
      fewest = Math.min(fewest, bytes);
    } finally {
      lock.unlock();
    }
  }

  /** A text in a file. */
  private static final class InFile implements TextContent {
    private final TextFiles files;
    private final long number;
    private final int length;
    private final int checksum;

    InFile(TextFiles files, long number, int length, int checksum) {
      this.files = files;
      this.number = number;
      this.length = length;
      this.checksum = checksum;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public String read() {
      return files.read(this);
    }
  }
}
