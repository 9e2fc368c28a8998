package io.dure.placement;

import java.util.Arrays;

/** Nodes that could take part in an allocation, in node order; used again and again. One thread. */
public final class CandidateNodes {
  private int[] index = new int[16];
  private int[] room = new int[16];
  private int[] spare = new int[16];
  private long[] gpus = new long[16];
  private int count;
  private int roomy;
  private long tasks;

  /** Forgets all. */
  public void clear() {
    count = 0;
    roomy = 0;
    tasks = 0;
  }

  /**
   * Adds a node behind those before it.
   *
   * @param node index of its slot, higher than that of the one before
   * @param tasks most tasks it has room for, at least 1
   * @param freeCpus free CPUs there
   * @param freeGpus GPUs of those that the job asks for as a whole that it can add
   */
  public void add(int node, int tasks, int freeCpus, long freeGpus) {
    if (count == index.length) {
      index = Arrays.copyOf(index, 2 * count);
      room = Arrays.copyOf(room, 2 * count);
      spare = Arrays.copyOf(spare, 2 * count);
      gpus = Arrays.copyOf(gpus, 2 * count);
    }
    index[count] = node;
    room[count] = tasks;
    gpus[count] = freeGpus;
    spare[count++] = freeCpus;
    this.tasks += tasks;
    roomy++;
  }

  /** Takes down that less is free on a node; one that is no candidate stays none. */
  public void update(int node, int tasks, int freeCpus, long freeGpus) {
    int which = find(node);
    if (which >= 0) {
      this.tasks += tasks - room[which];
      roomy += (tasks > 0 ? 1 : 0) - (room[which] > 0 ? 1 : 0);
      room[which] = tasks;
      spare[which] = freeCpus;
      gpus[which] = freeGpus;
    }
  }

  /** How many there are, with those that have no room any more. */
  int count() {
    return count;
  }

  /** How many have room. */
  public int roomy() {
    return roomy;
  }

  /** Tasks that all of them together have room for. */
  public long tasks() {
    return tasks;
  }

  int index(int which) {
    return index[which];
  }

  int room(int which) {
    return room[which];
  }

  int spare(int which) {
    return spare[which];
  }

  long gpus(int which) {
    return gpus[which];
  }

  /** Which of them the node is, negative if it is none. */
  int find(int node) {
    return Arrays.binarySearch(index, 0, count, node);
  }
}
