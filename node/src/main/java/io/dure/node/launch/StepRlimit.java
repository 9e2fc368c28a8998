package io.dure.node.launch;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One limit of setrlimit(2). A limit above what the node allows is lowered to that, as Slurm does.
 *
 * @param soft in the resource's own unit (bytes, seconds, a count), or {@link #UNLIMITED}
 * @param hard likewise; never below soft, or the kernel refuses
 */
public record StepRlimit(Resource resource, long soft, long hard) {
  /** No limit; the kernel's RLIM_INFINITY. */
  public static final long UNLIMITED = -1;

  /**
   * The resources under the names of slurm.conf's PropagateResourceLimits, with Linux's numbers.
   */
  public enum Resource {
    CPU(0),
    FSIZE(1),
    DATA(2),
    STACK(3),
    CORE(4),
    RSS(5),
    NPROC(6),
    NOFILE(7),
    MEMLOCK(8),
    AS(9);

    private final int number;

    Resource(int number) {
      this.number = number;
    }

    /** The resource of that name in any case, with or without RLIMIT_; null when there is none. */
    public static @Nullable Resource named(String name) {
      String upper = name.toUpperCase(Locale.ROOT);
      String bare = upper.startsWith("RLIMIT_") ? upper.substring("RLIMIT_".length()) : upper;
      for (Resource resource : values()) {
        if (resource.name().equals(bare)) {
          return resource;
        }
      }
      return null;
    }
  }

  String entry() {
    return resource.number + ":" + Long.toUnsignedString(soft) + ":" + Long.toUnsignedString(hard);
  }
}
