package io.dure.node.job;

import io.dure.model.request.PropagatedRlimit;
import io.dure.node.launch.StepRlimit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The daemon's own hard limits, above which no job's limit goes: a site sets them for the daemon
 * and means its jobs. Values never change; any thread may use them.
 */
final class HardResourceLimits {
  private final Map<StepRlimit.Resource, Long> hard;

  private HardResourceLimits(Map<StepRlimit.Resource, Long> hard) {
    this.hard = new EnumMap<>(hard);
  }

  /** Those of this process. */
  static HardResourceLimits ofThisProcess() throws IOException {
    return parse(Files.readString(Path.of("/proc/self/limits"), StandardCharsets.US_ASCII));
  }

  /** Reads the text of {@code /proc/PID/limits}; what is not in it has no limit. */
  static HardResourceLimits parse(String text) {
    Map<StepRlimit.Resource, Long> hard = new EnumMap<>(StepRlimit.Resource.class);
    for (StepRlimit.Resource resource : StepRlimit.Resource.values()) {
      String title = title(resource);
      text.lines()
          .filter(line -> line.startsWith(title))
          .forEach(line -> hard.put(resource, number(line.substring(title.length()).strip())));
    }
    return new HardResourceLimits(hard);
  }

  private static long number(String softAndHard) {
    String[] words = softAndHard.split("\\s+", 3);
    try {
      return words.length < 2 || words[1].equals("unlimited")
          ? StepRlimit.UNLIMITED
          : Long.parseUnsignedLong(words[1]);
    } catch (NumberFormatException e) {
      return StepRlimit.UNLIMITED;
    }
  }

  private static String title(StepRlimit.Resource resource) {
    return switch (resource) {
      case CPU -> "Max cpu time";
      case FSIZE -> "Max file size";
      case DATA -> "Max data size";
      case STACK -> "Max stack size";
      case CORE -> "Max core file size";
      case RSS -> "Max resident set";
      case NPROC -> "Max processes";
      case NOFILE -> "Max open files";
      case MEMLOCK -> "Max locked memory";
      case AS -> "Max address space";
    };
  }

  /** The limits that travelled with a job, lowered to these; unknown names are left out. */
  List<StepRlimit> lower(List<PropagatedRlimit> asked) {
    List<StepRlimit> limits = new ArrayList<>();
    for (PropagatedRlimit limit : asked) {
      StepRlimit.Resource resource = StepRlimit.Resource.named(limit.name());
      if (resource != null) {
        long most = hard.getOrDefault(resource, StepRlimit.UNLIMITED);
        // As unsigned numbers, no limit is the largest.
        long soft = Long.compareUnsigned(limit.soft(), most) > 0 ? most : limit.soft();
        limits.add(new StepRlimit(resource, soft, most));
      }
    }
    return limits;
  }
}
