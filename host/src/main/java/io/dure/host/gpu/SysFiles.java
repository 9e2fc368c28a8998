package io.dure.host.gpu;

import io.dure.host.process.CpuTopology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Small files of {@code /sys} and {@code /proc}. */
final class SysFiles {
  private SysFiles() {}

  /** What a directory has of that pattern, sorted; nothing if there is no such directory. */
  static List<Path> list(Path directory, String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, pattern)) {
      entries.forEach(found::add);
    } catch (NoSuchFileException | NotDirectoryException _) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    found.sort(null);
    return found;
  }

  /** The text without blanks around it; empty if it cannot be read. */
  static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /** A number, decimal; 0 if there is none. */
  static long number(Path file) {
    String text = text(file);
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  /** The CPUs near a device of the PCI bus. */
  static List<Integer> cpusNear(Path device) {
    return CpuTopology.parseList(text(device.resolve("local_cpulist")));
  }
}
