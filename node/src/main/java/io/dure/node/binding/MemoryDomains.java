package io.dure.node.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The domains of a machine's memory, as the kernel numbers them. */
public final class MemoryDomains {
  private static final Path NODES = Path.of("/sys/devices/system/node");

  private MemoryDomains() {}

  /** The CPUs of each of this machine's; one of no known CPUs where the kernel does not say. */
  public static List<List<Integer>> ofThisMachine() {
    return of(NODES);
  }

  static List<List<Integer>> of(Path nodes) {
    List<List<Integer>> domains = new ArrayList<>();
    try {
      for (Path list = cpus(nodes, 0); Files.exists(list); list = cpus(nodes, domains.size())) {
        domains.add(numbers(Files.readString(list).strip()));
      }
    } catch (IOException | NumberFormatException e) {
      domains.clear();
    }
    return domains.isEmpty() ? List.of(List.of()) : List.copyOf(domains);
  }

  private static Path cpus(Path nodes, int domain) {
    return nodes.resolve("node" + domain).resolve("cpulist");
  }

  /** The numbers of a list such as {@code 0-3,8}. */
  private static List<Integer> numbers(String list) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : list.isEmpty() ? new String[0] : list.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = Integer.parseInt(part.substring(dash + 1));
      for (int number = first; number <= last; number++) {
        numbers.add(number);
      }
    }
    return List.copyOf(numbers);
  }
}
