package io.dure.host.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens the drivers that {@code AutoDetect} names. */
public final class GpuDetection {
  /** A program that takes longer hangs, as its driver does. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Path DEVICES = Path.of("/dev");
  private static final Path PROC = Path.of("/proc");
  private static final Path SYS = Path.of("/sys");

  private GpuDetection() {}

  /**
   * The drivers of a mode; those that this machine does not have are left out.
   *
   * @param tree a directory that stands in for the GPUs of all drivers, null for this machine's own
   * @param mode {@code nvml}, {@code nvidia}, {@code rsmi}, {@code oneapi}, {@code full}, or
   *     another word for none
   * @param log told which are there, and why one is not
   */
  public static List<GpuDriver> open(@Nullable Path tree, String mode, Consumer<String> log) {
    List<GpuDriver> drivers = new ArrayList<>();
    boolean known = List.of("nvml", "nvidia", "rsmi", "oneapi", "full").contains(mode);
    if (tree == null) {
      addOwn(mode, drivers, log);
    } else if (known) {
      drivers.add(new FileTreeDriver(tree, mode));
    }
    drivers.forEach(driver -> log.accept("GPUs are told of by " + driver.description()));
    return drivers;
  }

  private static void addOwn(String mode, List<GpuDriver> drivers, Consumer<String> log) {
    boolean all = mode.equals("full");
    if (all || mode.equals("nvml")) {
      drivers.add(nvidia("AutoDetect=" + mode + ": ", log));
    } else if (mode.equals("nvidia")) {
      drivers.add(new NvidiaProcDriver(PROC, SYS, DEVICES));
    }
    if (all || mode.equals("rsmi")) {
      drivers.add(new DrmDriver("0x1002", SYS, DEVICES));
    }
    if (all || mode.equals("oneapi")) {
      drivers.add(new DrmDriver("0x8086", SYS, DEVICES));
    }
  }

  /** The first that works, of those that tell of most. */
  private static GpuDriver nvidia(String mode, Consumer<String> log) {
    try {
      return new NvmlDriver(DEVICES, PROC);
    } catch (IOException e) {
      log.accept(mode + e.getMessage());
    }
    try {
      return new NvidiaSmiDriver("nvidia-smi", PROC, SYS, DEVICES, PATIENCE);
    } catch (IOException e) {
      log.accept(mode + e.getMessage());
    }
    return new NvidiaProcDriver(PROC, SYS, DEVICES);
  }
}
