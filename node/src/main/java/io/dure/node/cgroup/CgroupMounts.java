package io.dure.node.cgroup;

import io.dure.model.config.step.CgroupSettings;
import io.dure.model.config.step.CgroupSettings.Plugin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where control groups are mounted.
 *
 * @param v1 controller to mount point
 * @param v2 the unified tree, or null
 */
public record CgroupMounts(SequencedMap<String, Path> v1, @Nullable Path v2) {
  /**
   * The best control groups that this machine allows: version 2 where it offers CPUs or memory,
   * else version 1, else version 2 for tracking alone, else none. It finds out by making the node's
   * own groups.
   *
   * @param nodeName a name that no other node daemon of this machine has
   */
  public static Cgroups detect(String nodeName) {
    return detect(nodeName, CgroupSettings.USUAL);
  }

  /**
   * Those that the site wants, as far as this machine allows them.
   *
   * @param nodeName a name that no other node daemon of this machine has
   */
  public static Cgroups detect(String nodeName, CgroupSettings settings) {
    Path mountinfo = Path.of("/proc/self/mountinfo");
    CgroupMounts found = read(mountinfo);
    boolean separate = settings.plugin() != Plugin.V2 && (found.v2 == null || !found.v1.isEmpty());
    if (settings.automount() && (separate || settings.plugin() == Plugin.V1)) {
      CgroupAutomount.mountMissing(found.v1, settings.mountpoint());
      found = read(mountinfo);
    }
    return found.below(settings.mountpoint()).choose(nodeName, settings);
  }

  /** Those at that directory or below, empty for all. */
  CgroupMounts below(String directory) {
    if (directory.isEmpty()) {
      return this;
    }
    Path top = Path.of(directory).normalize();
    TreeMap<String, Path> separate = new TreeMap<>(v1);
    separate.values().removeIf(mount -> !mount.startsWith(top));
    return new CgroupMounts(separate, v2 == null || !v2.startsWith(top) ? null : v2);
  }

  /**
   * Reads a file in the form of /proc/PID/mountinfo, proc(5); one that cannot be read shows no
   * mounts.
   */
  static CgroupMounts read(Path mountinfo) {
    try {
      return parse(Files.readAllLines(mountinfo, StandardCharsets.UTF_8));
    } catch (IOException _) {
      return new CgroupMounts(new TreeMap<>(), null);
    }
  }

  static CgroupMounts parse(List<String> lines) {
    TreeMap<String, Path> v1 = new TreeMap<>();
    Path v2 = null;
    for (String line : lines) {
      String[] parts = line.split(" - ", 2);
      String[] left = parts[0].split(" ", -1);
      String[] right = parts.length < 2 ? new String[0] : parts[1].split(" ", -1);
      if (left.length < 6 || right.length < 3) {
        continue;
      }
      Path mount = Path.of(left[4].replace("\\040", " "));
      if (right[0].equals("cgroup2") && v2 == null) {
        v2 = mount;
      } else if (right[0].equals("cgroup")) {
        Arrays.stream(right[2].split(",", -1)).forEach(name -> v1.putIfAbsent(name, mount));
      }
    }
    return new CgroupMounts(v1, v2);
  }

  Cgroups choose(String nodeName) {
    return choose(nodeName, CgroupSettings.USUAL);
  }

  Cgroups choose(String nodeName, CgroupSettings settings) {
    if (settings.plugin() == Plugin.DISABLED) {
      return new NoCgroups("CgroupPlugin is disabled");
    }
    String refusal = "no control groups are mounted";
    CgroupsV2 unified = null;
    if (v2 != null && settings.plugin() != Plugin.V1) {
      try {
        unified = new CgroupsV2(v2, nodeName, settings.controllers());
      } catch (IOException e) {
        refusal = "cgroup v2 cannot be written: " + e;
      }
    }
    if (unified != null && settings.swap()) {
      unified.limitsSwap();
    }
    if (unified != null && (unified.confines() || settings.plugin() == Plugin.V2)) {
      return unified;
    }
    if (settings.plugin() == Plugin.V2) {
      return new NoCgroups(refusal);
    }
    CgroupsV1 separate = new CgroupsV1(v1, v2, nodeName);
    if (settings.swap()) {
      separate.limitsSwap();
    }
    if (separate.confines()) {
      return separate;
    }
    if (unified != null) {
      return unified;
    }
    return new NoCgroups(v1.isEmpty() ? refusal : separate.shortcomings());
  }
}
