package io.dure.model.job;

import io.dure.model.ExitStatus;

/** Why a run of a job ended: the base state it ends in, with what belongs to it. */
public sealed interface JobOutcome {

  /** How the batch script ended, as far as it is known. */
  ExitStatus exit();

  /** Exit status 0 within the limits. */
  record Completed(ExitStatus exit) implements JobOutcome {
    static final String TAG = "Completed";
  }

  /** Exit status other than 0, or ended by a signal that the cluster did not send. */
  record Failed(ExitStatus exit) implements JobOutcome {
    static final String TAG = "Failed";
  }

  /** The step could not be started: {@code text} says why. */
  record LaunchFailed(ExitStatus exit, String text) implements JobOutcome {
    static final String TAG = "LaunchFailed";
  }

  /** Cancelled by a user: {@code uid}. */
  record Cancelled(ExitStatus exit, int uid) implements JobOutcome {
    static final String TAG = "Cancelled";
  }

  /** Ran to its time limit. */
  record TimedOut(ExitStatus exit) implements JobOutcome {
    static final String TAG = "TimedOut";
  }

  /** A node was lost or set down: {@code node}. */
  record NodeFailed(ExitStatus exit, String node) implements JobOutcome {
    static final String TAG = "NodeFailed";
  }

  /** The kernel killed it for its memory. */
  record OutOfMemory(ExitStatus exit) implements JobOutcome {
    static final String TAG = "OutOfMemory";
  }

  /** Could not, or did not, end before its deadline. */
  record DeadlineMissed(ExitStatus exit) implements JobOutcome {
    static final String TAG = "DeadlineMissed";
  }

  /** Ended to make room for another job. */
  record Preempted(ExitStatus exit) implements JobOutcome {
    static final String TAG = "Preempted";
  }

  /**
   * What holds a job that returns to the queue because its run ended so. What was asked for is not
   * counted: the bound is for jobs that come back by themselves.
   *
   * @param restarts how often it did before
   * @param most how often it may by itself
   */
  default Hold holdAfter(int restarts, int most) {
    boolean counted = !(this instanceof Cancelled || this instanceof Preempted);
    return counted && restarts >= most ? Hold.MAX_REQUEUE : Hold.NONE;
  }

  /** The same outcome with the exit status known. */
  default JobOutcome withExit(ExitStatus status) {
    return switch (this) {
      case Completed _ -> new Completed(status);
      case Failed _ -> new Failed(status);
      case LaunchFailed(_, String text) -> new LaunchFailed(status, text);
      case Cancelled(_, int uid) -> new Cancelled(status, uid);
      case TimedOut _ -> new TimedOut(status);
      case NodeFailed(_, String node) -> new NodeFailed(status, node);
      case OutOfMemory _ -> new OutOfMemory(status);
      case DeadlineMissed _ -> new DeadlineMissed(status);
      case Preempted _ -> new Preempted(status);
    };
  }
}
