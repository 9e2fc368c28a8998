package io.dure.twin;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.twin.trace.TraceJob;
import io.dure.virtual.RunTimeModel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Runs last as long as a trace says; those that have begun before it is looked at, a second more at
 * least.
 *
 * @param trace the jobs, of which the first is number 1
 * @param jobs says what jobs ask for where run times are known: then limits end runs to the second
 * @param since from when on it is looked at
 */
record TraceLifetimes(List<TraceJob> trace, TraceJobRecords jobs, Instant since)
    implements RunTimeModel {
  @Override
  public long end(Job job, JobState.Running run) {
    Duration lasts = jobs.lasts(trace.get(job.id() - 1));
    JobState.SuspensionTotals pauses = run.pauses();
    Instant end = run.start().plus(pauses == null ? lasts : lasts.plus(pauses.total()));
    return run.start().isBefore(since)
        ? Math.max(since.getEpochSecond() + 1, end.getEpochSecond())
        : end.getEpochSecond();
  }

  @Override
  public boolean endsWell(Job job, JobState.Running running) {
    TraceJob traced = trace.get(job.id() - 1);
    return jobs.lasts(traced).compareTo(traced.run()) >= 0;
  }
}
