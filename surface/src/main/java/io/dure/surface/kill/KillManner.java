package io.dure.surface.kill;

import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.KillFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is done to jobs.
 *
 * @param signal the signal to send, null to cancel
 * @param batch signal the batch shell alone
 * @param full signal the batch shell and all else
 * @param cron whether jobs of crontabs are meant, too
 */
public record KillManner(@Nullable Integer signal, boolean batch, boolean full, boolean cron) {

  /** To one job. */
  public Command.KillJob one(JobSelector job) {
    return new Command.KillJob(job, signal, batch, full, null, cron);
  }

  /** To jobs that are named, or to those behind a number that pass a filter. */
  Command.KillJobs many(List<JobSelector> jobs, @Nullable KillFilter filter, int after) {
    return new Command.KillJobs(jobs, filter, after, signal, batch, full, List.of(), cron);
  }
}
