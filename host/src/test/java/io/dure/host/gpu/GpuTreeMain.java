package io.dure.host.gpu;

import java.nio.file.Path;

/** Prints what NVML tells, in a process that finds another library of that name. */
final class GpuTreeMain {
  private GpuTreeMain() {}

  /** With {@code devices} or {@code faults}. */
  public static void main(String[] args) throws Exception {
    try (GpuDriver driver = new NvmlDriver(Path.of("/dev"), Path.of(System.getenv("GPU_TREE")))) {
      System.out.println(driver.description());
      (args[0].equals("faults") ? driver.faults() : driver.devices()).forEach(System.out::println);
    }
  }
}
