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
    int line = 1;
    StringBuilder next = new StringBuilder();
    for (String one : text.split("(?<=\n)", -1)) {
      boolean its = line >= job.entry().firstLine() && line <= job.entry().lastLine();
      next.append(its ? DISABLED : "").append(one);
      line++;
    }
    return new Crontab(
        owner, next.toString(), jobs.stream().filter(one -> one.jobId() != job.jobId()).toList());
  }
}
