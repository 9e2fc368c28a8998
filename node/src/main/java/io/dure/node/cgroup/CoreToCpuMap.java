package io.dure.node.cgroup;

import io.dure.host.process.CpuTopology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SequencedCollection;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The node's cores, counted from 0 through its sockets as the controller counts them, and the
 * machine's CPU ids behind each. An immutable value.
 *
 * <p>A node may claim more cores than the machine has (several node daemons in a test, each
 * claiming all). Then its cores are laid over the machine's again and again, and steps are not
 * bound at all: binding would pile them up on the first cores while others idle.
 *
 * @param machine for each core of the machine, socket by socket, the ids of its threads
 * @param firstCore the machine's core that is the node's core 0
 * @param claimedCores how many cores the node has by its configuration
 */
public record CoreToCpuMap(List<List<Integer>> machine, int firstCore, int claimedCores) {
  public CoreToCpuMap {
    if (machine.isEmpty() || firstCore < 0 || claimedCores < 1) {
      throw new IllegalArgumentException("no cores");
    }
    machine = machine.stream().map(List::copyOf).toList();
  }

  /**
   * The cores of a topology, all of them claimed. Where that has no regular shape, every CPU is a
   * core, as in its {@link CpuTopology#shape}.
   */
  public static CoreToCpuMap of(CpuTopology topology) {
    TreeMap<Long, List<Integer>> cores = new TreeMap<>();
    CpuTopology.Shape shape = topology.shape();
    boolean single = shape.threadsPerCore() == 1;
    for (CpuTopology.Cpu cpu : topology.cpus()) {
      long core = (long) cpu.socket() << 32 | cpu.core();
      cores.computeIfAbsent(core, _ -> new ArrayList<>()).add(cpu.number());
    }
    List<List<Integer>> machine = new ArrayList<>();
    for (List<Integer> threads : cores.values()) {
      if (single) {
        threads.forEach(cpu -> machine.add(List.of(cpu)));
      } else {
        machine.add(threads);
      }
    }
    return new CoreToCpuMap(machine, 0, machine.size());
  }

  /** The same machine for a node with so many cores of it, from that one on. */
  public CoreToCpuMap forNode(int first, int cores) {
    return new CoreToCpuMap(machine, first, cores);
  }

  /** Whether the node claims cores that the machine does not have, so that steps are not bound. */
  public boolean isEmulated() {
    return firstCore + claimedCores > machine.size();
  }

  /** The CPU ids of a core's threads; none of a core that the machine lacks. */
  public List<Integer> threads(int core) {
    int place = firstCore + core;
    return place < machine.size() ? machine.get(place) : List.of();
  }

  /** The CPU ids of all threads of these cores, ascending. */
  public SequencedCollection<Integer> cpus(Collection<Integer> cores) {
    TreeSet<Integer> ids = new TreeSet<>();
    for (int core : cores) {
      ids.addAll(machine.get(Math.floorMod(firstCore + core, machine.size())));
    }
    return ids;
  }

  /** The CPU ids to bind a step on these cores to; empty when steps are not bound. */
  public SequencedCollection<Integer> binding(Collection<Integer> cores) {
    return isEmulated() ? new TreeSet<>() : cpus(cores);
  }
}
