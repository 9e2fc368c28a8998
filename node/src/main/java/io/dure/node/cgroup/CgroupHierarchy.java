package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One mounted tree of control groups and this node's place in it.
 *
 * @param mount where it is mounted
 * @param nodeName the node's name
 */
record CgroupHierarchy(Path mount, String nodeName) {
  /** Members that were killed leave their group a moment after their end. */
  private static final Duration REMOVAL_PATIENCE = Duration.ofSeconds(2);

  private static final Duration REMOVAL_PAUSE = Duration.ofMillis(5);

  Path top() {
    return mount.resolve("dure");
  }

  Path node() {
    return top().resolve(nodeName);
  }

  Path job(long jobId) {
    return node().resolve("job_" + jobId);
  }

  Path step(long jobId, String step) {
    return job(jobId).resolve("step_" + step);
  }

  /** From the mount down to the step's group, without the mount itself. */
  List<Path> pathTo(long jobId, String step) {
    return List.of(top(), node(), job(jobId), step(jobId, step));
  }

  static void make(Path group) throws IOException {
    if (!Files.isDirectory(group)) {
      try {
        Files.createDirectory(group);
      } catch (FileAlreadyExistsException _) {
        // Another node daemon of this machine was quicker.
      }
    }
  }

  /** Writes to a file that the kernel made; the system's refusal names the file. */
  static void write(Path group, String file, String value) throws IOException {
    Path path = group.resolve(file);
    try {
      Files.writeString(path, value, StandardOpenOption.WRITE);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(path + ": " + value + ": " + e.getMessage(), e);
    }
  }

  /** The file's text without the last line end; empty when there is no such file. */
  static String read(Path group, String file) {
    try {
      return Files.readString(group.resolve(file), StandardCharsets.US_ASCII).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /** The number after a word at the start of a line; 0 without such a line. */
  static long counter(Path group, String file, String word) {
    for (String line : read(group, file).split("\n", -1)) {
      if (line.startsWith(word + " ")) {
        return Long.parseLong(line.substring(word.length() + 1).strip());
      }
    }
    return 0;
  }

  /** All members of the groups, each once. */
  static List<Long> members(List<Path> groups) {
    TreeSet<Long> members = new TreeSet<>();
    for (Path group : groups) {
      read(group, "cgroup.procs").lines().map(Long::parseLong).forEach(members::add);
    }
    members.remove(0L);
    return new ArrayList<>(members);
  }

  List<Long> jobs() {
    try (Stream<Path> groups = Files.list(node())) {
      return groups
          .map(group -> group.getFileName().toString())
          .filter(name -> name.matches("job_[0-9]{1,18}"))
          .map(name -> Long.parseLong(name.substring("job_".length())))
          .sorted()
          .toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  /**
   * Removes the step's group, then the job's if no other step is in it; false when members stay.
   */
  boolean remove(long jobId, String step) throws IOException {
    Path group = step(jobId, step);
    long deadline = System.nanoTime() + REMOVAL_PATIENCE.toNanos();
    while (!removed(group)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      try {
        Thread.sleep(REMOVAL_PAUSE);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    removed(job(jobId));
    return true;
  }

  /**
   * Removes the node's group where nothing is in it. The common one above it stays, for another
   * node of the machine may be making its own in it.
   */
  void leave() {
    try {
      removed(node());
    } catch (IOException _) {
      // What cannot be removed is empty and does no harm.
    }
  }

  private static boolean removed(Path group) throws IOException {
    try {
      Files.delete(group);
      return true;
    } catch (NoSuchFileException _) {
      return true;
    } catch (DirectoryNotEmptyException _) {
      return false;
    } catch (FileSystemException e) {
      if (String.valueOf(e.getReason()).contains("busy")) {
        return false;
      }
      throw e;
    }
  }
}
