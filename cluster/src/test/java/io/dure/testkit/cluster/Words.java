package io.dure.testkit.cluster;

import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;

/** States in Slurm's words. */
public final class Words {
  private Words() {}

  /** The long word of a job's state. */
  public static String state(Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> "PENDING";
      case JobState.Running running -> running.configuring() ? "CONFIGURING" : "RUNNING";
      case JobState.Suspended _ -> "SUSPENDED";
      case JobState.Completing _ -> "COMPLETING";
      case JobState.Ended ended -> outcome(ended.outcome());
    };
  }

  /** The base state that an outcome stands for. */
  public static String outcome(JobOutcome outcome) {
    return switch (outcome) {
      case JobOutcome.Completed _ -> "COMPLETED";
      case JobOutcome.Failed _, JobOutcome.LaunchFailed _ -> "FAILED";
      case JobOutcome.Cancelled _ -> "CANCELLED";
      case JobOutcome.TimedOut _ -> "TIMEOUT";
      case JobOutcome.NodeFailed _ -> "NODE_FAIL";
      case JobOutcome.OutOfMemory _ -> "OUT_OF_MEMORY";
      case JobOutcome.DeadlineMissed _ -> "DEADLINE";
      case JobOutcome.Preempted _ -> "PREEMPTED";
    };
  }
}
