package io.dure.model.accounting.record;

import io.dure.model.ExitStatus;
import io.dure.model.job.Job;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record for the accounting database. Components are only ever added at the end, as those of
 * events are.
 */
public sealed interface AccountingRecord {
  /** The attempt that it is of. */
  AttemptId attempt();

  /**
   * An attempt of a job as it is now; replaces what was recorded of it before.
   *
   * @param job the job, in the state of the attempt
   * @param requeued whether the job went back into the queue after it
   */
  record JobAttempt(AttemptId attempt, Job job, boolean requeued) implements AccountingRecord {
    static final String TAG = "JobAttempt";
  }

  /**
   * A step began.
   *
   * @param step its number, as {@link io.dure.model.step.StepName} has it
   * @param at when
   * @param nodes its nodes, as a host list
   * @param tasks how many tasks it has
   * @param launched what it asked for and has, null for {@code batch} and {@code extern}
   */
  record StepBegun(
      AttemptId attempt,
      int step,
      Instant at,
      String nodes,
      int tasks,
      @Nullable LaunchedStep launched)
      implements AccountingRecord {
    static final String TAG = "StepBegun";
  }

  /**
   * A step ended on some of its nodes.
   *
   * @param step its number, as {@link io.dure.model.step.StepName} has it
   * @param exit the worst end of these nodes
   * @param at when
   * @param used what it used there, null where that is not known or told by another part
   * @param over whether it has ended on all of its nodes
   */
  record StepPart(
      AttemptId attempt,
      int step,
      ExitStatus exit,
      Instant at,
      @Nullable StepConsumption used,
      boolean over)
      implements AccountingRecord {
    static final String TAG = "StepPart";
  }
}
