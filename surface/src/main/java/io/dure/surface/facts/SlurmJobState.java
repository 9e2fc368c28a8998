package io.dure.surface.facts;

import io.dure.model.job.Hold;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import org.jspecify.annotations.Nullable;

/** The states of a job by Slurm's names: what a job is, then what may be said on top of that. */
public enum SlurmJobState {
  PENDING("PD"),
  RUNNING("R"),
  SUSPENDED("S"),
  COMPLETED("CD"),
  CANCELLED("CA"),
  FAILED("F"),
  TIMEOUT("TO"),
  NODE_FAIL("NF"),
  PREEMPTED("PR"),
  BOOT_FAIL("BF"),
  DEADLINE("DL"),
  OUT_OF_MEMORY("OOM"),
  COMPLETING("CG"),
  CONFIGURING("CF"),
  RESIZING("RS"),
  RESV_DEL_HOLD("RD"),
  REQUEUED("RQ"),
  REQUEUE_FED("RF"),
  REQUEUE_HOLD("RH"),
  REVOKED("RV"),
  SIGNALING("SI"),
  SPECIAL_EXIT("SE"),
  STAGE_OUT("SO"),
  STOPPED("ST");

  private final String compact;

  SlurmJobState(String compact) {
    this.compact = compact;
  }

  /** The one to three letters of the queue listing. */
  public String compact() {
    return compact;
  }

  /** Whether the job is over, apart from cleaning up. */
  public boolean isFinal() {
    return compareTo(COMPLETED) >= 0 && compareTo(OUT_OF_MEMORY) <= 0;
  }

  /** The state of that name or those letters without regard to case, or null. */
  public static @Nullable SlurmJobState find(String text) {
    for (SlurmJobState status : values()) {
      if (status.name().equalsIgnoreCase(text) || status.compact.equalsIgnoreCase(text)) {
        return status;
      }
    }
    return null;
  }

  /** What a job is. */
  public static SlurmJobState base(JobState state) {
    return switch (state) {
      case JobState.Pending _ -> PENDING;
      case JobState.Running _ -> RUNNING;
      case JobState.Suspended _ -> SUSPENDED;
      case JobState.Completing completing -> of(completing.outcome());
      case JobState.Ended ended -> of(ended.outcome());
    };
  }

  /** What is said instead of that, or null. */
  public static @Nullable SlurmJobState flag(JobState state) {
    return switch (state) {
      case JobState.Pending pending -> {
        boolean held = pending.hold() == Hold.USER || pending.hold() == Hold.ADMIN;
        yield pending.hold() == Hold.SPECIAL_EXIT
            ? SPECIAL_EXIT
            : pending.requeued() && held ? REQUEUE_HOLD : null;
      }
      case JobState.Completing _ -> COMPLETING;
      case JobState.Running running -> running.configuring() ? CONFIGURING : null;
      case JobState.Suspended _, JobState.Ended _ -> null;
    };
  }

  /** What becomes of a job that is cleaned up, or null if it only ends. */
  public static @Nullable SlurmJobState next(PostRunAction afterwards) {
    return switch (afterwards) {
      case END, RECUR -> null;
      case REQUEUE -> REQUEUED;
      case REQUEUE_HOLD -> REQUEUE_HOLD;
      case SPECIAL_EXIT -> SPECIAL_EXIT;
    };
  }

  /** The state in which a job ends so. */
  public static SlurmJobState of(JobOutcome outcome) {
    return switch (outcome) {
      case JobOutcome.Completed _ -> COMPLETED;
      case JobOutcome.Failed _, JobOutcome.LaunchFailed _ -> FAILED;
      case JobOutcome.Cancelled _ -> CANCELLED;
      case JobOutcome.TimedOut _ -> TIMEOUT;
      case JobOutcome.NodeFailed _ -> NODE_FAIL;
      case JobOutcome.OutOfMemory _ -> OUT_OF_MEMORY;
      case JobOutcome.DeadlineMissed _ -> DEADLINE;
      case JobOutcome.Preempted _ -> PREEMPTED;
    };
  }
}
