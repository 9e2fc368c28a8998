package io.dure.model.command;

import io.dure.model.TaskIndices;
import org.jspecify.annotations.Nullable;

/**
 * Names one job, a whole array, or some tasks of one; a whole heterogeneous job, or one component.
 *
 * @param jobId a job id; an array's id means the whole array, a leader's id all components
 * @param tasks tasks of that array, null for all
 * @param component the component's place behind that leader, null for all
 */
public record JobSelector(int jobId, @Nullable TaskIndices tasks, @Nullable Integer component) {

  /** A job, an array or tasks of it, or a whole heterogeneous job. */
  public JobSelector(int jobId, @Nullable TaskIndices tasks) {
    this(jobId, tasks, null);
  }

  /** {@code 12} or {@code 12_[1-3]}, {@code 12_4}, {@code 12+1}. */
  public String text() {
    if (tasks == null) {
      return component == null ? Integer.toString(jobId) : jobId + "+" + component;
    }
    return tasks.size() == 1 ? jobId + "_" + tasks.text() : jobId + "_[" + tasks.text() + "]";
  }
}
