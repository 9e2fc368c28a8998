package io.dure.rules.queueorder;

import io.dure.model.config.PartitionConfig;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import org.jspecify.annotations.Nullable;

/**
 * What waits is planned for the time that it is expected to run, what runs for its limit. So a
 * promise is for a time that it can be kept at whatever the running jobs do, and the room before it
 * is filled with what is expected to be over by then. A job that may be shortened ({@code
 * --time-min}) is planned for its limit: it is told for how long it is planned. One thread.
 */
public final class PredictedRunTimes implements RunTimeEstimates {
  private final RunTimePredictor predictor;
  private @Nullable PredictedRunTimes last;

  private PredictedRunTimes(RunTimePredictor predictor) {
    this.predictor = predictor;
  }

  /** Estimates that know nothing until they are asked for those of a view. */
  public static PredictedRunTimes unknown() {
    return new PredictedRunTimes(new RunTimePredictor(RunHistory.EMPTY));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a book that was not written in is the same object
  public RunTimeEstimates forView(SchedulerView view) {
    PredictedRunTimes known = last;
    if (known == null || known.predictor.book() != view.runs()) {
      known = new PredictedRunTimes(new RunTimePredictor(view.runs()));
      last = known;
    }
    return known;
  }

  @Override
  public long seconds(Job job, PartitionConfig partition) {
    long limit = RunTimeEstimates.LIMITS.seconds(job, partition);
    return job.spec().timeMin() != null
        ? limit
        : Math.min(limit, coarse((long) Math.ceil(predictor.of(job, partition).seconds())));
  }

  /**
   * The next number above with three leading digits in binary, so that jobs that are expected to
   * run about equally long are one lane.
   */
  static long coarse(long seconds) {
    if (seconds >= PlannerTime.UNLIMITED) {
      return seconds;
    }
    int low = Math.max(0, 60 - Long.numberOfLeadingZeros(Math.max(1, seconds)));
    long unit = 1L << low;
    return (seconds + unit - 1) / unit * unit;
  }

  @Override
  public long end(Job job, JobState.Running running) {
    return RunTimeEstimates.LIMITS.end(job, running);
  }
}
