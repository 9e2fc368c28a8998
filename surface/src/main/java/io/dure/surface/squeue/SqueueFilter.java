package io.dure.surface.squeue;

import io.dure.model.job.Job;
import io.dure.protocol.JobInfo;
import io.dure.surface.facts.JobDetails;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are listed.
 *
 * @param picks jobs by number, null for any
 * @param matcher what else is asked of them
 * @param hidden whether jobs of hidden partitions pass
 */
public record SqueueFilter(@Nullable List<JobIdFilter> picks, JobMatcher matcher, boolean hidden) {

  /** The part of a job that is listed, or null if it is none. */
  public @Nullable JobDetails apply(JobInfo info, Instant now) {
    Job job = info.job();
    boolean shown = hidden || picks != null || !info.hidden();
    Job part =
        !shown || !matcher.matches(job) ? null : picks == null ? job : JobIdFilter.part(picks, job);
    return part == null ? null : new JobDetails(picks == null ? info : with(info, part), now);
  }

  /** The same information about another record. */
  public static JobInfo with(JobInfo info, Job job) {
    return info.withJob(job);
  }
}
