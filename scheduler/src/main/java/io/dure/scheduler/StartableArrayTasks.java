package io.dure.scheduler;

import io.dure.model.TaskIndices;
import io.dure.model.job.ArrayPart;
import io.dure.rules.ArrayThrottle;
import io.dure.rules.SchedulerView;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which tasks of arrays may start in a pass. */
final class StartableArrayTasks {
  private final SchedulerView view;
  private final ArrayTaskGate gate;
  private final long number;

  /** How many run or are started by the pass, by array. */
  private final TreeMap<Integer, Integer> running = new TreeMap<>();

  StartableArrayTasks(SchedulerView view, ArrayTaskGate gate, long pass) {
    this.view = view;
    this.gate = gate;
    number = pass;
  }

  /** The tasks of an array that the pass has not started. */
  TaskIndices left(QueuedJob item) {
    TaskIndices left = item.tasksLeft;
    if (left == null || item.split != number) {
      item.split = number;
      if (!(item.job.array() instanceof ArrayPart.Waiting waitingTasks)) {
        throw new IllegalStateException("job " + item.job.id() + " stands for no tasks");
      }
      left = waitingTasks.waiting();
      item.tasksLeft = left;
    }
    return left;
  }

  /** The lowest waiting task that may start; null if none may, or the record is one job. */
  @Nullable Integer next(QueuedJob item) {
    if (!(item.job.array() instanceof ArrayPart.Waiting)) {
      return null;
    }
    TaskIndices left = left(item);
    if (!item.job.spec().dependency().eachTaskDepends()) {
      return left.first();
    }
    for (int index : left.toList()) {
      if (gate.mayStart(item.job, index)) {
        return index;
      }
    }
    return null;
  }

  /** Whether as many of the array's tasks run as may. */
  boolean throttled(@Nullable ArrayPart array) {
    int throttle = ArrayThrottle.limit(array);
    return array != null
        && throttle > 0
        && running.computeIfAbsent(array.arrayJobId(), id -> ArrayThrottle.running(view, id))
            >= throttle;
  }

  /** One more runs. */
  void started(int arrayJobId) {
    running.merge(arrayJobId, 1, Integer::sum);
  }
}
