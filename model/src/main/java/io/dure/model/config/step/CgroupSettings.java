package io.dure.model.config.step;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What cgroup.conf says, but of devices.
 *
 * @param plugin which interface of the kernel is used
 * @param mountpoint below which control groups are mounted, empty for wherever they are
 * @param automount whether controllers of version 1 are mounted that are not
 * @param cores whether steps stay on their CPUs
 * @param ram whether their memory is bounded
 * @param swap whether their memory and swap together are
 * @param memory how
 * @param signalsChildren whether signals reach all processes of a step; else its tasks alone
 * @param controllers further controllers of version 2 that jobs have
 */
public record CgroupSettings(
    Plugin plugin,
    String mountpoint,
    boolean automount,
    boolean cores,
    boolean ram,
    boolean swap,
    Memory memory,
    boolean signalsChildren,
    List<String> controllers) {
  /** Where the file says nothing. */
  public static final CgroupSettings USUAL =
      new CgroupSettings(
          Plugin.AUTODETECT, "", false, true, true, false, Memory.USUAL, true, List.of());

  public CgroupSettings {
    controllers = List.copyOf(controllers);
  }

  /** Which interface of the kernel is used. */
  public enum Plugin {
    /** The best that there is. */
    AUTODETECT,
    V1,
    V2,
    /** None. */
    DISABLED
  }

  /**
   * The bounds of memory.
   *
   * @param allowedRamPercent of the memory that is allocated
   * @param allowedSwapPercent of the memory that is allocated, on top
   * @param maxRamPercent of the node's memory, whatever is allocated; null for no such bound
   * @param maxSwapPercent likewise, of memory and swap together
   * @param minRamMib the least bound in MiB
   * @param swappiness from 0 to 100, null for the system's
   */
  public record Memory(
      double allowedRamPercent,
      double allowedSwapPercent,
      @Nullable Double maxRamPercent,
      @Nullable Double maxSwapPercent,
      long minRamMib,
      @Nullable Integer swappiness) {
    /** Where the file says nothing. */
    public static final Memory USUAL = new Memory(100, 0, null, null, 0, null);
  }

  /**
   * Bounds in MiB.
   *
   * @param soft what the kernel takes back first above that, null for none
   * @param hard of memory, null for none
   * @param withSwap of memory and swap together, at least that of memory; null for none
   */
  public record Bounds(@Nullable Long soft, @Nullable Long hard, @Nullable Long withSwap) {
    private static final Bounds NONE = new Bounds(null, null, null);
  }

  /**
   * The bounds of a step or job.
   *
   * @param allocated MiB of it, null where memory is not allocated
   * @param ofNode MiB of the node
   */
  public Bounds bounds(@Nullable Long allocated, long ofNode) {
    if (!ram && !swap) {
      return Bounds.NONE;
    }
    Long mostRam = part(memory.maxRamPercent(), ofNode);
    Long mostSwap = part(memory.maxSwapPercent(), ofNode);
    if (allocated == null) {
      Long most = ram ? mostRam : null;
      Long withSwap = swap ? mostSwap : null;
      return new Bounds(
          null, most, withSwap == null || most == null ? withSwap : atLeast(withSwap, most));
    }
    double allowed = ram ? memory.allowedRamPercent() : 100;
    long hard = between(memory.minRamMib(), share(allowed, allocated), mostRam);
    if (!swap) {
      return new Bounds(hard > allocated ? allocated : null, hard, null);
    }
    long both = hard + share(memory.allowedSwapPercent(), allocated);
    long withSwap = between(Math.max(hard, memory.minRamMib()), both, mostSwap);
    // Without a bound of memory alone that of both holds for it.
    return ram
        ? new Bounds(hard > allocated ? allocated : null, hard, withSwap)
        : new Bounds(null, withSwap, withSwap);
  }

  private static Long atLeast(long value, long least) {
    return Math.max(value, least);
  }

  private static @Nullable Long part(@Nullable Double percent, long whole) {
    return percent == null ? null : (Long) share(percent, whole);
  }

  private static long share(double percent, long whole) {
    return Math.max(0, Math.round(whole * percent / 100));
  }

  /** At least one MiB; the lower bound comes before the upper. */
  private static long between(long least, long value, @Nullable Long most) {
    long bounded = most == null ? value : Math.min(value, most);
    return Math.max(Math.max(1, least), bounded);
  }

  /** What the file says, or what is usual where a journal does not have it. */
  static CgroupSettings orUsual(@Nullable CgroupSettings settings) {
    return Objects.requireNonNullElse(settings, USUAL);
  }
}
