package io.dure.twin.result;

import java.time.Instant;

/** What became of a job of a trace. */
public sealed interface TraceJobOutcome {

  /** It ran to its end. */
  record Finished(Instant start, Instant end) implements TraceJobOutcome {}

  /** Its limit ended it. */
  record TimedOut(Instant start, Instant end) implements TraceJobOutcome {}

  /** A node failed under it, and it may not run again. */
  record NodeFailed(Instant start, Instant end) implements TraceJobOutcome {}

  /** It made room for another, and may not run again. */
  record Preempted(Instant start, Instant end) implements TraceJobOutcome {}

  /** It was refused when it was submitted. */
  record Refused(String why) implements TraceJobOutcome {}

  /** It ran when the replay was stopped. */
  record Running(Instant start) implements TraceJobOutcome {}

  /** It waited until nothing happened any more, or until the replay was stopped. */
  record NeverStarted(String reason) implements TraceJobOutcome {}
}
