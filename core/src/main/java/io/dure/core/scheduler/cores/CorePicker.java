package io.dure.core.scheduler.cores;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Chooses concrete cores of a node, filling sockets tightly and lowest index first. */
public final class CorePicker {
  private final int[] load;
  private final int coresPerSocket;
  private final int cpusPerCore;
  private final boolean[] preferred;

  /**
   * @param load CPUs held of each core
   * @param coresPerSocket cores of a socket
   * @param cpusPerCore CPUs of a core
   * @param near cores to take first, with their sockets; empty where all are alike
   */
  public CorePicker(int[] load, int coresPerSocket, int cpusPerCore, List<Integer> near) {
    this.load = load;
    this.coresPerSocket = Math.max(1, coresPerSocket);
    this.cpusPerCore = cpusPerCore;
    preferred = new boolean[near.isEmpty() ? 0 : load.length];
    for (int core : near) {
      if (core >= 0 && core < preferred.length) {
        preferred[core] = true;
      }
    }
  }

  /** That many cores of which nothing is held; the caller knows that there are enough. */
  public List<Integer> wholeCores(int count) {
    List<Integer> chosen = new ArrayList<>(count);
    for (List<Integer> socket : socketsFor(count)) {
      for (int core : socket) {
        if (chosen.size() < count && load[core] == 0) {
          chosen.add(core);
        }
      }
    }
    Collections.sort(chosen);
    return List.copyOf(chosen);
  }

  /** Cores for that many CPUs: whole ones first, then what is left of others. */
  public List<Integer> threads(int cpus) {
    int whole = cpus / cpusPerCore;
    List<List<Integer>> sockets = socketsFor((cpus + cpusPerCore - 1) / cpusPerCore);
    List<Integer> chosen = new ArrayList<>(whole + 1);
    int left = cpus;
    for (List<Integer> socket : sockets) {
      for (int core : socket) {
        if (left >= cpusPerCore && load[core] == 0) {
          chosen.add(core);
          left -= cpusPerCore;
        }
      }
    }
    for (int round = 0; round < 2; round++) {
      for (List<Integer> socket : sockets) {
        for (int core : socket) {
          boolean suits = round == 0 ? load[core] > 0 && load[core] < cpusPerCore : load[core] == 0;
          if (left > 0 && suits && !chosen.contains(core)) {
            chosen.add(core);
            left -= cpusPerCore - load[core];
          }
        }
      }
    }
    Collections.sort(chosen);
    return List.copyOf(chosen);
  }

  /** Cores by socket: first the socket in which the count fits most tightly, then fuller ones. */
  private List<List<Integer>> socketsFor(int count) {
    List<List<Integer>> sockets = new ArrayList<>();
    for (int first = 0; first < load.length; first += coresPerSocket) {
      List<Integer> socket = new ArrayList<>(coresPerSocket);
      for (int core = first; core < Math.min(load.length, first + coresPerSocket); core++) {
        socket.add(core);
      }
      if (preferred.length > 0) {
        socket.sort((a, b) -> Boolean.compare(preferred[b], preferred[a]));
      }
      sockets.add(socket);
    }
    if (sockets.size() > 1) {
      sockets.sort((a, b) -> Integer.compare(rank(a, count), rank(b, count)));
    }
    return sockets;
  }

  private int rank(List<Integer> socket, int count) {
    int free = 0;
    for (int core : socket) {
      free += load[core] == 0 ? 1 : 0;
    }
    int rank = free >= count ? free - count : load.length + (socket.size() - free);
    boolean far = preferred.length > 0 && !preferred[socket.getFirst()];
    return far ? rank + 2 * load.length + 1 : rank;
  }
}
