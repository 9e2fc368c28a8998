package io.dure.placement.cores;

import io.dure.model.request.ResourceRequest.CoreOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Chooses concrete cores of a node's sockets, in each of them the lowest first. */
final class CorePicker {
  private final List<List<Integer>> sockets;

  /** How many of a socket's cores were taken, which are its first. */
  private final int[] taken;

  /** How many of a socket's cores may be taken. */
  private final int[] most;

  /**
   * Chooses from cores that may be taken.
   *
   * @param sockets those of each socket, rising
   */
  CorePicker(List<List<Integer>> sockets) {
    this.sockets = sockets;
    taken = new int[sockets.size()];
    most = new int[taken.length];
    for (int i = 0; i < most.length; i++) {
      most[i] = sockets.get(i).size();
    }
  }

  /** How many may still be taken. */
  int left() {
    int left = 0;
    for (int i = 0; i < most.length; i++) {
      left += left(i);
    }
    return left;
  }

  private int left(int socket) {
    return most[socket] - taken[socket];
  }

  /** Takes no more than so many cores of a socket. */
  void bound(int socket, int cores) {
    most[socket] = Math.min(most[socket], cores);
  }

  /** Takes so many cores in that order, or as many as there are. */
  void take(int count, CoreOrder order) {
    switch (order) {
      case IN_TURNS -> inTurns(count);
      case FILLED -> filled(count);
    }
  }

  /** A core of each socket, and again. */
  private void inTurns(int count) {
    int wanted = Math.min(count, left());
    while (wanted > 0) {
      for (int i = 0; i < taken.length && wanted > 0; i++) {
        if (left(i) > 0) {
          taken[i]++;
          wanted--;
        }
      }
    }
  }

  /** From the socket that has just enough; else the emptiest first. */
  private void filled(int count) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < taken.length; i++) {
      order.add(i);
    }
    order.sort((a, b) -> Integer.compare(rank(a, count), rank(b, count)));
    int wanted = count;
    for (int socket : order) {
      int some = Math.min(wanted, left(socket));
      taken[socket] += some;
      wanted -= some;
    }
  }

  private int rank(int socket, int count) {
    int left = left(socket);
    return left >= count ? left - count : (1 << 20) - left;
  }

  /**
   * Takes the cores of as many of the tasks as find room on one socket each, socket by socket.
   *
   * @param cores how many cores there may be
   */
  void wholeTasks(int tasks, int cpusOfTask, int threads, int cores) {
    int wanted = tasks;
    int open = cores;
    for (int i = 0; i < taken.length && wanted > 0; i++) {
      int some = Math.min(wanted, left(i) * threads / cpusOfTask);
      int here = Math.min(open, (some * cpusOfTask + threads - 1) / threads);
      taken[i] += here;
      open -= here;
      wanted -= some;
    }
  }

  /** How many were taken. */
  int count() {
    int count = 0;
    for (int some : taken) {
      count += some;
    }
    return count;
  }

  /** What was taken, rising; of a socket all cores if sockets are given whole. */
  List<Integer> chosen(boolean wholeSockets) {
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < taken.length; i++) {
      List<Integer> socket = sockets.get(i);
      int some = wholeSockets && taken[i] > 0 ? socket.size() : taken[i];
      chosen.addAll(socket.subList(0, some));
    }
    Collections.sort(chosen);
    return List.copyOf(chosen);
  }
}
