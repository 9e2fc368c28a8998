package io.dure.model.request;

import org.jspecify.annotations.Nullable;

/**
 * One condition on another job.
 *
 * @param type what must have happened
 * @param jobId the other job; 0 for {@link DependencyType#SINGLETON}
 * @param taskIndex the array task meant, null for the job or the whole array
 * @param delayMinutes minutes that must have passed since ({@code after:ID+minutes}), else 0
 */
public record Dependency(
    DependencyType type, int jobId, @Nullable Integer taskIndex, int delayMinutes) {

  /** As {@code --dependency} and {@code scontrol show job} write it. */
  public String text() {
    if (type == DependencyType.SINGLETON) {
      return type.word();
    }
    return type.word()
        + ":"
        + jobId
        + (taskIndex == null ? "" : "_" + taskIndex)
        + (delayMinutes == 0 ? "" : "+" + delayMinutes);
  }
}
