package io.dure.cli.scontrol.show;

import io.dure.core.model.Afterwards;
import io.dure.core.model.Allocation;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.model.TimeLimit;
import io.dure.protocol.JobInfo;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a job's state says, in the form in which records show it.
 *
 * @param state the state's name
 * @param allocation what it holds or held, null if it never ran
 * @param start when it started or is expected to, null where nobody knows
 * @param end when it ended or will, null where nobody knows
 * @param seconds how long it ran
 * @param exit how its batch script ended
 * @param outcome why it ended, null if it has not
 */
record JobFacts(
    String state,
    @Nullable Allocation allocation,
    @Nullable Instant start,
    @Nullable Instant end,
    long seconds,
    ExitStatus exit,
    @Nullable Outcome outcome) {

  static JobFacts of(JobInfo info, Instant now) {
    Job job = info.job();
    return switch (job.state()) {
      case JobState.Pending pending -> {
        Instant start = expectedStart(info);
        yield new JobFacts(
            pendingWord(pending),
            null,
            start,
            start == null ? null : expectedEnd(start, job.spec().timeLimit()),
            0,
            ExitStatus.OK,
            null);
      }
      case JobState.Running running ->
          new JobFacts(
              running.configuring() ? "CONFIGURING" : "RUNNING",
              running.allocation(),
              running.start(),
              running.end(),
              seconds(running.start(), now),
              ExitStatus.OK,
              null);
      case JobState.Completing completing ->
          new JobFacts(
              "COMPLETING",
              completing.allocation(),
              completing.start(),
              completing.end(),
              seconds(completing.start(), completing.end()),
              completing.outcome().exit(),
              completing.afterwards() == Afterwards.END ? completing.outcome() : null);
      case JobState.Ended ended -> {
        Instant start = ended.start() == null ? ended.end() : ended.start();
        yield new JobFacts(
            word(ended.outcome()),
            ended.allocation(),
            start,
            ended.end(),
            seconds(start, ended.end()),
            ended.outcome().exit(),
            ended.outcome());
      }
    };
  }

  /** Whether it is still to run. */
  boolean isPending(Job job) {
    return job.state() instanceof JobState.Pending;
  }

  private static String pendingWord(JobState.Pending pending) {
    if (pending.hold() == Hold.SPECIAL_EXIT) {
      return "SPECIAL_EXIT";
    }
    boolean held = pending.hold() == Hold.USER || pending.hold() == Hold.ADMIN;
    return pending.requeued() && held ? "REQUEUE_HOLD" : "PENDING";
  }

  static String word(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed _ -> "COMPLETED";
      case Outcome.Failed _, Outcome.LaunchFailed _ -> "FAILED";
      case Outcome.Cancelled _ -> "CANCELLED";
      case Outcome.TimedOut _ -> "TIMEOUT";
      case Outcome.NodeFailed _ -> "NODE_FAIL";
      case Outcome.OutOfMemory _ -> "OUT_OF_MEMORY";
      case Outcome.DeadlineMissed _ -> "DEADLINE";
    };
  }

  private static @Nullable Instant expectedStart(JobInfo info) {
    return info.expectedStart() == null ? info.job().spec().beginTime() : info.expectedStart();
  }

  private static @Nullable Instant expectedEnd(Instant start, TimeLimit limit) {
    return switch (limit) {
      case TimeLimit.Limited(Duration duration) -> start.plus(duration);
      case TimeLimit.Unlimited _, TimeLimit.PartitionDefault _ -> null;
    };
  }

  private static long seconds(Instant from, Instant to) {
    return Math.max(0, to.getEpochSecond() - from.getEpochSecond());
  }
}
