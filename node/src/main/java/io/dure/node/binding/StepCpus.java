package io.dure.node.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * The CPUs that a step has on a node: for each of its sockets the cores, for each core the ids of
 * its threads. A core that the machine lacks is left out, as is a socket without cores.
 */
public record StepCpus(List<List<List<Integer>>> sockets) {
  public StepCpus {
    sockets = List.copyOf(sockets);
  }

  /**
   * Those of some cores.
   *
   * @param cores the cores, counted through the sockets of the node
   * @param coresPerSocket how many a socket has
   * @param threads the threads of a core, none of one that the machine lacks
   * @param threadsPerCore how many of each may be used, 0 for all
   */
  public static StepCpus of(
      List<Integer> cores,
      int coresPerSocket,
      IntFunction<List<Integer>> threads,
      int threadsPerCore) {
    TreeMap<Integer, List<List<Integer>>> sockets = new TreeMap<>();
    for (int core : cores) {
      List<Integer> all = threads.apply(core);
      int used = threadsPerCore == 0 ? all.size() : Math.min(threadsPerCore, all.size());
      if (used > 0) {
        sockets
            .computeIfAbsent(core / Math.max(1, coresPerSocket), _ -> new ArrayList<>())
            .add(List.copyOf(all.subList(0, used)));
      }
    }
    return new StepCpus(sockets.values().stream().map(List::copyOf).toList());
  }

  int cores() {
    return sockets.stream().mapToInt(List::size).sum();
  }

  int threadsPerCore() {
    int most = 1;
    for (List<List<Integer>> socket : sockets) {
      for (List<Integer> core : socket) {
        most = Math.max(most, core.size());
      }
    }
    return most;
  }

  /** All of them, rising. */
  public List<Integer> all() {
    TreeSet<Integer> all = new TreeSet<>();
    for (List<List<Integer>> socket : sockets) {
      socket.forEach(all::addAll);
    }
    return List.copyOf(all);
  }

  /** The same with all CPUs of each core of which one is among these. */
  List<Integer> wholeCores(List<Integer> cpus) {
    TreeSet<Integer> all = new TreeSet<>();
    for (List<List<Integer>> socket : sockets) {
      for (List<Integer> core : socket) {
        if (core.stream().anyMatch(cpus::contains)) {
          all.addAll(core);
        }
      }
    }
    return List.copyOf(all);
  }

  /** The same with all CPUs of each socket of which one is among these. */
  List<Integer> wholeSockets(List<Integer> cpus) {
    TreeSet<Integer> all = new TreeSet<>();
    for (List<List<Integer>> socket : sockets) {
      if (socket.stream().flatMap(List::stream).anyMatch(cpus::contains)) {
        socket.forEach(all::addAll);
      }
    }
    return List.copyOf(all);
  }
}
