package io.dure.placement.step;

import io.dure.model.step.StepSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Which tasks of a step run on which of its nodes. */
final class TaskDistribution {
  private TaskDistribution() {}

  /**
   * What a node holds.
   *
   * @param most so many tasks
   * @param alone so many of them have CPUs of their own
   */
  record Room(int most, int alone) {}

  /**
   * The ranks of each node.
   *
   * @param nodes the step's nodes
   * @return null if they do not hold the tasks
   */
  static @Nullable List<List<Integer>> ranks(
      StepSpec.TaskLayout layout, int tasks, List<String> nodes, List<Room> room) {
    List<List<Integer>> ranks = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      ranks.add(new ArrayList<>());
    }
    boolean fits =
        switch (layout.distribution()) {
          case BLOCK, EVEN -> block(tasks, even(tasks, room), ranks);
          case PACKED -> block(tasks, filled(tasks, room), ranks);
          case CYCLIC -> inTurn(tasks, 1, room, ranks);
          case PLANE -> inTurn(tasks, Math.max(1, layout.plane()), room, ranks);
          case ARBITRARY -> named(tasks, layout.hosts(), nodes, ranks);
        };
    return fits ? ranks : null;
  }

  /** Each node gets one, then the first are filled, and what is left over is even. */
  private static int[] filled(int tasks, List<Room> room) {
    int[] counts = new int[room.size()];
    int left = tasks;
    for (int i = 0; i < counts.length && left > 0; i++) {
      counts[i] = 1;
      left--;
    }
    for (int i = 0; i < counts.length && left > 0; i++) {
      int more = Math.max(0, Math.min(left, room.get(i).alone() - counts[i]));
      counts[i] += more;
      left -= more;
    }
    share(left, room, Room::most, counts);
    return counts;
  }

  /** As many on each node as have CPUs of their own there, and then as many as it holds. */
  private static int[] even(int tasks, List<Room> room) {
    int[] counts = new int[room.size()];
    int left = share(tasks, room, Room::alone, counts);
    share(left, room, Room::most, counts);
    return counts;
  }

  /**
   * Each node gets one more in turn, as long as it has room.
   *
   * @return how many are left over
   */
  private static int share(int tasks, List<Room> room, ToIntFunction<Room> bound, int[] counts) {
    int left = tasks;
    for (int before = -1; left > 0 && left != before; ) {
      before = left;
      for (int i = 0; i < counts.length && left > 0; i++) {
        if (counts[i] < bound.applyAsInt(room.get(i))) {
          counts[i]++;
          left--;
        }
      }
    }
    return left;
  }

  /** Tasks that follow each other lie on the same node. */
  private static boolean block(int tasks, int[] counts, List<List<Integer>> ranks) {
    int rank = 0;
    for (int i = 0; i < counts.length; i++) {
      for (int k = 0; k < counts[i]; k++) {
        ranks.get(i).add(rank++);
      }
    }
    return rank == tasks;
  }

  private static boolean inTurn(int tasks, int atOnce, List<Room> room, List<List<Integer>> ranks) {
    int rank = 0;
    while (rank < tasks) {
      int before = rank;
      for (int i = 0; i < room.size() && rank < tasks; i++) {
        int free = room.get(i).most() - ranks.get(i).size();
        for (int k = 0; k < Math.min(atOnce, free) && rank < tasks; k++) {
          ranks.get(i).add(rank++);
        }
      }
      if (rank == before) {
        return false;
      }
    }
    return true;
  }

  /** Each task runs on the node that is named for it. */
  private static boolean named(
      int tasks, List<String> hosts, List<String> nodes, List<List<Integer>> ranks) {
    if (hosts.size() < tasks) {
      return false;
    }
    Map<String, Integer> places = new LinkedHashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      places.put(nodes.get(i), i);
    }
    for (int rank = 0; rank < tasks; rank++) {
      Integer place = places.get(hosts.get(rank));
      if (place == null) {
        return false;
      }
      ranks.get(place).add(rank);
    }
    return true;
  }
}
