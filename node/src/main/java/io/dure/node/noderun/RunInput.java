package io.dure.node.noderun;

import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happens to a run that is known on the node. */
public sealed interface RunInput {

  /** The controller asks for a launch that is under way or over already. */
  record LaunchedAgain() implements RunInput {}

  /** The daemon has started anew and found the run in its spool. */
  record Restored() implements RunInput {}

  /** The prolog is over; {@code failure} is null or says what failed. */
  record PrologEnded(@Nullable String failure) implements RunInput {}

  /** A shepherd keeps the step. */
  record StepStarted() implements RunInput {}

  /** The step has ended, or could not be started; no process of it is left. */
  record StepEnded(StepEnd end) implements RunInput {}

  /** It was to end, and no numbered step of it is left. */
  record StepsGone() implements RunInput {}

  /** The epilog is over; {@code failure} is null or says what failed. */
  record EpilogEnded(@Nullable String failure) implements RunInput {}

  /** The controller wants it ended; SIGKILL follows SIGTERM after {@code killWait}. */
  record Terminate(Effect.TerminationReason why, Duration killWait) implements RunInput {}

  /** The controller does not know it: it is ended, and how is not reported. */
  record Unwanted(Duration killWait) implements RunInput {}

  /** Its end is on record. */
  record Forget() implements RunInput {}

  /** Time has passed. */
  record Tick() implements RunInput {}

  /** Its processes are to stand still. */
  record Suspend() implements RunInput {}

  /** They are to go on. */
  record Resume() implements RunInput {}

  /** They were to stand still, and some would not for a while. */
  record StillMoves() implements RunInput {}
}
