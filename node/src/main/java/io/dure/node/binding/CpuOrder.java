package io.dure.node.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Gives the CPUs of a step to its tasks. For one thread. */
final class CpuOrder {
  /** A core, how many of its threads are given, and to how many tasks. */
  private static final class Core {
    private final List<Integer> threads;
    private int used;
    private int tasks;

    Core(List<Integer> threads) {
      this.threads = threads;
    }

    boolean isFree() {
      return used < threads.size();
    }
  }

  private final List<List<Core>> sockets = new ArrayList<>();
  private final int[] socketTasks;
  private final BoundTasks tasks;
  private final int perCore;
  private int next;

  private CpuOrder(StepCpus cpus, BoundTasks tasks, boolean wholeCores) {
    for (List<List<Integer>> socket : cpus.sockets()) {
      sockets.add(socket.stream().map(Core::new).toList());
    }
    socketTasks = new int[sockets.size()];
    this.tasks = tasks;
    this.perCore = wholeCores ? 1 : tasks.perCore();
  }

  /**
   * The CPUs of each task. By {@link BoundTasks#sockets}, with {@code block} a socket is filled
   * before the next; with {@code cyclic} each task has its CPUs on one socket, the next task on the
   * next one; with {@code fcyclic} each CPU of a task is on the next socket. On a socket a core is
   * filled before the next.
   *
   * @param wholeCores whether two tasks never share a core
   */
  static List<List<Integer>> given(StepCpus cpus, BoundTasks tasks, boolean wholeCores) {
    CpuOrder order = new CpuOrder(cpus, tasks, wholeCores);
    List<List<Integer>> given = new ArrayList<>();
    for (int task = 0; task < tasks.count(); task++) {
      given.add(order.task(tasks.cpusPerTask()));
    }
    return given;
  }

  private List<Integer> task(int count) {
    List<Integer> own = new ArrayList<>();
    TreeSet<Integer> used = new TreeSet<>();
    boolean fills = tasks.sockets().equals("block");
    boolean inTurn = tasks.sockets().equals("fcyclic");
    int socket = fills || inTurn ? 0 : socketWith(count);
    while (own.size() < count) {
      int from = inTurn ? next++ % Math.max(1, sockets.size()) : socket;
      int place = freeSocket(from, fills, used);
      if (place < 0) {
        startAgain(); // more tasks than CPUs, or than cores or sockets take
        place = freeSocket(0, fills, used);
      }
      Core core = place < 0 ? null : freeCore(place);
      if (core == null) {
        return own;
      }
      own.add(core.threads.get(core.used));
      core.used++;
      used.add(place);
    }
    count(own, used);
    return own.stream().distinct().sorted().toList();
  }

  /** A task has these CPUs, on these sockets. */
  private void count(List<Integer> own, Set<Integer> used) {
    for (int socket : used) {
      socketTasks[socket]++;
      for (Core core : sockets.get(socket)) {
        if (core.used > 0 && core.threads.stream().anyMatch(own::contains)) {
          core.tasks++;
          core.used = core.tasks == perCore ? core.threads.size() : core.used;
        }
      }
    }
  }

  private void startAgain() {
    for (int socket = 0; socket < sockets.size(); socket++) {
      socketTasks[socket] = 0;
      for (Core core : sockets.get(socket)) {
        core.used = 0;
        core.tasks = 0;
      }
    }
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

  /**
   * A socket with a free thread, from that one on, -1 if there is none.
   *
   * @param bounded whether a socket takes only so many tasks; in turns they have as many anyway
   * @param own sockets where the task has begun
   */
  private int freeSocket(int from, boolean bounded, Set<Integer> own) {
    for (int i = 0; i < sockets.size(); i++) {
      int socket = (from + i) % sockets.size();
      boolean full =
          bounded
              && tasks.perSocket() > 0
              && socketTasks[socket] >= tasks.perSocket()
              && !own.contains(socket);
      if (!full && freeCore(socket) != null) {
        return socket;
      }
    }
    return -1;
  }

  private @Nullable Core freeCore(int socket) {
    for (Core core : sockets.get(socket)) {
      if (core.isFree()) {
        return core;
      }
    }
    return null;
  }
}
