package io.dure.faults.corruption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Directories of test files. */
final class TestDirectories {
  private TestDirectories() {}

  /**
   * Copies all beneath a directory, with modes, to one that is made; not the marks by which a
   * controller tells a copy from its own files.
   */
  static void copy(Path from, Path to) throws IOException {
    for (Path file : beneath(from)) {
      if (String.valueOf(file.getFileName()).startsWith("origin-")) {
        continue;
      }
      Files.copy(
          file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  static void delete(Path directory) throws IOException {
    for (Path file : beneath(directory).stream().sorted(Comparator.reverseOrder()).toList()) {
      Files.deleteIfExists(file);
    }
  }

  /** Whether all files of one are as in the other; the lock's text does not count. */
  static boolean same(Path one, Path other) throws IOException {
    Map<String, byte[]> left = contents(one);
    Map<String, byte[]> right = contents(other);
    if (!left.keySet().equals(right.keySet())) {
      return false;
    }
    for (Map.Entry<String, byte[]> file : left.entrySet()) {
      if (!Arrays.equals(file.getValue(), right.get(file.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a file of one is as in the other. */
  static boolean sameFile(Path one, Path other, Path file) throws IOException {
    return Files.mismatch(one.resolve(file), other.resolve(file)) < 0;
  }

  private static Map<String, byte[]> contents(Path directory) throws IOException {
    TreeMap<String, byte[]> contents = new TreeMap<>();
    for (Path file : beneath(directory)) {
      if (Files.isRegularFile(file) && !file.endsWith("lock")) {
        contents.put(directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return contents;
  }

  private static List<Path> beneath(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.sorted().toList();
    }
  }
}
