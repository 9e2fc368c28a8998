package io.dure.host.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits that a container or service manager has set for this process by control groups, of either
 * version; see cgroups(7).
 *
 * @param cpus CPU time per time, such as 1.5; infinite if unlimited
 * @param memoryMib most memory in MiB; {@link Long#MAX_VALUE} if unlimited
 */
record CgroupLimits(double cpus, long memoryMib) {
  private static final long MIB = 1024 * 1024;

  /** Version 1 writes a number near 2 to the 63rd for "unlimited". */
  private static final long UNLIMITED_FROM_MIB = 1L << 40;

  /**
   * Reads the limits of every group from the process' own up to the root, and takes the lowest.
   *
   * @param proc tells the groups of this process
   * @param mount {@code /sys/fs/cgroup} except in tests
   */
  static CgroupLimits read(ProcFs proc, Path mount) {
    double cpus = Double.POSITIVE_INFINITY;
    long memoryMib = Long.MAX_VALUE;
    for (Path group : groups(proc, mount)) {
      cpus = Math.min(cpus, Math.min(cpuMax(group), cpuQuota(group)));
      memoryMib = Math.min(memoryMib, memory(group.resolve("memory.max")));
      memoryMib = Math.min(memoryMib, memory(group.resolve("memory.limit_in_bytes")));
    }
    return new CgroupLimits(cpus, memoryMib);
  }

  private static List<Path> groups(ProcFs proc, Path mount) {
    String text;
    try {
      text = proc.read("self/cgroup");
    } catch (IOException e) {
      return List.of();
    }
    List<Path> groups = new ArrayList<>();
    for (String line : text.lines().toList()) {
      int first = line.indexOf(':');
      int second = line.indexOf(':', first + 1);
      if (second < 0) {
        continue;
      }
      String controllers = line.substring(first + 1, second);
      Path hierarchy = controllers.isEmpty() ? mount : mount.resolve(directory(controllers, mount));
      Path relative = Path.of("/").relativize(Path.of(line.substring(second + 1)).normalize());
      Path group = hierarchy.resolve(relative);
      while (group != null && group.startsWith(hierarchy)) {
        groups.add(group);
        group = group.getParent();
      }
    }
    return groups;
  }

  /** Of controllers that are mounted together, such as cpu,cpuacct, each may name the directory. */
  private static String directory(String controllers, Path mount) {
    if (Files.isDirectory(mount.resolve(controllers))) {
      return controllers;
    }
    int comma = controllers.indexOf(',');
    return comma < 0 ? controllers : controllers.substring(0, comma);
  }

  private static double cpuMax(Path group) {
    String text = text(group.resolve("cpu.max"));
    int blank = text == null ? -1 : text.indexOf(' ');
    if (text == null || blank < 0 || text.startsWith("max")) {
      return Double.POSITIVE_INFINITY;
    }
    return ratio(text.substring(0, blank), text.substring(blank + 1));
  }

  private static double cpuQuota(Path group) {
    String quota = text(group.resolve("cpu.cfs_quota_us"));
    String period = text(group.resolve("cpu.cfs_period_us"));
    return quota == null || period == null ? Double.POSITIVE_INFINITY : ratio(quota, period);
  }

  private static double ratio(String quota, String period) {
    try {
      double part = Double.parseDouble(quota);
      double whole = Double.parseDouble(period);
      return part > 0 && whole > 0 ? part / whole : Double.POSITIVE_INFINITY;
    } catch (NumberFormatException e) {
      return Double.POSITIVE_INFINITY;
    }
  }

  private static long memory(Path file) {
    String text = text(file);
    if (text == null || text.equals("max")) {
      return Long.MAX_VALUE;
    }
    try {
      long mib = Long.parseLong(text) / MIB;
      return mib >= UNLIMITED_FROM_MIB ? Long.MAX_VALUE : mib;
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private static @Nullable String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return null;
    }
  }
}
