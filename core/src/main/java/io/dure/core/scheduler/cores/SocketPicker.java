package io.dure.core.scheduler.cores;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Cores for tasks of which a core or a socket takes only so many, and whole sockets where nothing
 * less is given.
 *
 * @param threads threads of a core that the job uses
 * @param cpusPerTask CPUs of each task, 0 where tasks may outnumber CPUs
 * @param tasksPerCore most tasks on a core, 0 for no bound
 * @param tasksPerSocket most tasks on a socket, 0 for no bound
 * @param wholeSockets whether sockets are given whole
 */
public record SocketPicker(
    int threads, int cpusPerTask, int tasksPerCore, int tasksPerSocket, boolean wholeSockets) {

  /**
   * A socket.
   *
   * @param free its cores of which nothing is held
   * @param usable how many of its cores jobs may get
   */
  public record Socket(List<Integer> free, int usable) {}

  /** Most tasks up to a bound that cores and sockets take; at most so many CPUs are used. */
  public int most(List<Socket> sockets, int cpus, int bound) {
    int left = cpus / threads;
    int tasks = 0;
    for (Socket socket : sockets) {
      int cores = cores(socket);
      cores = wholeSockets && cores > left ? 0 : Math.min(left, cores);
      left -= cores;
      tasks += Math.min(bound, tasksOn(cores, bound));
    }
    return Math.min(bound, tasks);
  }

  private int cores(Socket socket) {
    int free = socket.free().size();
    return wholeSockets && free < socket.usable() ? 0 : free;
  }

  private int tasksOn(int cores, int bound) {
    int tasks = cpusPerTask == 0 ? (cores > 0 ? bound : 0) : cores * threads / cpusPerTask;
    if (tasksPerCore > 0) {
      tasks = Math.min(tasks, cores * tasksPerCore);
    }
    return tasksPerSocket > 0 ? Math.min(tasks, tasksPerSocket) : tasks;
  }

  /** The cores for so many tasks and at least so many CPUs, rising. */
  public List<Integer> pick(List<Socket> sockets, int tasks, int cpus) {
    List<Integer> chosen = new ArrayList<>();
    int left = tasks;
    for (Socket socket : sockets) {
      int cores = cores(socket);
      boolean enough = left <= 0 && chosen.size() * threads >= cpus;
      if (enough || cores == 0) {
        continue;
      }
      int here = Math.min(left, tasksOn(cores, left));
      int wanted = (here * cpusPerTask + threads - 1) / threads;
      if (tasksPerCore > 0) {
        wanted = Math.max(wanted, (here + tasksPerCore - 1) / tasksPerCore);
      }
      left -= here;
      if (left <= 0) {
        wanted = Math.max(wanted, (cpus + threads - 1) / threads - chosen.size());
      }
      chosen.addAll(socket.free().subList(0, wholeSockets ? cores : Math.min(cores, wanted)));
    }
    Collections.sort(chosen);
    return List.copyOf(chosen);
  }
}
