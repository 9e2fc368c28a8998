package io.dure.node.cgroup;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Mounts controllers of version 1 that are not mounted ({@code CgroupAutomount}). */
final class CgroupAutomount {
  private static final String USUAL = "/sys/fs/cgroup";
  private static final List<String> USED =
      List.of("cpuset", "memory", "pids", "freezer", "cpuacct", "devices");

  private CgroupAutomount() {}

  /**
   * Mounts what is missing; what the machine refuses stays missing, as if it had not been tried.
   *
   * @param mounted controller to mount point
   * @param mountpoint where they belong, empty for the usual place
   */
  static void mountMissing(Map<String, Path> mounted, String mountpoint) {
    for (String controller : USED) {
      if (!mounted.containsKey(controller)) {
        mount(controller, Path.of(mountpoint.isEmpty() ? USUAL : mountpoint, controller));
      }
    }
  }

  private static void mount(String controller, Path place) {
    try {
      Files.createDirectories(place);
      new ProcessBuilder("mount", "-t", "cgroup", "-o", controller, "cgroup", place.toString())
          .redirectInput(new File("/dev/null"))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException _) {
      // The shortcomings of the groups name what is missing.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
