package io.dure.conventions.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a repository, by path: what is tracked, and what would be. */
final class Sources {
  private static final Set<String> NOT_OURS = Set.of(".git", "target", ".dure", ".idea", ".vscode");
  private static final int LONGEST_TEXT_BYTES = 1 << 20;

  private final TreeMap<String, SourceFile> files = new TreeMap<>();
  private @Nullable List<JavaFiles.Parsed> java;

  /** A small repository in memory. */
  static Sources of(SourceFile... files) {
    Sources sources = new Sources();
    Stream.of(files).forEach(file -> sources.files.put(file.path(), file));
    return sources;
  }

  /** The repository that this build stands in. */
  static Sources ofRepository() {
    Path root = repositoryRoot();
    Sources sources = new Sources();
    for (String path : listed(root)) {
      if (Files.isRegularFile(root.resolve(path)) && !Files.isSymbolicLink(root.resolve(path))) {
        sources.files.put(path, new SourceFile(path, text(root.resolve(path))));
      }
    }
    return sources;
  }

  /** The nearest folder at or above the working directory whose pom lists the modules. */
  static Path repositoryRoot() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isRegularFile(folder.resolve("pom.xml"))
          && Files.isDirectory(folder.resolve("testkit"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no root pom above " + Path.of("").toAbsolutePath());
  }

  List<SourceFile> files(Predicate<SourceFile> wanted) {
    return files.values().stream().filter(wanted).toList();
  }

  List<SourceFile> all() {
    return List.copyOf(files.values());
  }

  /** The Java files, parsed once. */
  List<JavaFiles.Parsed> java() {
    if (java == null) {
      java = JavaFiles.parse(files(SourceFile::isJava));
    }
    return java;
  }

  /** Whether there is such a file or folder. */
  boolean exists(String path) {
    if (path.isEmpty() || files.containsKey(path)) {
      return true;
    }
    String next = files.ceilingKey(path + "/");
    return next != null && next.startsWith(path + "/");
  }

  /** The text of a file, empty when there is none. */
  String textOf(String path) {
    SourceFile file = files.get(path);
    return file == null ? "" : file.text();
  }

  private static List<String> listed(Path root) {
    Ran git =
        Ran.of(root, "", "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard");
    if (git.exitCode() == 0) {
      return Arrays.stream(git.output().split("\0", -1)).filter(path -> !path.isEmpty()).toList();
    }
    // An unpacked archive has no history to ask.
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.map(root::relativize)
          .filter(path -> Stream.of(path.toString().split("/", -1)).noneMatch(NOT_OURS::contains))
          .map(Path::toString)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > LONGEST_TEXT_BYTES) {
        return "";
      }
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return text.indexOf('\0') < 0 ? text : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
