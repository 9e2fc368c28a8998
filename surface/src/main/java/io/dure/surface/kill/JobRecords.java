package io.dure.surface.kill;

import io.dure.model.TaskIndices;
import io.dure.model.command.JobSelector;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.surface.value.JobReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which records of jobs a word names, and how the controller is told of them. */
public final class JobRecords {
  private JobRecords() {}

  /** The records that a word names: a job, an array's record and tasks, or some of its tasks. */
  public static List<Job> named(List<Job> all, JobReference word) {
    List<Job> meant = new ArrayList<>();
    for (Job job : all) {
      boolean named =
          word.tasks() == null
              ? (job.id() == word.jobId() || job.baseId() == word.jobId()) && word.names(job.het())
              : job.baseId() == word.jobId() && selector(job, word.tasks()).tasks() != null;
      if (named) {
        meant.add(job);
      }
    }
    return meant;
  }

  /**
   * A record as a selector.
   *
   * @param wanted the tasks that it is narrowed to, null for all; without tasks in the selector
   *     none is meant
   */
  public static JobSelector selector(Job job, @Nullable TaskIndices wanted) {
    return switch (job.array()) {
      case null -> new JobSelector(job.id(), null);
      case ArrayPart.Task task ->
          wanted == null || wanted.contains(task.index())
              ? new JobSelector(task.arrayJobId(), TaskIndices.of(List.of(task.index())))
              : new JobSelector(task.arrayJobId(), null);
      case ArrayPart.Waiting waiting -> {
        TaskIndices left = waiting.waiting();
        if (wanted != null) {
          left = TaskIndices.of(left.toList().stream().filter(wanted::contains).toList());
        }
        yield new JobSelector(waiting.arrayJobId(), left.isEmpty() ? null : left);
      }
    };
  }
}
