package io.dure.node.usage;

import io.dure.host.process.ProcessStat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which processes of a step belong to which task: those that descend from it, or are in its session
 * or group, or descend from one that is.
 *
 * @param byTask all of a task, itself first, by its pid; none of those that have ended
 * @param others those of no task
 */
record TaskDivision(Map<Integer, List<Integer>> byTask, List<Integer> others) {

  /**
   * Divides processes.
   *
   * @param pids the step's
   * @param tasks those that are tasks, or were
   * @param all the machine's
   * @param earlier of which tasks processes are known to be, whatever has become of their ancestors
   */
  static TaskDivision of(
      List<Integer> pids,
      Collection<Integer> tasks,
      Map<Integer, ProcessStat> all,
      Map<Integer, Integer> earlier) {
    Map<Integer, List<Integer>> byTask = new LinkedHashMap<>();
    for (int task : tasks) {
      if (pids.contains(task)) {
        byTask.put(task, new ArrayList<>(List.of(task)));
      }
    }
    List<Integer> others = new ArrayList<>();
    for (int pid : pids) {
      if (!byTask.containsKey(pid)) {
        byTask.getOrDefault(taskOf(pid, tasks, all, earlier), others).add(pid);
      }
    }
    return new TaskDivision(byTask, others);
  }

  /** Its own or that of an ancestor; 0 for none. */
  private static int taskOf(
      int pid,
      Collection<Integer> tasks,
      Map<Integer, ProcessStat> all,
      Map<Integer, Integer> earlier) {
    for (ProcessStat at = all.get(pid); at != null; at = all.get(at.parent())) {
      Integer known = earlier.get(at.pid());
      if (known != null) {
        return known;
      }
      for (int task : List.of(at.pid(), at.session(), at.processGroup())) {
        // An orphan is the shepherd's child; its task may have ended.
        if (tasks.contains(task)) {
          return task;
        }
      }
    }
    return 0;
  }
}
