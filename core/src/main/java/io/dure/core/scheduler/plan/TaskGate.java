package io.dure.core.scheduler.plan;

import io.dure.core.model.Job;

/** Says which of an array's waiting tasks may start as far as their own dependencies go. */
@FunctionalInterface
public interface TaskGate {
  /** Every task may. */
  TaskGate OPEN = (_, _) -> true;

  /**
   * Whether the task may start.
   *
   * @param waiting the record that stands for the task
   */
  boolean mayStart(Job waiting, int taskIndex);
}
