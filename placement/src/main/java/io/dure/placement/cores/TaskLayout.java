package io.dure.placement.cores;

import io.dure.model.request.ResourceRequest.CoreOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * How a job's tasks lie on the cores and sockets of a node.
 *
 * @param threads threads of a core that the job uses
 * @param cpusOfTask CPUs of each task with those that its share of a core brings along, 0 where
 *     tasks may outnumber CPUs
 * @param tasksPerCore most tasks on a core, 0 for no bound
 * @param tasksPerSocket most tasks on a socket, 0 for no bound
 * @param wholeSockets whether sockets are given whole
 * @param order in which order sockets give cores
 * @param apart whether each task stays on one socket where that can be
 */
public record TaskLayout(
    int threads,
    int cpusOfTask,
    int tasksPerCore,
    int tasksPerSocket,
    boolean wholeSockets,
    CoreOrder order,
    boolean apart) {

  /**
   * CPUs of a task with those that its share of a core brings along.
   *
   * @param tasksPerCore most tasks on a core, 0 for no bound
   */
  public static int cpusOfTask(int cpus, int threads, int tasksPerCore) {
    return switch (tasksPerCore) {
      case 0 -> cpus;
      case 1 -> (cpus + threads - 1) / threads * threads;
      default -> Math.max(cpus, (threads + tasksPerCore - 1) / tasksPerCore);
    };
  }

  /**
   * Most tasks up to a bound that the sockets' cores take; at most so many CPUs are used.
   *
   * @param sockets how many cores of each there are
   */
  public int most(int[] sockets, int cpus, int bound) {
    int left = cpus / threads;
    int tasks = 0;
    for (int socket : sockets) {
      int cores = wholeSockets && socket > left ? 0 : Math.min(left, socket);
      left -= cores;
      tasks += Math.min(bound, tasksOn(cores, bound));
    }
    return Math.min(bound, tasks);
  }

  private int tasksOn(int cores, int bound) {
    int tasks = cpusOfTask == 0 ? (cores > 0 ? bound : 0) : cores * threads / cpusOfTask;
    if (tasksPerCore > 0) {
      tasks = Math.min(tasks, cores * tasksPerCore);
    }
    return tasksPerSocket > 0 ? Math.min(tasks, tasksPerSocket) : tasks;
  }

  /**
   * The cores for so many tasks, rising.
   *
   * @param sockets the cores of each socket that may be taken, rising
   * @param near those to take first; empty where all are alike
   * @param cores how many are wanted, of which there are enough
   * @param most how many there may be, where sockets are given whole
   */
  public List<Integer> pick(
      List<List<Integer>> sockets, List<Integer> near, int tasks, int cores, int most) {
    if (tasksPerSocket > 0 && tasks > 0) {
      return bounded(sockets, tasks, cores);
    }
    if (near.isEmpty()) {
      List<Integer> chosen = free(sockets, tasks, cores, order);
      return wholeSockets && chosen.size() > most
          ? free(sockets, 0, cores, CoreOrder.FILLED)
          : chosen;
    }
    TreeSet<Integer> first = new TreeSet<>(near);
    List<Integer> chosen = new ArrayList<>(free(part(sockets, first, true), tasks, cores, order));
    int more = cores - chosen.size();
    if (more > 0) {
      chosen.addAll(free(part(sockets, first, false), 0, more, order));
    }
    chosen.sort(null);
    return List.copyOf(chosen);
  }

  private static List<List<Integer>> part(
      List<List<Integer>> sockets, TreeSet<Integer> near, boolean wanted) {
    return sockets.stream()
        .map(socket -> socket.stream().filter(core -> near.contains(core) == wanted).toList())
        .toList();
  }

  private List<Integer> free(List<List<Integer>> sockets, int tasks, int cores, CoreOrder inOrder) {
    CorePicker picker = new CorePicker(sockets);
    if (apart && inOrder == CoreOrder.IN_TURNS && cpusOfTask > 0) {
      picker.wholeTasks(tasks, cpusOfTask, threads, cores);
    }
    picker.take(cores - picker.count(), inOrder);
    return picker.chosen(wholeSockets);
  }

  /** Of as few sockets as take the tasks, which are the last ones. */
  private List<Integer> bounded(List<List<Integer>> sockets, int tasks, int cores) {
    CorePicker picker = new CorePicker(sockets);
    int left = tasks;
    int used = 0;
    for (int i = sockets.size() - 1; i >= 0; i--) {
      int here = left == 0 ? 0 : Math.min(left, tasksOn(sockets.get(i).size(), left));
      left -= here;
      used += here > 0 ? 1 : 0;
      int cpus = Math.max(1, tasksPerSocket * cpusOfTask);
      picker.bound(i, here == 0 ? 0 : (cpus + threads - 1) / threads);
    }
    int wanted = Math.max(cores, used);
    if (picker.left() < wanted) {
      picker = new CorePicker(sockets);
    }
    picker.take(wanted, order);
    return picker.chosen(wholeSockets);
  }
}
