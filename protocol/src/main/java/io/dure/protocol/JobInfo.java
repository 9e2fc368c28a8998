package io.dure.protocol;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job and what is known about its wait.
 *
 * @param job the record; script and environment are left out unless asked for
 * @param reason why it waits or ended, in Slurm's words; {@code None} where there is nothing to say
 * @param expectedStart when it is expected to start, null where nobody knows
 * @param scheduledNodes nodes it is planned on, empty where not planned
 * @param lastEvaluated when the scheduler last looked at it, null for never
 * @param requeue whether a node failure puts it back
 * @param dependency open conditions as {@code scontrol show job} prints them, {@code
 *     afterok:7(unfulfilled)}
 * @param hidden whether the caller sees it only when asking for all: every partition it asks for is
 *     hidden, or closed to the caller's groups
 * @param trackedTres what the cluster counts beside the usual resources, {@code gres/gpu}
 * @param preemptableFrom from when on it may have to make room for others, null if it does not run
 * @param forecast when it is expected to start and how surely, null where that is not known
 * @param askedBilling what it would be billed in a second for what it asks for, in whole units;
 *     null for its CPUs
 */
@RecordBuilder
public record JobInfo(
    Job job,
    String reason,
    @Nullable Instant expectedStart,
    List<String> scheduledNodes,
    @Nullable Instant lastEvaluated,
    boolean requeue,
    String dependency,
    boolean hidden,
    List<String> trackedTres,
    @Nullable Instant preemptableFrom,
    @Nullable StartForecastInfo forecast,
    @Nullable Long askedBilling)
    implements JobInfoBuilder.With {

  /** One that is billed by its CPUs. */
  public JobInfo(
      Job job,
      String reason,
      @Nullable Instant expectedStart,
      List<String> scheduledNodes,
      @Nullable Instant lastEvaluated,
      boolean requeue,
      String dependency,
      boolean hidden,
      List<String> trackedTres,
      @Nullable Instant preemptableFrom,
      @Nullable StartForecastInfo forecast) {
    this(
        job,
        reason,
        expectedStart,
        scheduledNodes,
        lastEvaluated,
        requeue,
        dependency,
        hidden,
        trackedTres,
        preemptableFrom,
        forecast,
        null);
  }

  /**
   * The same for another caller, after a later look of the scheduler.
   *
   * @param hiddenNow whether that caller sees it only when asking for all
   * @param evaluated when the scheduler last looked at the pending jobs
   */
  public JobInfo asSeen(boolean hiddenNow, Instant evaluated) {
    Instant looked =
        lastEvaluated != null && job.state() instanceof JobState.Pending
            ? evaluated
            : lastEvaluated;
    if (hiddenNow == hidden && Objects.equals(looked, lastEvaluated)) {
      return this;
    }
    return with().lastEvaluated(looked).hidden(hiddenNow).build();
  }
}
