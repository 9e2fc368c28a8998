package io.dure.host.process;

import io.dure.model.config.SlurmdParameters.SocketKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The CPUs that this process may use, and how they hang together.
 *
 * @param cpus logical CPUs by rising number, at least one
 */
public record CpuTopology(List<Cpu> cpus) {
  /**
   * One logical CPU (a hardware thread).
   *
   * @param number the kernel's number, 0 or more
   * @param core number of its core, unique within the socket only
   * @param socket number of its socket (package)
   */
  public record Cpu(int number, int core, int socket) {}

  /** Sockets, cores per socket and threads per core, each 1 or more. */
  public record Shape(int sockets, int coresPerSocket, int threadsPerCore) {
    /** Logical CPUs of the whole. */
    public int cpus() {
      return sockets * coresPerSocket * threadsPerCore;
    }
  }

  /** Keeps its own copy. */
  public CpuTopology {
    cpus = List.copyOf(cpus);
    if (cpus.isEmpty()) {
      throw new IllegalArgumentException("a machine has at least one CPU");
    }
  }

  /**
   * Reads the topology of the given CPUs; a CPU whose topology the kernel does not tell counts as a
   * core of its own in socket 0.
   *
   * @param sysCpu {@code /sys/devices/system/cpu} except in tests
   */
  static CpuTopology read(Path sysCpu, List<Integer> allowed) {
    return read(sysCpu, allowed, SocketKind.PACKAGE);
  }

  /** The same with another kind of sockets; a package where the kernel does not tell of these. */
  static CpuTopology read(Path sysCpu, List<Integer> allowed, SocketKind kind) {
    List<Cpu> cpus = new ArrayList<>();
    for (int number : allowed) {
      Path topology = sysCpu.resolve("cpu" + number).resolve("topology");
      int core = number(topology.resolve("core_id"), number);
      int socket = number(topology.resolve("physical_package_id"), 0);
      int part = part(sysCpu.resolve("cpu" + number), kind);
      // Of two packages, cores may have the same number.
      cpus.add(
          part < 0 ? new Cpu(number, core, socket) : new Cpu(number, socket << 16 | core, part));
    }
    return new CpuTopology(cpus);
  }

  /** The number of the memory node or cache that a CPU is near; negative for none. */
  private static int part(Path cpu, SocketKind kind) {
    return switch (kind) {
      case PACKAGE -> -1;
      case NUMA_NODE -> memoryNode(cpu);
      case L3_CACHE -> firstOfCache(cpu.resolve("cache"));
    };
  }

  private static int memoryNode(Path cpu) {
    int lowest = -1;
    for (Path entry : entries(cpu)) {
      String name = entry.getFileName().toString();
      if (name.matches("node[0-9]{1,5}")) {
        int node = Integer.parseInt(name.substring(4));
        lowest = lowest < 0 ? node : Math.min(lowest, node);
      }
    }
    return lowest;
  }

  private static int firstOfCache(Path caches) {
    for (Path cache : entries(caches)) {
      if (number(cache.resolve("level"), 0) == 3) {
        try {
          List<Integer> sharing = parseList(Files.readString(cache.resolve("shared_cpu_list")));
          return sharing.isEmpty() ? -1 : sharing.getFirst();
        } catch (IOException e) {
          return -1;
        }
      }
    }
    return -1;
  }

  private static List<Path> entries(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static int number(Path file, int otherwise) {
    try {
      int number = Integer.parseInt(Files.readString(file).strip());
      // Some virtual machines answer -1 for "unknown".
      return number < 0 ? otherwise : number;
    } catch (IOException | NumberFormatException e) {
      return otherwise;
    }
  }

  /**
   * The regular shape of these CPUs. Where sockets or cores differ from each other, as under an
   * affinity mask that splits them, every CPU counts as a core of one socket: nothing is lost, and
   * sockets times cores times threads is always the number of CPUs.
   */
  public Shape shape() {
    TreeMap<Integer, TreeMap<Integer, Integer>> threads = new TreeMap<>();
    for (Cpu cpu : cpus) {
      threads
          .computeIfAbsent(cpu.socket(), _ -> new TreeMap<>())
          .merge(cpu.core(), 1, Integer::sum);
    }
    TreeSet<Integer> coreCounts = new TreeSet<>();
    TreeSet<Integer> threadCounts = new TreeSet<>();
    for (TreeMap<Integer, Integer> cores : threads.values()) {
      coreCounts.add(cores.size());
      threadCounts.addAll(cores.values());
    }
    boolean regular = coreCounts.size() == 1 && threadCounts.size() == 1;
    return regular
        ? new Shape(threads.size(), coreCounts.first(), threadCounts.first())
        : new Shape(1, cpus.size(), 1);
  }

  /**
   * The first {@code count} CPUs by socket and core, whole cores before parts; all of them if there
   * are not more.
   */
  CpuTopology first(int count) {
    if (count >= cpus.size()) {
      return this;
    }
    List<Cpu> ordered = new ArrayList<>(cpus);
    ordered.sort((a, b) -> {
      int bySocket = Integer.compare(a.socket(), b.socket());
      int byCore = Integer.compare(a.core(), b.core());
      return bySocket != 0
          ? bySocket
          : byCore != 0 ? byCore : Integer.compare(a.number(), b.number());
    });
    List<Cpu> kept = new ArrayList<>(ordered.subList(0, Math.max(1, count)));
    kept.sort((a, b) -> Integer.compare(a.number(), b.number()));
    return new CpuTopology(kept);
  }

  /** Reads a list as the kernel writes it, such as {@code 0-3,8,10-11}; empty if it is none. */
  public static List<Integer> parseList(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : text.strip().split(",", -1)) {
      int dash = part.indexOf('-');
      try {
        int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
        int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
        for (int number = from; number <= to; number++) {
          numbers.add(number);
        }
      } catch (NumberFormatException e) {
        return List.of();
      }
    }
    return numbers;
  }
}
