package io.dure.rest.slurm;

import io.dure.surface.value.JobReference;
import org.jspecify.annotations.Nullable;

/** Names of jobs as requests bring them; what one names is bounded before it is made. */
final class RestJobWord {
  private static final int LONGEST = 1024;
  private static final int MOST_DIGITS = 9;
  private static final long MOST_TASKS = 100_000;

  private RestJobWord() {}

  /** The job, null if the word names none or too many tasks. */
  static @Nullable JobReference parse(String text) {
    boolean bounded =
        text.length() <= LONGEST && (text.indexOf(',') < 0 || tasks(text) <= MOST_TASKS);
    return bounded ? JobReference.parse(text) : null;
  }

  /** So many tasks at most are in its ranges. */
  private static long tasks(String text) {
    long sum = 0;
    for (String range : text.split("[,\\[\\]_]", -1)) {
      int dash = range.indexOf('-');
      long count =
          dash < 0 ? 1 : number(range.substring(dash + 1)) - number(range.substring(0, dash)) + 1;
      sum += Math.max(1, count);
    }
    return sum;
  }

  private static long number(String text) {
    int end = 0;
    while (end < text.length() && end < MOST_DIGITS && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 ? 0 : Long.parseLong(text.substring(0, end));
  }
}
