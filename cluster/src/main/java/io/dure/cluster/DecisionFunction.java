package io.dure.cluster;

import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import java.time.Instant;

/** The rules of a cluster, as a function: what decides on commands, or stands in for it. */
@FunctionalInterface
public interface DecisionFunction {
  /**
   * What a command leads to.
   *
   * @param caller who sends it, established outside the message
   * @param now the time to decide at
   */
  Decision decide(ClusterState state, Command command, Caller caller, Instant now);
}
