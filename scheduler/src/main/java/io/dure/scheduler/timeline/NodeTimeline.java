package io.dure.scheduler.timeline;

import io.dure.placement.NodeAllocation;
import io.dure.placement.NodeDemand;
import io.dure.placement.NodeLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * What is free on one node from now on: a stretch of time for each change, with the node as it is
 * then. Only nodes that something is promised on have one. One thread.
 */
public final class NodeTimeline {
  private long[] from = new long[8];
  private NodeLoad[] slots = new NodeLoad[8];
  private int count;

  /** The node as jobs leave it that run there now. */
  NodeTimeline(NodeLoad slot, long now) {
    NodeLoad last = slot.copy();
    append(now, last);
    List<NodeAllocation> ends = new ArrayList<>(slot.holdings());
    ends.sort(Comparator.comparingLong(NodeAllocation::end));
    for (NodeAllocation holding : ends) {
      long end = Math.max(holding.end(), now + 1);
      if (from[count - 1] != end) {
        last = last.copy();
        append(end, last);
      }
      last.release(holding);
    }
  }

  /** The same for a job that may not have some of the node's cores. */
  private NodeTimeline(NodeTimeline whole, BitSet closed) {
    from = whole.from.clone();
    slots = new NodeLoad[from.length];
    count = whole.count;
    for (int i = 0; i < count; i++) {
      slots[i] = whole.slots[i].without(closed);
    }
  }

  /** What is free for a job that may not have some of the cores, to be read only. */
  public NodeTimeline without(BitSet closed) {
    return new NodeTimeline(this, closed);
  }

  private void append(long time, NodeLoad slot) {
    insert(count, time, slot);
  }

  private void insert(int at, long time, NodeLoad slot) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      slots = Arrays.copyOf(slots, 2 * count);
    }
    System.arraycopy(from, at, from, at + 1, count - at);
    System.arraycopy(slots, at, slots, at + 1, count - at);
    from[at] = time;
    slots[at] = slot;
    count++;
  }

  /** How many stretches there are. */
  int count() {
    return count;
  }

  /** When a stretch begins. */
  long from(int stretch) {
    return from[stretch];
  }

  /** The node as it is then; not before the beginning. */
  NodeLoad at(long time) {
    return slots[stretch(time)];
  }

  private int stretch(long time) {
    int found = Arrays.binarySearch(from, 0, count, time);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }

  /** Most tasks that fit from that time until the other, which is not included. */
  public int room(NodeDemand need, long start, long end) {
    int room = Integer.MAX_VALUE;
    for (int i = stretch(start); i < count && (from[i] < end || from[i] <= start); i++) {
      room = Math.min(room, slots[i].taskCapacity(need));
      if (room == 0) {
        return 0;
      }
    }
    return room;
  }

  /** Most GPUs of those that a job asks for as a whole, over that time. */
  long gpus(NodeDemand need, long start, long end) {
    long gpus = Long.MAX_VALUE;
    for (int i = stretch(start); i < count && (from[i] < end || from[i] <= start); i++) {
      gpus = Math.min(gpus, slots[i].gpuCapacity(need, 1));
    }
    return gpus;
  }

  /** Tasks that fit in each stretch. */
  int[] rooms(NodeDemand need) {
    int[] rooms = new int[count];
    for (int i = 0; i < count; i++) {
      rooms[i] = slots[i].taskCapacity(need);
    }
    return rooms;
  }

  /** A job that starts now holds this until its end. */
  void hold(NodeAllocation holding) {
    int end = cut(holding.end());
    for (int i = 0; i < end; i++) {
      slots[i].hold(holding);
    }
  }

  /** Something is promised from that time until the end of the holding. */
  void promise(NodeAllocation holding, long start) {
    int first = cut(start);
    int end = cut(holding.end());
    for (int i = first; i < end; i++) {
      slots[i].reserve(holding);
    }
  }

  /** What was promised is not any more; it has no generic resources. */
  void withdraw(NodeAllocation holding, long start) {
    int first = cut(start);
    int end = cut(holding.end());
    for (int i = first; i < end; i++) {
      slots[i].unreserve(holding);
    }
  }

  /** The first stretch that begins at that time or later, which now begins then. */
  private int cut(long time) {
    int found = Arrays.binarySearch(from, 0, count, time);
    if (found >= 0) {
      return found;
    }
    int at = -found - 1;
    if (at == 0) {
      return 0;
    }
    insert(at, time, slots[at - 1].copy());
    return at;
  }
}
