package io.dure.insight.forecast;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.rules.PlannerTime;
import io.dure.rules.RunEndTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.queueorder.RunTimeDistribution;
import io.dure.rules.queueorder.RunTimePredictor;
import io.dure.virtual.RunTimeModel;
import java.time.Duration;
import java.time.Instant;

/**
 * Run times of one future: each job's is drawn from those of jobs like it; what runs already runs
 * at least as long as it has.
 */
record SampledRunTimes(
    SchedulerView view, Instant now, RunTimePredictor predictor, StratifiedRandom draws, int future)
    implements RunTimeModel {
  @Override
  public long end(Job job, JobState.Running running) {
    PartitionConfig partition = view.partition(running.allocation().partition());
    if (partition == null) {
      return LIMITS.end(job, running);
    }
    boolean began = running.start().isBefore(now);
    double ran = began ? (double) running.elapsed(now).toSeconds() : 0;
    RunTimeDistribution times = predictor.times(job, partition);
    double part = draws.of(future, job.id());
    double seconds = began ? times.at(part, ran) : times.at(part);
    Instant limit = running.end();
    Duration grace = RunEndTime.grace(view, partition.name());
    // A run that is drawn too long is taken to end well with its limit.
    long latest =
        limit == null || grace == null ? PlannerTime.NEVER : PlannerTime.second(limit.plus(grace));
    if (seconds >= PlannerTime.NEVER) {
      return latest;
    }
    JobState.SuspensionTotals pauses = running.pauses();
    Duration paused = pauses == null ? Duration.ZERO : pauses.total();
    return Math.min(
        latest,
        PlannerTime.second(running.start()) + paused.toSeconds() + (long) Math.ceil(seconds));
  }
}
