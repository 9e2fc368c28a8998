package io.dure.core.controller.records;

import io.dure.core.accounting.usage.QueueCounts;
import io.dure.core.history.RunBook;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.reservation.LicenseUse;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the jobs, and is kept up as they change. Immutable.
 *
 * @param licenseUse licences that jobs hold: cleaning up needs none
 * @param queued how many jobs there are of whom
 * @param slices who waits for his turn on shared cores
 * @param ageing whose age does not count yet
 * @param runs how long jobs ran before, and how much waited
 * @param forecasts what was told of the starts of jobs, and how well it held
 */
public record Tally(
    LicenseUse licenseUse,
    QueueCounts queued,
    TimeSlices slices,
    Ageing ageing,
    RunBook runs,
    ForecastTrack forecasts) {
  /** No jobs. */
  public static final Tally NONE =
      new Tally(
          LicenseUse.NONE,
          QueueCounts.NONE,
          TimeSlices.NONE,
          Ageing.NONE,
          RunBook.EMPTY,
          ForecastTrack.EMPTY);

  /** After a job became another; null before it came and after it went. */
  public Tally changed(@Nullable Job before, @Nullable Job after) {
    return new Tally(
        licensed(licensed(licenseUse, before, -1), after, 1),
        queued.changed(before, after),
        slices.changed(before, after),
        ageing.changed(before, after),
        runs.changed(before, after),
        forecasts.changed(before, after));
  }

  private static LicenseUse licensed(LicenseUse use, @Nullable Job job, int sign) {
    JobState.Running run = job == null ? null : job.state().underWay();
    return run == null ? use : use.changed(run.allocation(), sign);
  }

  /** With another turn on shared cores having begun. */
  public Tally turned(TimeSlices.Turn turn) {
    return new Tally(licenseUse, queued, slices.turned(turn), ageing, runs, forecasts);
  }

  /** With other runs. */
  public Tally with(RunBook other) {
    return new Tally(licenseUse, queued, slices, ageing, other, forecasts);
  }

  /** With other forecasts. */
  public Tally with(ForecastTrack other) {
    return new Tally(licenseUse, queued, slices, ageing, runs, other);
  }
}
