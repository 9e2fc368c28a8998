package io.dure.node.binding;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives the CPUs of a step to its tasks. For one thread. */
final class CpuOrder {
  /** A core, and how many of its threads are given. */
  private static final class Core {
    private final List<Integer> threads;
    private int used;

    Core(List<Integer> threads) {
      this.threads = threads;
    }
  }

  private final List<List<Core>> sockets = new ArrayList<>();
  private final boolean wholeCores;
  private int next;

  /**
   * All CPUs.
   *
   * @param wholeCores whether two tasks never share a core
   */
  CpuOrder(StepCpus cpus, boolean wholeCores) {
    this.wholeCores = wholeCores;
    for (List<List<Integer>> socket : cpus.sockets()) {
      sockets.add(socket.stream().map(Core::new).toList());
    }
  }

  /**
   * The CPUs of each task.
   *
   * @param sockets {@code block}: a socket is filled before the next; {@code cyclic}: each task has
   *     its CPUs on one socket, the next task on the next one; {@code fcyclic}: each CPU of a task
   *     is on the next socket
   */
  static List<List<Integer>> given(
      StepCpus cpus, int tasks, int cpusPerTask, String sockets, boolean wholeCores) {
    CpuOrder order = new CpuOrder(cpus, wholeCores);
    List<List<Integer>> given = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      given.add(order.task(cpusPerTask, sockets));
    }
    return given;
  }

  private List<Integer> task(int count, String how) {
    List<Integer> own = new ArrayList<>();
    boolean fills = how.equals("block");
    int socket = fills ? 0 : how.equals("cyclic") ? socketWith(count) : next;
    while (own.size() < count) {
      Core core = how.equals("fcyclic") ? nextSocket() : core(socket, fills, !own.isEmpty());
      if (core == null) {
        sockets.forEach(cores -> cores.forEach(one -> one.used = 0)); // more tasks than CPUs
        core = core(0, true, false);
      }
      if (core == null) {
        return own;
      }
      own.add(core.threads.get(core.used));
      core.used++;
    }
    if (wholeCores) {
      for (List<Core> cores : sockets) {
        for (Core core : cores) {
          core.used = core.used > 0 ? core.threads.size() : 0;
        }
      }
    }
    return own.stream().distinct().sorted().toList();
  }

  /** The socket of the next task: the next one with so many CPUs, else the next one. */
  private int socketWith(int count) {
    for (int i = 0; i < sockets.size(); i++) {
      int socket = (next + i) % sockets.size();
      int free =
          sockets.get(socket).stream().mapToInt(core -> core.threads.size() - core.used).sum();
      if (free >= count) {
        next = socket + 1;
        return socket;
      }
    }
    return next++ % Math.max(1, sockets.size());
  }

  /** A core with a free thread, from that socket on; null if all are given. */
  private @Nullable Core core(int from, boolean fills, boolean goesOn) {
    for (int i = 0; i < sockets.size(); i++) {
      Core best = null;
      for (Core core : sockets.get((from + i) % sockets.size())) {
        boolean free = core.used < core.threads.size();
        // A task fills the core where it began; the next one begins where least is used.
        boolean better =
            best == null || (!fills && (goesOn ? core.used > best.used : core.used < best.used));
        if (free && better) {
          best = core;
        }
      }
      if (best != null) {
        return best;
      }
    }
    return null;
  }

  private @Nullable Core nextSocket() {
    return core(next++ % Math.max(1, sockets.size()), false, false);
  }
}
