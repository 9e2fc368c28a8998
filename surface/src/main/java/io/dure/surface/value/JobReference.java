package io.dure.surface.value;

import io.dure.model.TaskIndices;
import io.dure.model.command.JobSelector;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.JobId;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.ArrayRequest.InvalidArrayException;
import org.jspecify.annotations.Nullable;

/**
 * A job as users name it: {@code 12}, {@code 12_4}, {@code 12_[1-3,7]}, {@code 12+1}, {@code
 * 12.batch}.
 *
 * @param text the word as typed
 * @param jobId the number before the underscore
 * @param tasks the tasks after it, null for all
 * @param step the step after the dot, null for none
 * @param component the place in a heterogeneous job after a plus, null for all
 */
public record JobReference(
    String text,
    int jobId,
    @Nullable TaskIndices tasks,
    @Nullable String step,
    @Nullable Integer component) {

  /** One more than the highest index that any configuration may allow. */
  private static final int INDEX_BOUND = 4_000_001;

  /** The job that the word names, or null if it names none. */
  public static @Nullable JobReference parse(String text) {
    int dot = text.indexOf('.');
    String step = dot < 0 ? null : text.substring(dot + 1);
    String job = dot < 0 ? text : text.substring(0, dot);
    int plus = job.indexOf('+');
    if (plus >= 0) {
      return component(text, job, plus, step);
    }
    int underscore = job.indexOf('_');
    JobId id = JobId.parse(underscore < 0 ? job : job.substring(0, underscore));
    if (id == null || (step != null && step.isEmpty())) {
      return null;
    }
    if (underscore < 0) {
      return new JobReference(text, id.value(), null, step, null);
    }
    String indices = job.substring(underscore + 1);
    if (indices.equals("*")) {
      return new JobReference(text, id.value(), null, step, null);
    }
    try {
      TaskIndices tasks = ArrayRequest.parse(indices, INDEX_BOUND).indices();
      return new JobReference(text, id.value(), tasks, step, null);
    } catch (InvalidArrayException e) {
      return null;
    }
  }

  private static @Nullable JobReference component(
      String text, String job, int plus, @Nullable String step) {
    JobId id = JobId.parse(job.substring(0, plus));
    int offset = (int) DigitParser.parse(job.substring(plus + 1), Integer.MAX_VALUE);
    return id == null || offset < 0 || (step != null && step.isEmpty())
        ? null
        : new JobReference(text, id.value(), null, step, offset);
  }

  /** What the controller knows it by. */
  public JobSelector selector() {
    return new JobSelector(jobId, tasks, component);
  }

  /** Whether the word means this component of a heterogeneous job. */
  public boolean names(@Nullable HetComponent part) {
    return component == null || (part != null && part.offset() == component);
  }

  /** Whether the word means this task of the array. */
  public boolean names(int index) {
    return tasks == null || tasks.contains(index);
  }
}
