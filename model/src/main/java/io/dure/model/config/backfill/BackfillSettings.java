package io.dure.model.config.backfill;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far starts are promised to jobs that have to wait: the parameters of {@code
 * SchedulerParameters} that begin with {@code bf_}. A number of 0 is no bound, where it is a bound.
 *
 * @param interval within what time each promise is looked at again
 * @param window how far ahead a start is promised, null for without bound
 * @param jobs how many jobs are promised a start
 * @param jobsOfPartition of these, how many of one partition
 * @param jobsOfUser how many of one user
 * @param jobsOfUserInPartition how many of one user in one partition
 * @param jobsOfAccount how many of one account
 * @param starts how many jobs start ahead of others in one pass
 * @param tasksOfArray how many tasks of one array are promised a start
 * @param leastAge how long a job has waited before it is promised anything
 * @param leastPriority the priority from which on it is
 * @param onePartition whether a job of several partitions is promised a start in one of them
 */
@RecordBuilder
public record BackfillSettings(
    Duration interval,
    @Nullable Duration window,
    int jobs,
    int jobsOfPartition,
    int jobsOfUser,
    int jobsOfUserInPartition,
    int jobsOfAccount,
    int starts,
    int tasksOfArray,
    Duration leastAge,
    long leastPriority,
    boolean onePartition)
    implements BackfillSettingsBuilder.With {
  /** What holds where nothing is said. */
  public static final BackfillSettings USUAL =
      new BackfillSettings(
          Duration.ofSeconds(30), null, 500, 0, 0, 0, 0, 0, 20, Duration.ZERO, 0, false);
}
