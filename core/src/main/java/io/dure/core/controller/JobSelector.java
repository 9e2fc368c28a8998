package io.dure.core.controller;

import io.dure.core.model.TaskIndices;
import org.jspecify.annotations.Nullable;

/**
 * Names one job, a whole array, or some tasks of one.
 *
 * @param jobId a job id; an array's id means the whole array
 * @param tasks tasks of that array, null for all
 */
public record JobSelector(int jobId, @Nullable TaskIndices tasks) {

  /** {@code 12} or {@code 12_[1-3]}, {@code 12_4}. */
  public String text() {
    if (tasks == null) {
      return Integer.toString(jobId);
    }
    return tasks.size() == 1 ? jobId + "_" + tasks.text() : jobId + "_[" + tasks.text() + "]";
  }
}
