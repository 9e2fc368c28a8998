package io.dure.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Arguments and environment as the kernel holds them. Java's own view turns every letter beyond
 * ASCII into a question mark where the locale is C, as it is in cron and in containers.
 */
public final class ProcessArguments {

  private ProcessArguments() {}

  /**
   * The last words of the command line.
   *
   * @param process the directory of the process below /proc
   * @param count how many
   */
  public static List<String> arguments(Path process, int count) {
    List<String> words = split(process.resolve("cmdline"));
    return words.subList(words.size() - count, words.size());
  }

  /** The environment, in the kernel's order; of two settings of a name the first counts. */
  public static Map<String, String> environment(Path process) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String setting : split(process.resolve("environ"))) {
      int equals = setting.indexOf('=');
      if (equals > 0) {
        variables.putIfAbsent(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
    return variables;
  }

  private static List<String> split(Path file) {
    String text;
    try {
      text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    List<String> words = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int nul = text.indexOf('\0', start);
      int end = nul < 0 ? text.length() : nul;
      words.add(text.substring(start, end));
      start = end + 1;
    }
    return words;
  }
}
