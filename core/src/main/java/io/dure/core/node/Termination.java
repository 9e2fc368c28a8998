package io.dure.core.node;

import io.dure.core.controller.Effect;
import java.time.Instant;

/**
 * The wish to end a run.
 *
 * @param why for the line in the job's output
 * @param since when it was first told
 * @param killAt when SIGKILL follows
 * @param unfitReported true once the node has said that the step outlives SIGKILL
 */
public record Termination(Effect.Why why, Instant since, Instant killAt, boolean unfitReported) {

  Termination withKillAt(Instant next) {
    return new Termination(why, since, next, unfitReported);
  }

  Termination reported() {
    return new Termination(why, since, killAt, true);
  }
}
