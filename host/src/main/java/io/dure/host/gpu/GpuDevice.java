package io.dure.host.gpu;

import java.util.List;
import java.util.Locale;

/**
 * A GPU, or a part of one that jobs get like a GPU of its own (a MIG instance).
 *
 * @param product what its maker calls it, {@code NVIDIA A100-SXM4-40GB}
 * @param profile which part of it, {@code 1g.5gb}; empty for all of it
 * @param uuid names it for ever
 * @param busId where it is on the PCI bus, {@code 0000:3b:00.0}
 * @param files the device files that are its own
 * @param cpus the CPUs near it, in the system's numbers, rising; empty where that is not known
 * @param links for each GPU, in order, how many direct links lead to it; -1 for this one; empty
 *     where that is not known
 * @param memoryMib its memory, MiB; 0 where that is not known
 * @param cores the cores of the node near it, where those are told instead of CPUs
 */
public record GpuDevice(
    String product,
    String profile,
    String uuid,
    String busId,
    List<String> files,
    List<Integer> cpus,
    List<Integer> links,
    long memoryMib,
    List<Integer> cores) {
  /** One whose driver numbers CPUs as the system does. */
  public GpuDevice(
      String product,
      String profile,
      String uuid,
      String busId,
      List<String> files,
      List<Integer> cpus,
      List<Integer> links,
      long memoryMib) {
    this(product, profile, uuid, busId, files, cpus, links, memoryMib, List.of());
  }

  public GpuDevice {
    cores = List.copyOf(cores);
    files = List.copyOf(files);
    cpus = List.copyOf(cpus);
    links = List.copyOf(links);
  }

  /** Its type, as Slurm makes it from the product: {@code nvidia_a100-sxm4-40gb_1g.5gb}. */
  public String type() {
    String all = profile.isEmpty() ? product : product + " " + profile;
    StringBuilder type = new StringBuilder();
    for (char c : all.strip().toLowerCase(Locale.ROOT).toCharArray()) {
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "-._+".indexOf(c) >= 0;
      type.append(plain ? c : '_');
    }
    return type.isEmpty() ? "unknown" : type.toString();
  }

  /**
   * Whether it is of a configured type, which need not be the whole name: {@code a100} is each
   * A100, {@code 1g.5gb} each such part, but no part is meant where none is named.
   */
  public boolean isOf(String wanted) {
    String lower = wanted.toLowerCase(Locale.ROOT);
    return type().contains(lower) && (profile.isEmpty() || lower.contains(profile));
  }
}
