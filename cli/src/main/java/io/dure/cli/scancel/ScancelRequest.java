package io.dure.cli.scancel;

import io.dure.model.command.KillFilter;
import io.dure.surface.kill.KillManner;
import io.dure.surface.value.JobReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the user wants cancelled or signalled.
 *
 * @param jobs the jobs named, in order
 * @param filter which of them, or of all jobs where none is named
 * @param signal the signal to send, null to cancel
 * @param batch signal the batch shell alone
 * @param full signal the batch shell and all else
 * @param interactive ask before each job
 * @param verbosity -1 for quiet, 0 for normal, more for more words
 * @param clusters the argument of {@code --clusters}, null if not given
 * @param adminComment an operator's text for the jobs, null for none
 * @param cron whether jobs of crontabs are meant, too
 */
record ScancelRequest(
    List<JobReference> jobs,
    KillFilter filter,
    @Nullable Integer signal,
    boolean batch,
    boolean full,
    boolean interactive,
    int verbosity,
    @Nullable String clusters,
    @Nullable String adminComment,
    boolean cron) {

  /** Whether the controller itself finds the jobs: none is named, and of none anything is said. */
  boolean isForFilter() {
    return jobs.isEmpty() && !interactive && isSilent();
  }

  /** Whether nothing is said or noted of a job before it is killed, and no step is named. */
  boolean isSilent() {
    return verbosity <= 0
        && adminComment == null
        && jobs.stream().allMatch(job -> job.step() == null);
  }

  /** Whether jobs must be looked at before anything is done. */
  boolean needsRecords() {
    return interactive || signal != null || filter.isSet() || namesSteps();
  }

  private boolean namesSteps() {
    return jobs.stream().anyMatch(job -> job.step() != null);
  }

  /** What is done to the jobs. */
  KillManner manner() {
    return new KillManner(signal, batch, full, cron);
  }
}
