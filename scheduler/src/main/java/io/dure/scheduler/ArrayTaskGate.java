package io.dure.scheduler;

import io.dure.model.job.Job;

/** Says which of an array's waiting tasks may start as far as their own dependencies go. */
@FunctionalInterface
public interface ArrayTaskGate {
  /** Every task may. */
  ArrayTaskGate OPEN = (_, _) -> true;

  /**
   * Whether the task may start.
   *
   * @param waiting the record that stands for the task
   */
  boolean mayStart(Job waiting, int taskIndex);
}
