package io.dure.cli.scontrol.show;

import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import org.jspecify.annotations.Nullable;

/** Where a job's input and output lie, with what stands in the patterns filled in. */
final class OutputPath {

  /** The index of what is no array task. */
  private static final long NO_INDEX = 4_294_967_294L;

  private final Job job;
  private final String firstNode;

  OutputPath(Job job, String firstNode) {
    this.job = job;
    this.firstNode = firstNode;
  }

  String input() {
    String pattern = job.batch().standardInput();
    return pattern == null ? "/dev/null" : path(pattern);
  }

  String output() {
    String pattern = job.batch().standardOutput();
    if (pattern != null) {
      return path(pattern);
    }
    return path(job.array() == null ? "slurm-%j.out" : "slurm-%A_%a.out");
  }

  String error() {
    String pattern = job.batch().standardError();
    return pattern == null ? output() : path(pattern);
  }

  private String path(String pattern) {
    String name = pattern.indexOf('\\') >= 0 ? pattern.replace("\\", "") : filled(pattern);
    if (name.startsWith("/")) {
      return name;
    }
    String directory = job.batch().workDirectory();
    return directory.endsWith("/") ? directory + name : directory + "/" + name;
  }

  private String filled(String pattern) {
    StringBuilder text = new StringBuilder(pattern.length() + 16);
    int at = 0;
    while (at < pattern.length()) {
      char c = pattern.charAt(at);
      int letter = at + 1;
      while (c == '%' && letter < pattern.length() && isDigit(pattern.charAt(letter))) {
        letter++;
      }
      String value =
          c == '%' && letter < pattern.length()
              ? value(pattern.charAt(letter), width(pattern.substring(at + 1, letter)))
              : null;
      if (value == null) {
        text.append(c);
        at++;
      } else {
        text.append(value);
        at = letter + 1;
      }
    }
    return text.toString();
  }

  private @Nullable String value(char letter, int width) {
    long index = job.array() instanceof ArrayPart.Task task ? task.index() : NO_INDEX;
    return switch (letter) {
      case '%' -> "%";
      case 'A' -> padded(job.baseId(), width);
      case 'a' -> padded(index, width);
      case 'b' -> padded(index % 10, width);
      case 'J', 'j' -> padded(job.id(), width);
      case 'N' -> firstNode;
      case 'n', 't' -> padded(0, width);
      case 'r' -> padded(job.restarts(), width);
      case 's' -> "batch";
      case 'u' -> job.owner().userName();
      case 'x' -> job.spec().name();
      default -> null;
    };
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int width(String digits) {
    return digits.length() > 2 ? 10 : digits.isEmpty() ? 0 : Math.min(10, Integer.parseInt(digits));
  }

  private static String padded(long number, int width) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }
}
