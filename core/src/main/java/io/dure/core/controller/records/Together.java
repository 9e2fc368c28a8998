package io.dure.core.controller.records;

import io.dure.core.collection.IntMap;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import io.dure.core.model.het.HetPart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The records that belong together: those of an array, or of a heterogeneous job. */
public final class Together {
  private Together() {}

  /**
   * All records of a job, an array, or a heterogeneous job that is led by the job of that id.
   *
   * @param tasks the array's tasks that have records of their own
   */
  public static List<Job> of(IntMap<Integer> tasks, int id, IntFunction<@Nullable Job> jobs) {
    List<Job> records = new ArrayList<>();
    for (int taskJobId : tasks.values()) {
      Job task = jobs.apply(taskJobId);
      if (task != null) {
        records.add(task);
      }
    }
    Job own = jobs.apply(id);
    if (own != null && !(own.array() instanceof ArrayPart.Task task && task.arrayJobId() == id)) {
      records.add(own);
    }
    if (own != null && own.het() != null && own.het().leads()) {
      components(records, own.het(), jobs);
    }
    return records;
  }

  private static void components(
      List<Job> records, HetPart leader, IntFunction<@Nullable Job> jobs) {
    for (int id = leader.leader() + 1; id <= leader.last(); id++) {
      Job job = jobs.apply(id);
      if (job != null && job.het() != null && job.het().leader() == leader.leader()) {
        records.add(job);
      }
    }
  }
}
