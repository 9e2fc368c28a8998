package io.dure.cluster;

import io.dure.model.ErrorCode;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import java.util.List;

/**
 * What is to happen: events to store, effects to perform after that, the answer to give then.
 *
 * @param after the state with the events applied
 */
public record Decision(ClusterState after, List<Event> events, List<Effect> effects, Reply reply) {

  /** The decision for these events, which are applied to the state before. */
  public static Decision of(
      ClusterState before, List<Event> events, List<Effect> effects, Reply reply) {
    return new Decision(EventApplier.applyAll(before, events), events, effects, reply);
  }

  /** Nothing changes: a refusal in Slurm's words and some of our own. */
  public static Decision refuse(ClusterState state, ErrorCode code, String detail) {
    return new Decision(state, List.of(), List.of(), new Reply.Refused(code, detail));
  }
}
