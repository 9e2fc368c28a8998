package io.dure.model.step;

import java.util.List;

/**
 * A part of a run that a node daemon starts, signals and ends as one.
 *
 * @param name which of the job's steps it is
 * @param nodes the nodes that it runs on, at least one
 * @param tasks how many tasks it has, all nodes together
 * @param state where it is in its life
 */
public record Step(StepName name, List<String> nodes, int tasks, State state) {
  /** The name of a batch script's step. */
  public static final StepName BATCH = new StepName.BatchStep();

  /** The name of the step that takes in logins. */
  public static final StepName EXTERN = new StepName.ExternStep();

  /** Where a step is in its life. */
  public enum State {
    /** Its node was not heard to have taken it. */
    STARTING,
    /** Its processes run. */
    RUNNING,
    /** Its processes stand still. */
    SUSPENDED
  }

  /** Whether it runs, or is to run, on the node. */
  public boolean isOn(String node) {
    return nodes.contains(node);
  }
}
