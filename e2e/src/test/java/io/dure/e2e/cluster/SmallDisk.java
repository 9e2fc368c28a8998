package io.dure.e2e.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file system of its own in memory, which a test can fill up. */
public final class SmallDisk implements AutoCloseable {
  private static final int BLOCK = 1 << 16;

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Why there can be none here, null if there can. */
  public static @Nullable String lacking() {
    try {
      mount(1).close();
      return null;
    } catch (IOException e) {
      return "file systems cannot be mounted here: " + e.getMessage();
    }
  }

  /** Mounts one of so many MiB. */
  public static SmallDisk mount(int mib) throws IOException {
    Path directory = Files.createTempDirectory("dure-disk-");
    run("mount", "-t", "tmpfs", "-o", "mode=0755,size=" + mib + "m", "tmpfs", directory.toString());
    return new SmallDisk(directory);
  }

  public Path directory() {
    return directory;
  }

  /** Takes all the room that is left. */
  public void fill() {
    byte[] block = new byte[BLOCK];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      // it is full
    }
  }

  /** Gives the room back. */
  public void free() {
    try {
      Files.deleteIfExists(ballast());
    } catch (IOException e) {
      throw new AssertionError("cannot free " + directory, e);
    }
  }

  private Path ballast() {
    return directory.resolve("ballast");
  }

  @Override
  public void close() {
    try {
      run("umount", "--lazy", directory.toString());
      Files.delete(directory);
    } catch (IOException e) {
      System.err.println("left behind: " + directory);
    }
  }

  private static void run(String... words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", words) + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
