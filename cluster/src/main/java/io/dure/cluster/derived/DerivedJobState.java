package io.dure.cluster.derived;

import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.reservation.LicenseUse;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the jobs, and is kept up as they change. Immutable.
 *
 * @param licenseUse licences that jobs hold: cleaning up needs none
 * @param queued how many jobs each owner has
 * @param slices jobs that wait for their turn on shared cores
 * @param ageing whose age does not count yet
 * @param runs how long jobs ran before, and how much waited
 * @param forecasts what was told of the starts of jobs, and how well it held
 * @param changes how often a job became another since the state was loaded, but for its numbered
 *     steps
 */
@RecordBuilder
public record DerivedJobState(
    LicenseUse licenseUse,
    OwnerJobCounts queued,
    TimeSliceQueue slices,
    AccrualWaitlist ageing,
    RunHistory runs,
    ForecastTracker forecasts,
    long changes)
    implements DerivedJobStateBuilder.With {
  /** No jobs. */
  public static final DerivedJobState NONE =
      new DerivedJobState(
          LicenseUse.NONE,
          OwnerJobCounts.NONE,
          TimeSliceQueue.NONE,
          AccrualWaitlist.NONE,
          RunHistory.EMPTY,
          ForecastTracker.EMPTY,
          0);

  /** After a job became another; null before it came and after it went. */
  public DerivedJobState changed(@Nullable Job before, @Nullable Job after) {
    return new DerivedJobState(
        licensed(licensed(licenseUse, before, -1), after, 1),
        queued.changed(before, after),
        slices.changed(before, after),
        ageing.changed(before, after),
        runs.changed(before, after),
        forecasts.changed(before, after),
        changes + 1);
  }

  private static LicenseUse licensed(LicenseUse use, @Nullable Job job, int sign) {
    JobState.Running run = job == null ? null : job.state().runningOrSuspended();
    return run == null ? use : use.changed(run.allocation(), sign);
  }

  /** With another turn on shared cores having begun. */
  public DerivedJobState turned(TimeSliceQueue.Turn turn) {
    return withSlices(slices.turned(turn));
  }
}
