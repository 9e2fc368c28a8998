package io.dure.node.cgroup;

import java.util.List;
import java.util.SequencedCollection;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * To what a step is confined.
 *
 * @param cpus machine CPU ids; empty for no confinement
 * @param memoryMib main memory in MiB, at least 1; null for no limit
 * @param processes processes and threads together, at least 1; null for no limit
 * @param dieTogether whether all processes are killed where one is for want of memory
 * @param refused devices that it may not open
 * @param finer what the site says besides
 */
public record StepConfinement(
    SequencedCollection<Integer> cpus,
    @Nullable Long memoryMib,
    @Nullable Long processes,
    boolean dieTogether,
    SequencedCollection<DeviceNumber> refused,
    Finer finer) {
  /**
   * What cgroup.conf says besides.
   *
   * @param cpusOpen whether its processes may leave its CPUs, to which they are bound at first
   * @param allocatedMib memory that it asked for, null where memory is not allocated
   * @param softMib memory above which the kernel takes from it first, null for none
   * @param withSwapMib memory and swap together, at least the memory; null for no limit
   * @param swappiness from 0 to 100, null for the system's
   */
  public record Finer(
      boolean cpusOpen,
      @Nullable Long allocatedMib,
      @Nullable Long softMib,
      @Nullable Long withSwapMib,
      @Nullable Integer swappiness) {
    /** Nothing. */
    public static final Finer NONE = new Finer(false, null, null, null, null);
  }

  public StepConfinement {
    cpus = new TreeSet<>(cpus);
    refused = new TreeSet<>(refused);
  }

  /** A step that may open all devices. */
  public StepConfinement(
      SequencedCollection<Integer> cpus,
      @Nullable Long memoryMib,
      @Nullable Long processes,
      boolean dieTogether) {
    this(cpus, memoryMib, processes, dieTogether, List.of(), Finer.NONE);
  }

  /** Without a limit of processes. */
  public StepConfinement(SequencedCollection<Integer> cpus, @Nullable Long memoryMib) {
    this(cpus, memoryMib, null);
  }

  /** A step of which one process may be killed for want of memory, and the others live on. */
  public StepConfinement(
      SequencedCollection<Integer> cpus, @Nullable Long memoryMib, @Nullable Long processes) {
    this(cpus, memoryMib, processes, false);
  }

  /** The CPUs in the kernel's notation: {@code 0-3,5}. */
  public static String cpuList(SequencedCollection<Integer> cpus) {
    StringBuilder text = new StringBuilder();
    int first = -1;
    int last = -1;
    for (int cpu : new TreeSet<>(cpus)) {
      if (first >= 0 && cpu == last + 1) {
        last = cpu;
        continue;
      }
      appendRange(text, first, last);
      first = cpu;
      last = cpu;
    }
    appendRange(text, first, last);
    return text.toString();
  }

  private static void appendRange(StringBuilder text, int first, int last) {
    if (first >= 0) {
      text.append(text.isEmpty() ? "" : ",").append(first);
      if (last > first) {
        text.append('-').append(last);
      }
    }
  }
}
