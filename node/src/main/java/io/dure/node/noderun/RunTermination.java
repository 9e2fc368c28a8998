package io.dure.node.noderun;

import io.dure.model.command.Effect;
import java.time.Instant;

/**
 * The wish to end a run.
 *
 * @param why for the line in the job's output
 * @param since when it was first told
 * @param killAt when SIGKILL follows
 * @param unfitReported true once the node has said that the step outlives SIGKILL
 */
public record RunTermination(
    Effect.TerminationReason why, Instant since, Instant killAt, boolean unfitReported) {

  RunTermination withKillAt(Instant next) {
    return new RunTermination(why, since, next, unfitReported);
  }

  RunTermination reported() {
    return new RunTermination(why, since, killAt, true);
  }
}
