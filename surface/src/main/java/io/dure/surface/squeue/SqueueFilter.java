package io.dure.surface.squeue;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.JobInfo;
import io.dure.surface.facts.JobDetails;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are listed.
 *
 * @param picks jobs by number, null for any
 * @param matcher what else is asked of them
 * @param hidden whether jobs of hidden partitions pass
 * @param further what the controller is not told
 */
public record SqueueFilter(
    @Nullable List<JobIdFilter> picks, JobMatcher matcher, boolean hidden, Further further) {

  /**
   * What the command alone asks of jobs; the controller sends the others too.
   *
   * @param notOwner the user whose jobs do not pass, null for none
   * @param over how long a job must have run, null for any time
   * @param under how long a job may have run, null for any time
   */
  public record Further(
      @Nullable Integer notOwner, @Nullable Duration over, @Nullable Duration under) {
    private boolean takes(JobDetails job) {
      if (notOwner != null && job.job().owner().uid() == notOwner) {
        return false;
      }
      if (over == null && under == null) {
        return true;
      }
      long ran = job.elapsedSeconds();
      return job.job().state() instanceof JobState.Running
          && (over == null || ran > over.toSeconds())
          && (under == null || ran < under.toSeconds());
    }
  }

  /** The part of a job that is listed, or null if it is none. */
  public @Nullable JobDetails apply(JobInfo info, Instant now) {
    Job job = info.job();
    boolean shown = hidden || picks != null || !info.hidden();
    Job part =
        !shown || !matcher.matches(job) ? null : picks == null ? job : JobIdFilter.part(picks, job);
    if (part == null) {
      return null;
    }
    JobDetails details = new JobDetails(picks == null ? info : with(info, part), now);
    return further.takes(details) ? details : null;
  }

  /** The same information about another record. */
  public static JobInfo with(JobInfo info, Job job) {
    return info.withJob(job);
  }
}
