package io.dure.core.scheduler;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeShare;
import io.dure.core.model.Sharing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All nodes' free resources in a scheduling pass. Lives in one call only. */
final class Ledger {
  private final SchedulerView view;
  private final List<Slot> slots;

  /** Slot index by node position, -1 for none. */
  private final int[] indexOfPosition;

  /** Indices of each partition's nodes, as far as asked for; shared with all copies. */
  private final Map<String, int[]> partitionSlots;

  private Ledger(
      SchedulerView view,
      List<Slot> slots,
      int[] indexOfPosition,
      Map<String, int[]> partitionSlots) {
    this.view = view;
    this.partitionSlots = partitionSlots;
    this.slots = slots;
    this.indexOfPosition = indexOfPosition;
  }

  /** The nodes without any job. */
  static Ledger idle(SchedulerView view) {
    List<Slot> slots = new ArrayList<>(view.nodes().size());
    List<Integer> positions = view.nodes().keys();
    int[] index = new int[positions.isEmpty() ? 0 : positions.getLast() + 1];
    Arrays.fill(index, -1);
    view.nodes()
        .forEach((position, node) -> {
          index[position] = slots.size();
          slots.add(new Slot(node.config(), node.available()));
        });
    return new Ledger(view, slots, index, new TreeMap<>());
  }

  /** The nodes with what jobs hold on them now. */
  static Ledger loaded(SchedulerView view, Instant now) {
    return idle(view).load(now);
  }

  /** These nodes with what jobs hold on them now. */
  Ledger load(Instant now) {
    Ledger ledger = copy();
    view.nodes()
        .forEach((position, node) ->
            node.shares()
                .forEach((jobId, share) ->
                    ledger.hold(
                        holding(view.active().get(jobId), ledger.index(position), share, now))));
    return ledger;
  }

  /** One node with what jobs hold on it now, null if there is no such node. */
  static @Nullable Slot slot(SchedulerView view, String name, Instant now) {
    SchedulerNode node = view.nodeNamed(name);
    if (node == null) {
      return null;
    }
    Slot slot = new Slot(node.config(), node.available());
    node.shares()
        .forEach((jobId, share) -> slot.hold(holding(view.active().get(jobId), 0, share, now)));
    return slot;
  }

  private static Holding holding(@Nullable Job job, int index, NodeShare share, Instant now) {
    if (job == null) {
      return new Holding(index, share, -1, false, "", null);
    }
    boolean onlyOwnUser = job.spec().resources().sharing() == Sharing.USER;
    int uid = job.owner().uid();
    return switch (job.state()) {
      case JobState.Running running -> {
        String partition = running.allocation().partition();
        Instant end = notBefore(running.end(), now);
        yield new Holding(index, share, uid, onlyOwnUser, partition, end);
      }
      case JobState.Completing completing ->
          new Holding(index, share, uid, onlyOwnUser, completing.allocation().partition(), now);
      case JobState.Pending _, JobState.Ended _ ->
          new Holding(index, share, uid, onlyOwnUser, "", now);
    };
  }

  private static @Nullable Instant notBefore(@Nullable Instant end, Instant now) {
    return end != null && end.isBefore(now) ? now : end;
  }

  /** The same, to be changed on its own. */
  Ledger copy() {
    List<Slot> copies = new ArrayList<>(slots.size());
    for (Slot slot : slots) {
      copies.add(slot.copy());
    }
    return new Ledger(view, copies, indexOfPosition, partitionSlots);
  }

  List<Slot> slots() {
    return slots;
  }

  Slot slot(int index) {
    return slots.get(index);
  }

  private int index(int position) {
    return position < 0 || position >= indexOfPosition.length ? -1 : indexOfPosition[position];
  }

  /** Index of a node's slot, -1 if there is no such node. */
  int index(String node) {
    return index(view.nodePosition(node));
  }

  /** Indices of a partition's nodes, rising. */
  int[] members(PartitionConfig partition) {
    return partitionSlots.computeIfAbsent(
        partition.name(),
        _ -> {
          int[] members = new int[partition.nodes().size()];
          int count = 0;
          for (String node : partition.nodes()) {
            int index = index(node);
            if (index >= 0) {
              members[count++] = index;
            }
          }
          int[] known = Arrays.copyOf(members, count);
          Arrays.sort(known);
          return known;
        });
  }

  void hold(Holding holding) {
    slots.get(holding.node()).hold(holding);
  }

  void release(Holding holding) {
    slots.get(holding.node()).release(holding);
  }

  /** All holdings, those that end first first, those that never end last. */
  List<Holding> byEnd() {
    List<Holding> all = new ArrayList<>();
    for (Slot slot : slots) {
      all.addAll(slot.holdings());
    }
    all.sort((a, b) -> compareEnds(a.end(), b.end()));
    return all;
  }

  private static int compareEnds(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return Boolean.compare(a == null, b == null);
    }
    return a.compareTo(b);
  }
}
