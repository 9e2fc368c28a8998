package io.dure.model.job;

import io.dure.model.TaskIndices;
import io.dure.model.request.ArrayRequest;

/** A job's place in a job array. */
public sealed interface ArrayPart {

  /** Facts of the array as submitted, for the tasks' environment. */
  Shape shape();

  /** Id of the array: the job id that {@code sbatch} printed. */
  int arrayJobId();

  /**
   * The array as submitted.
   *
   * @param count number of tasks
   * @param min lowest index
   * @param max highest index
   * @param step distance of the first two indices, 1 for a single one
   */
  record Shape(int count, int min, int max, int step) {}

  /**
   * The record that stands for all tasks that have not started.
   *
   * @param waiting indices not started yet, at least one
   * @param throttle most tasks at a time, 0 for no bound
   */
  record Waiting(int arrayJobId, Shape shape, TaskIndices waiting, int throttle)
      implements ArrayPart {
    static final String TAG = "Waiting";

    /** All tasks of an array that was just submitted. */
    public static Waiting of(int arrayJobId, ArrayRequest request) {
      TaskIndices indices = request.indices();
      TaskIndices rest = indices.without(indices.first());
      int step = rest.isEmpty() ? 1 : rest.first() - indices.first();
      Shape shape = new Shape(indices.size(), indices.first(), indices.last(), step);
      return new Waiting(arrayJobId, shape, indices, request.throttle());
    }
  }

  /**
   * One task with a record of its own.
   *
   * @param index its index
   * @param throttle most tasks at a time, 0 for no bound
   */
  record Task(int arrayJobId, Shape shape, int index, int throttle) implements ArrayPart {
    static final String TAG = "Task";
  }
}
