package io.dure.node.launch;

import io.dure.model.step.Step;
import org.jspecify.annotations.Nullable;

/**
 * The names of a job's input and output files: the section "filename pattern" of sbatch(1). All
 * functions are pure.
 */
public final class OutputPattern {
  /** What an index outside an array prints as: Slurm's "no value". */
  private static final long NO_VALUE = 0xFFFF_FFFEL;

  private static final int MAX_WIDTH = 10;

  private OutputPattern() {}

  /** The pattern used when the user gave none. */
  public static String defaultOutput(boolean array) {
    return array ? "slurm-%A_%a.out" : "slurm-%j.out";
  }

  /** The absolute path for a pattern; relative ones start at the job's working directory. */
  public static String resolve(String pattern, String workingDirectory, OutputNameValues names) {
    String name = expand(pattern, names);
    if (name.startsWith("/")) {
      return name;
    }
    return workingDirectory.endsWith("/") ? workingDirectory + name : workingDirectory + "/" + name;
  }

  /**
   * Replaces the symbols. A backslash anywhere means that nothing is replaced, and goes away
   * itself; a symbol that is not known stays as it is; a number before the letter pads numbers with
   * zeros, to ten places at most.
   */
  public static String expand(String pattern, OutputNameValues names) {
    if (pattern.indexOf('\\') >= 0) {
      return pattern.replace("\\", "");
    }
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < pattern.length()) {
      char c = pattern.charAt(at);
      int letter = c == '%' ? endOfDigits(pattern, at + 1) : pattern.length();
      String value = letter < pattern.length() ? symbol(pattern, at, letter, names) : null;
      if (value == null) {
        out.append(c);
        at++;
      } else {
        out.append(value);
        at = letter + 1;
      }
    }
    return out.toString();
  }

  private static int endOfDigits(String pattern, int from) {
    int at = from;
    while (at < pattern.length() && pattern.charAt(at) >= '0' && pattern.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  private static @Nullable String symbol(
      String pattern, int percent, int letter, OutputNameValues names) {
    int width = width(pattern.substring(percent + 1, letter));
    Long arrayJob = names.arrayJobId();
    Long index = names.arrayTaskId();
    long taskId = index == null ? NO_VALUE : index;
    boolean batch = names.step().equals(Step.BATCH.text());
    return switch (pattern.charAt(letter)) {
      case '%' -> "%";
      case 'A' -> padded(arrayJob == null ? names.jobId() : arrayJob, width);
      case 'a' -> padded(taskId, width);
      case 'b' -> padded(taskId % 10, width);
      case 'J' -> padded(names.jobId(), width) + (batch ? "" : "." + names.step());
      case 'j' -> padded(names.jobId(), width);
      case 'N' -> names.node();
      case 'n' -> padded(names.nodeIndex(), width);
      case 'r' -> padded(names.restarts(), width);
      case 'S' -> names.sluid() == null ? "" : names.sluid();
      case 's' -> names.step();
      case 't' -> padded(names.task(), width);
      case 'u' -> names.user();
      case 'x' -> names.jobName();
      default -> null;
    };
  }

  private static int width(String digits) {
    if (digits.isEmpty()) {
      return 0;
    }
    return digits.length() > 2 ? MAX_WIDTH : Math.min(MAX_WIDTH, Integer.parseInt(digits));
  }

  private static String padded(long number, int width) {
    String text = Long.toString(number);
    return "0".repeat(Math.max(0, width - text.length())) + text;
  }
}
