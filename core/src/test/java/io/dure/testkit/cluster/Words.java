package io.dure.testkit.cluster;

import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;

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
  public static String outcome(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed _ -> "COMPLETED";
      case Outcome.Failed _, Outcome.LaunchFailed _ -> "FAILED";
      case Outcome.Cancelled _ -> "CANCELLED";
      case Outcome.TimedOut _ -> "TIMEOUT";
      case Outcome.NodeFailed _ -> "NODE_FAIL";
      case Outcome.OutOfMemory _ -> "OUT_OF_MEMORY";
      case Outcome.DeadlineMissed _ -> "DEADLINE";
      case Outcome.Preempted _ -> "PREEMPTED";
    };
  }
}
