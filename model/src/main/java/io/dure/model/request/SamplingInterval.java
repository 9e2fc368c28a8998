package io.dure.model.request;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads how often a job or step wants to be looked at ({@code --acctg-freq}). */
public final class SamplingInterval {
  private static final String TASK = "task=";

  private SamplingInterval() {}

  /**
   * The seconds between two looks at its tasks, 0 for no look at all; null where the text, such as
   * {@code 30} or {@code task=30,energy=60}, says nothing of them, or is null.
   */
  public static @Nullable Integer ofTasks(@Nullable String text) {
    if (text != null) {
      for (String part : text.toLowerCase(Locale.ROOT).split(",", -1)) {
        Integer seconds = number(part.startsWith(TASK) ? part.substring(TASK.length()) : part);
        if (seconds != null) {
          return seconds;
        }
      }
    }
    return null;
  }

  /** The number at the beginning, as Slurm reads one; null where there is none. */
  public static @Nullable Integer number(String text) {
    int end = text.startsWith("-") ? 1 : 0;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    try {
      return Integer.valueOf(text.substring(0, end));
    } catch (NumberFormatException _) {
      return null;
    }
  }

  /**
   * Whether a job or step may have it: one with a limit of its memory cannot be looked at less
   * often than the site wants, which would be too late.
   *
   * @param asked seconds, null where nothing is asked for
   * @param siteSeconds what the site wants, 0 for nothing
   * @param limited whether its memory has a limit
   */
  public static boolean mayHave(@Nullable Integer asked, long siteSeconds, boolean limited) {
    return asked == null || !limited || siteSeconds == 0 || asked > 0 && asked <= siteSeconds;
  }
}
