package io.dure.cluster.invariants;

import io.dure.cluster.ClusterState;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs hold the cores of a node: a core is one job's, or that of jobs that share it, of each
 * partition as many as it lets share.
 */
public final class CoreUseInvariant {
  private CoreUseInvariant() {}

  /** Jobs of one partition on one core. */
  private record Users(int jobs, int most) {}

  /** Whether a job is among them that shares its cores. */
  public static boolean isShared(ClusterState state, Map<Integer, NodeShare> held) {
    for (int id : held.keySet()) {
      Allocation allocation = allocation(state, id);
      if (allocation != null && allocation.jobsPerCore() != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Which core is held by more jobs than may have it, null if none is.
   *
   * @param held what jobs hold on one node, by their ids
   */
  public static @Nullable String overused(ClusterState state, Map<Integer, NodeShare> held) {
    Map<Integer, Map<String, Users>> cores = new TreeMap<>();
    for (Map.Entry<Integer, NodeShare> entry : held.entrySet()) {
      Allocation allocation = allocation(state, entry.getKey());
      Integer together = allocation == null ? null : allocation.jobsPerCore();
      // An exclusive job is alone, whatever the partition.
      String group = together == null || allocation == null ? "" : allocation.partition();
      for (int core : entry.getValue().cores()) {
        Map<String, Users> users = cores.computeIfAbsent(core, _ -> new TreeMap<>());
        Users before = users.getOrDefault(group, new Users(0, 1));
        int most = Math.max(before.most(), together == null ? 1 : together);
        users.put(group, new Users(before.jobs() + 1, most));
        boolean mixed = users.containsKey("") && users.size() > 1;
        if (mixed || before.jobs() + 1 > most) {
          return "core " + core + " given to more jobs than may share it";
        }
      }
    }
    return null;
  }

  private static @Nullable Allocation allocation(ClusterState state, int id) {
    Job job = state.job(id);
    return switch (job == null ? null : job.state()) {
      case JobState.Running running -> running.allocation();
      case JobState.Suspended suspended -> suspended.run().allocation();
      case JobState.Completing completing -> completing.allocation();
      case JobState.Pending _, JobState.Ended _ -> null;
      case null -> null;
    };
  }
}
