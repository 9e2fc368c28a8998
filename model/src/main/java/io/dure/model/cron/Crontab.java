package io.dure.model.cron;

import io.dure.model.UserIdentity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The crontab of a user.
 *
 * @param owner the user
 * @param text its bytes, one char (0 to 255) for each byte, and a line feed at the end of each line
 * @param jobs the jobs of its entries, in their order
 */
public record Crontab(UserIdentity owner, String text, List<CronJob> jobs) {
  /** What a line with options begins with. */
  public static final String OPTIONS = "#SCRON";

  private static final String DISABLED = "#DISABLED: ";

  public Crontab {
    jobs = List.copyOf(jobs);
  }

  /** The job of that id, null if it is of no entry. */
  public @Nullable CronJob job(int id) {
    for (CronJob job : jobs) {
      if (job.jobId() == id) {
        return job;
      }
    }
    return null;
  }

  /** The same with the entry of a job switched off: its lines are comments, and the job is none. */
  public Crontab without(CronJob job) {
    StringBuilder next = new StringBuilder(text.length());
    int number = 1;
    for (int from = 0; from < text.length(); number++) {
      int feed = text.indexOf('\n', from);
      int end = feed < 0 ? text.length() : feed + 1;
      if (isOf(job.entry(), number, from)) {
        next.append(DISABLED);
      }
      next.append(text, from, end);
      from = end;
    }
    return new Crontab(
        owner, next.toString(), jobs.stream().filter(one -> one.jobId() != job.jobId()).toList());
  }

  /** Settings and comments between the options of an entry and its time are not its own. */
  private boolean isOf(CronEntry entry, int number, int from) {
    return number == entry.lastLine()
        || number >= entry.firstLine() && number < entry.lastLine() && isOptions(text, from);
  }

  /** Whether a line has options of the entry behind it: {@code #SCRON} and a blank, or its end. */
  public static boolean isOptions(String line) {
    return isOptions(line, 0);
  }

  private static boolean isOptions(String text, int from) {
    int end = from + OPTIONS.length();
    return text.startsWith(OPTIONS, from)
        && (end == text.length() || " \t\r\n".indexOf(text.charAt(end)) >= 0);
  }
}
