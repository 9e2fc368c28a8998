package io.dure.rules.dependency;

import io.dure.model.collection.IntMap;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs by their ids, with those that belong together: of an array, or a heterogeneous job. */
public interface JobLookup {
  /** The record of that id, null if there is none (any more). */
  @Nullable Job job(int id);

  /** Job ids of the tasks of an array that have records of their own, by task index. */
  IntMap<Integer> arrayTasks(int arrayJobId);

  /** The record of an array's task, be it its own or that of the waiting ones; null for none. */
  default @Nullable Job task(int arrayJobId, int index) {
    Integer id = arrayTasks(arrayJobId).get(index);
    Job job = job(id == null ? arrayJobId : id);
    return switch (job == null ? null : job.array()) {
      case ArrayPart.Task task -> task.index() == index ? job : null;
      case ArrayPart.Waiting waiting -> waiting.waiting().contains(index) ? job : null;
      case null -> null;
    };
  }

  /**
   * All records of a job or array: the record of that id, or all tasks and the waiting ones; of a
   * heterogeneous job's leader all components.
   */
  default List<Job> records(int id) {
    List<Job> records = new ArrayList<>();
    for (int taskJobId : arrayTasks(id).values()) {
      Job task = job(taskJobId);
      if (task != null) {
        records.add(task);
      }
    }
    Job own = job(id);
    if (own != null && !(own.array() instanceof ArrayPart.Task task && task.arrayJobId() == id)) {
      records.add(own);
    }
    HetComponent het = own == null ? null : own.het();
    if (het != null && het.leads()) {
      for (int other = het.leader() + 1; other <= het.last(); other++) {
        Job component = job(other);
        if (component != null
            && component.het() != null
            && component.het().leader() == het.leader()) {
          records.add(component);
        }
      }
    }
    return records;
  }
}
