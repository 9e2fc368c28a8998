package io.dure.host.gpu;

import java.nio.file.Path;
import java.util.List;

/** Prints what NVML tells, in a process that finds another library of that name. */
final class GpuTreeMain {
  private GpuTreeMain() {}

  /** With {@code devices}, {@code faults} or {@code processes}. */
  public static void main(String[] args) throws Exception {
    try (GpuDriver driver = new NvmlDriver(Path.of("/dev"), Path.of(System.getenv("GPU_TREE")))) {
      System.out.println(driver.description());
      List<?> answer =
          switch (args[0]) {
            case "faults" -> driver.faults().stream().map(GpuFault::sentence).toList();
            case "processes" -> driver.processes();
            default -> driver.devices();
          };
      answer.forEach(System.out::println);
    }
  }
}
