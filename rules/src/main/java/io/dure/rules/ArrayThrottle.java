package io.dure.rules;

import io.dure.model.job.ArrayPart;
import org.jspecify.annotations.Nullable;

/** How many tasks of an array may run at a time. */
public final class ArrayThrottle {
  private ArrayThrottle() {}

  /** The bound, 0 for none. */
  public static int limit(@Nullable ArrayPart array) {
    return switch (array) {
      case null -> 0;
      case ArrayPart.Waiting waiting -> waiting.throttle();
      case ArrayPart.Task task -> task.throttle();
    };
  }

  /** Tasks of the array that hold resources now. */
  public static int running(SchedulerView view, int arrayJobId) {
    int running = 0;
    for (int id : view.arrayTasks(arrayJobId).values()) {
      running += view.active().contains(id) ? 1 : 0;
    }
    return running;
  }

  /** Whether no further task of the array may start. */
  public static boolean reached(SchedulerView view, @Nullable ArrayPart array) {
    return array != null && limit(array) > 0 && running(view, array.arrayJobId()) >= limit(array);
  }

  /** Whether the index names a task that the record stands for, or none where it stands alone. */
  public static boolean matchesTask(@Nullable ArrayPart array, @Nullable Integer index) {
    return switch (array) {
      case ArrayPart.Waiting waiting -> index != null && waiting.waiting().contains(index);
      case null -> index == null;
      case ArrayPart.Task _ -> index == null;
    };
  }
}
