package io.dure.cluster.reservations;

import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What others have of nodes: all of some, and some cores of others. */
final class OccupiedNodes {
  private final TreeSet<String> whole = new TreeSet<>();
  private final TreeMap<String, BitSet> some = new TreeMap<>();

  /** Notes what a job has of a node, null for all of it. */
  void add(String node, @Nullable List<Integer> cores) {
    if (cores == null) {
      whole.add(node);
    } else {
      BitSet its = some.computeIfAbsent(node, _ -> new BitSet());
      cores.forEach(its::set);
    }
  }

  /** Whether any job has anything of the node. */
  boolean touches(String node) {
    return whole.contains(node) || some.containsKey(node);
  }

  /** Whether any job has one of the cores; of all of them for null. */
  boolean touches(String node, @Nullable List<Integer> cores) {
    return cores == null ? touches(node) : cores.stream().anyMatch(core -> has(node, core));
  }

  /** Whether a job has that core. */
  boolean has(String node, int core) {
    BitSet its = some.get(node);
    return whole.contains(node) || its != null && its.get(core);
  }
}
