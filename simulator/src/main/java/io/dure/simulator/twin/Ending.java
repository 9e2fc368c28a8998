package io.dure.simulator.twin;

import java.time.Instant;

/** What became of a job of a trace. */
public sealed interface Ending {

  /** It ran to its end. */
  record Finished(Instant start, Instant end) implements Ending {}

  /** Its limit ended it. */
  record TimedOut(Instant start, Instant end) implements Ending {}

  /** A node failed under it, and it may not run again. */
  record NodeFailed(Instant start, Instant end) implements Ending {}

  /** It made room for another, and may not run again. */
  record Preempted(Instant start, Instant end) implements Ending {}

  /** It was refused when it was submitted. */
  record Refused(String why) implements Ending {}

  /** It ran when the replay was stopped. */
  record Running(Instant start) implements Ending {}

  /** It waited until nothing happened any more, or until the replay was stopped. */
  record NeverStarted(String reason) implements Ending {}
}
