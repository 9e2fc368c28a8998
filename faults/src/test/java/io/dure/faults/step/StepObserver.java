package io.dure.faults.step;

import io.dure.model.command.StepEnd;

/** Sees what becomes of steps on nodes, and what users are told of them. */
public interface StepObserver {
  /** The processes of a part begin. */
  void began(String node, PartId id);

  /** They have ended. */
  void ended(String node, PartId id, StepEnd end);

  /** They, or what was written down of them, are gone with the power. */
  void lost(String node, PartId id);

  /** A user was told that a step was created. */
  void acknowledged(int job, int number);
}
