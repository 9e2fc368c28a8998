package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SequencedCollection;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

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
public record CpuMap(List<List<Integer>> machine, int firstCore, int claimedCores) {
  public CpuMap {
    if (machine.isEmpty() || firstCore < 0 || claimedCores < 1) {
      throw new IllegalArgumentException("no cores");
    }
    machine = machine.stream().map(List::copyOf).toList();
  }

  /** This machine, restricted to the CPUs that this process may use. */
  public static CpuMap ofThisMachine() throws IOException {
    TreeSet<Integer> allowed = new TreeSet<>();
    for (String line :
        Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
      if (line.startsWith("Cpus_allowed_list:")) {
        allowed.addAll(parseList(line.substring(line.indexOf(':') + 1).strip()));
      }
    }
    return read(Path.of("/sys/devices/system/cpu"), allowed);
  }

  /**
   * Reads the topology below a directory like /sys/devices/system/cpu.
   *
   * @param allowed the CPUs to take; those that are offline have no topology and are left out
   */
  static CpuMap read(Path cpuDirectory, SequencedCollection<Integer> allowed) throws IOException {
    TreeMap<Long, List<Integer>> cores = new TreeMap<>();
    List<Integer> ids;
    try (Stream<Path> entries = Files.list(cpuDirectory)) {
      ids =
          entries
              .map(entry -> entry.getFileName().toString())
              .filter(name -> name.matches("cpu[0-9]{1,6}"))
              .map(name -> Integer.valueOf(name.substring(3)))
              .filter(allowed::contains)
              .sorted()
              .toList();
    }
    for (int id : ids) {
      Path topology = cpuDirectory.resolve("cpu" + id).resolve("topology");
      if (Files.exists(topology)) {
        long key = number(topology, "physical_package_id") << 32 | number(topology, "core_id");
        cores.computeIfAbsent(key, _ -> new ArrayList<>()).add(id);
      }
    }
    if (cores.isEmpty()) {
      // Some virtual machines show no topology: then every CPU is a core.
      ids.forEach(id -> cores.put((long) id, List.of(id)));
    }
    return new CpuMap(List.copyOf(cores.values()), 0, Math.max(1, cores.size()));
  }

  private static long number(Path topology, String file) throws IOException {
    String text = Files.readString(topology.resolve(file), StandardCharsets.US_ASCII).strip();
    return Math.max(0, Long.parseLong(text));
  }

  /** The same machine for a node with so many cores of it, from that one on. */
  public CpuMap forNode(int first, int cores) {
    return new CpuMap(machine, first, cores);
  }

  /** Whether the node claims cores that the machine does not have, so that steps are not bound. */
  public boolean isEmulated() {
    return firstCore + claimedCores > machine.size();
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

  /** Reads the kernel's notation {@code 0-3,5}. */
  static SequencedCollection<Integer> parseList(String list) {
    TreeSet<Integer> ids = new TreeSet<>();
    for (String range : list.split(",", -1)) {
      if (!range.isBlank()) {
        String[] ends = range.strip().split("-", 2);
        int last = Integer.parseInt(ends[ends.length - 1]);
        for (int id = Integer.parseInt(ends[0]); id <= last; id++) {
          ids.add(id);
        }
      }
    }
    return ids;
  }
}
