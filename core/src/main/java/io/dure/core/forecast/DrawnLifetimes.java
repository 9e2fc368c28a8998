package io.dure.core.forecast;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.rollout.Lifetimes;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.Times;
import io.dure.core.scheduler.policy.Mixture;
import io.dure.core.scheduler.policy.Predictor;
import java.time.Duration;
import java.time.Instant;

/**
 * Run times of one future: each job's is drawn from those of jobs like it; what runs already runs
 * at least as long as it has.
 */
record DrawnLifetimes(SchedulerView view, Instant now, Predictor predictor, Draws draws, int future)
    implements Lifetimes {
  @Override
  public long end(Job job, JobState.Running running) {
    PartitionConfig partition = view.partition(running.allocation().partition());
    if (partition == null) {
      return LIMITS.end(job, running);
    }
    boolean began = running.start().isBefore(now);
    double ran = began ? (double) running.ran(now).toSeconds() : 0;
    Mixture times = predictor.times(job, partition);
    double part = draws.of(future, job.id());
    double seconds = began ? times.at(part, ran) : times.at(part);
    if (seconds >= Times.NEVER) {
      return Times.NEVER;
    }
    JobState.Pauses pauses = running.pauses();
    Duration paused = pauses == null ? Duration.ZERO : pauses.total();
    return Times.second(running.start()) + paused.toSeconds() + (long) Math.ceil(seconds);
  }
}
