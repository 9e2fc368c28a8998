package io.dure.controller.script;

import io.dure.cluster.Event;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that users may be told of.
 *
 * @param jobId of which job
 * @param kind what happened
 * @param outcome how the job ended, null where it did not
 * @param endsArray whether this is of interest to arrays as a whole alone
 */
record MailOccasion(int jobId, Kind kind, @Nullable JobOutcome outcome, boolean endsArray) {

  /** What happened, and by which words it is asked for. */
  enum Kind {
    BEGIN,
    END,
    FAIL,
    REQUEUE,
    TIME_LIMIT,
    INVALID_DEPEND
  }

  /** What an event says, null if it is nothing to tell. */
  static @Nullable MailOccasion of(Event event) {
    if (event instanceof Event.JobLaunched e) {
      return new MailOccasion(e.jobId(), Kind.BEGIN, null, false);
    }
    if (event instanceof Event.JobEnding e) {
      return e.afterwards() == PostRunAction.END || e.afterwards() == PostRunAction.RECUR
          ? new MailOccasion(e.jobId(), ended(e.outcome()), e.outcome(), false)
          : null;
    }
    if (event instanceof Event.JobRequeued e && e.countsAsRestart()) {
      return new MailOccasion(e.jobId(), Kind.REQUEUE, null, false);
    }
    if (event instanceof Event.JobDropped e) {
      return new MailOccasion(e.jobId(), ended(e.outcome()), e.outcome(), false);
    }
    if (event instanceof Event.DependencyChanged e && e.failed()) {
      return new MailOccasion(e.jobId(), Kind.INVALID_DEPEND, null, false);
    }
    return event instanceof Event.JobFinished e
        ? new MailOccasion(e.jobId(), Kind.END, null, true)
        : null;
  }

  private static Kind ended(JobOutcome outcome) {
    return switch (outcome) {
      case JobOutcome.Completed _, JobOutcome.Cancelled _ -> Kind.END;
      case JobOutcome.TimedOut _ -> Kind.TIME_LIMIT;
      case JobOutcome.Failed _,
          JobOutcome.LaunchFailed _,
          JobOutcome.NodeFailed _,
          JobOutcome.OutOfMemory _,
          JobOutcome.DeadlineMissed _,
          JobOutcome.Preempted _ ->
          Kind.FAIL;
    };
  }

  String word() {
    return switch (kind) {
      case BEGIN -> "Began";
      case END -> "Ended";
      case FAIL -> "Failed";
      case REQUEUE -> "Requeued";
      case TIME_LIMIT -> "Reached time limit";
      case INVALID_DEPEND -> "Invalid dependency";
    };
  }

  /** Whether the words of {@code --mail-type} ask for it. */
  boolean isWanted(@Nullable String types) {
    if (types == null) {
      return false;
    }
    List<String> words = List.of(types.split(",", -1));
    boolean all = words.contains("ALL");
    return switch (kind) {
      case BEGIN, INVALID_DEPEND -> all || words.contains(kind.name());
      case REQUEUE -> all || words.contains("REQUEUE");
      case END -> all || words.contains("END") || endsArray && words.contains("FAIL");
      case FAIL -> all || words.contains("END") || words.contains("FAIL");
      case TIME_LIMIT ->
          all || words.contains("END") || words.contains("FAIL") || words.contains("TIME_LIMIT");
    };
  }

  /** The same where what it ends may be the rest of an array. */
  MailOccasion asEndOfArray() {
    return new MailOccasion(jobId, Kind.END, null, true);
  }

  /** Whether it is asked for, given how the parts of an array ended. */
  boolean isWantedOf(List<Job> records, @Nullable String types) {
    List<String> words = types == null ? List.of() : List.of(types.split(",", -1));
    boolean always = !endsArray || words.contains("ALL") || words.contains("END");
    return always || records.stream().anyMatch(MailOccasion::failed);
  }

  private static boolean failed(Job job) {
    return job.state() instanceof JobState.Ended ended && ended(ended.outcome()) != Kind.END;
  }

  /** Whether it can be the first or the last that happens to an array. */
  boolean mayBeOfWholeArray() {
    return kind == Kind.BEGIN || kind == Kind.END && endsArray;
  }

  /**
   * Whether it is the first, or the last, that happens to an array; else it is of one task.
   *
   * @param launched the jobs that began with it
   */
  boolean isOfWholeArray(List<Job> records, Set<Integer> launched) {
    return switch (kind) {
      case BEGIN -> records.stream().allMatch(r -> !hasBegun(r) || launched.contains(r.id()));
      case END -> endsArray && records.stream().allMatch(r -> r.state() instanceof JobState.Ended);
      case FAIL, TIME_LIMIT, REQUEUE, INVALID_DEPEND -> false;
    };
  }

  private static boolean hasBegun(Job job) {
    return switch (job.state()) {
      case JobState.Pending pending -> pending.requeued();
      case JobState.Running running -> running.launched();
      case JobState.Suspended _, JobState.Completing _, JobState.Ended _ -> true;
    };
  }
}
