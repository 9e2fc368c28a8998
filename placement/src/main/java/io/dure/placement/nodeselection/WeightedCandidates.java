package io.dure.placement.nodeselection;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The nodes that have room for a job, in node order. One thread.
 *
 * <p>Its nodes are called by their place in it.
 */
public final class WeightedCandidates {
  private final int[] index;
  private final int[] room;
  private final int[] spare;
  private final long[] gpus;
  private final long[] weight;
  private int count;

  /** An offer without nodes, of at most so many. */
  public WeightedCandidates(int most) {
    index = new int[most];
    room = new int[most];
    spare = new int[most];
    gpus = new long[most];
    weight = new long[most];
  }

  /**
   * Adds a node behind those before it.
   *
   * @param node the node's index, higher than that of the one before
   * @param tasks most tasks it has room for, at least 1
   * @param freeCpus free CPUs there
   * @param freeGpus GPUs of those that the job asks for as a whole that it can add
   * @param itsWeight nodes of low weight are taken first
   */
  public void add(int node, int tasks, int freeCpus, long freeGpus, long itsWeight) {
    index[count] = node;
    room[count] = tasks;
    spare[count] = freeCpus;
    gpus[count] = freeGpus;
    weight[count++] = itsWeight;
  }

  /** The nodes of it that are among these, by index. */
  public WeightedCandidates only(BitSet nodes) {
    WeightedCandidates some = new WeightedCandidates(count);
    for (int i = 0; i < count; i++) {
      if (nodes.get(index[i])) {
        some.add(index[i], room[i], spare[i], gpus[i], weight[i]);
      }
    }
    return some;
  }

  /** How many nodes there are. */
  public int count() {
    return count;
  }

  /** The index of a node. */
  public int index(int which) {
    return index[which];
  }

  int room(int which) {
    return room[which];
  }

  int spare(int which) {
    return spare[which];
  }

  /** GPUs of those that the job asks for as a whole that a node can add. */
  public long gpus(int which) {
    return gpus[which];
  }

  long weight(int which) {
    return weight[which];
  }

  /** The place of the node of that index, negative if it is not offered. */
  public int find(int node) {
    return Arrays.binarySearch(index, 0, count, node);
  }
}
