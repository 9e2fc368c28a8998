package io.dure.node.agent;

import io.dure.model.command.StepEnd;
import io.dure.node.launch.RunningStep;
import io.dure.node.step.StepRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A numbered step of a run in the daemon's memory. The loop's thread alone touches it. */
final class StepEntry {
  final int number;

  /** What is to be started; null for a step that an earlier daemon started. */
  final @Nullable StepRequest request;

  /** True until the prolog of its run is over. */
  boolean waiting;

  /** The step once a shepherd keeps it. */
  @Nullable RunningStep running;

  /** When it is killed, null for never. */
  @Nullable Instant killAt;

  /** How it ended, null as long as it has not. */
  @Nullable StepEnd end;

  /** When the controller was last told of its end. */
  Instant told = Instant.EPOCH;

  StepEntry(int number, @Nullable StepRequest request) {
    this.number = number;
    this.request = request;
  }
}
