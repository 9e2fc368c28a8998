package io.dure.faults.world;

import io.dure.faults.step.StepFrontEnd;
import io.dure.model.command.StepEnd;
import io.dure.node.noderun.RunId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The processes of a run on a node, and the shepherd's record of their end. */
final class SimulatedStep {
  final RunId id;
  final boolean stubborn;
  final long begun;

  /** How it ended, null while it lives. */
  @Nullable StepEnd end;

  /** Whether somebody has told it to end. */
  boolean dying;

  /** Whether its processes stand still. */
  boolean stopped;

  /** How it ends once it goes on, null while it would not have ended yet. */
  @Nullable StepEnd due;

  /** The calls of srun that a script has made. */
  List<StepFrontEnd> calls = List.of();

  SimulatedStep(RunId id, boolean stubborn, long begun) {
    this.id = id;
    this.stubborn = stubborn;
    this.begun = begun;
  }

  /** It has ended so, and its calls with it. */
  void ends(StepEnd how) {
    end = how;
    calls.forEach(StepFrontEnd::die);
  }

  boolean lives() {
    return end == null;
  }
}
