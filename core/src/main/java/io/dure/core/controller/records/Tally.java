package io.dure.core.controller.records;

import io.dure.core.accounting.usage.QueueCounts;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.gres.License;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the jobs, and is kept up as they change. Immutable.
 *
 * @param licensesInUse licences that jobs hold: cleaning up needs none
 * @param queued how many jobs there are of whom
 * @param slices who waits for his turn on shared cores
 * @param ageing whose age does not count yet
 */
public record Tally(
    List<License> licensesInUse, QueueCounts queued, TimeSlices slices, Ageing ageing) {
  /** No jobs. */
  public static final Tally NONE =
      new Tally(List.of(), QueueCounts.NONE, TimeSlices.NONE, Ageing.NONE);

  /** After a job became another; null before it came and after it went. */
  public Tally changed(@Nullable Job before, @Nullable Job after) {
    List<License> licenses = License.sum(licensesInUse, licenses(before), -1);
    return new Tally(
        License.sum(licenses, licenses(after), 1),
        queued.changed(before, after),
        slices.changed(before, after),
        ageing.changed(before, after));
  }

  private static List<License> licenses(@Nullable Job job) {
    JobState.Running run = job == null ? null : job.state().underWay();
    return run == null ? List.of() : run.allocation().licenses();
  }

  /** With another turn on shared cores having begun. */
  public Tally turned(TimeSlices.Turn turn) {
    return new Tally(licensesInUse, queued, slices.turned(turn), ageing);
  }
}
