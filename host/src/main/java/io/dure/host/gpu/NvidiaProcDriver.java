package io.dure.host.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** NVIDIA's GPUs by what their driver shows under {@code /proc}, without its library. */
final class NvidiaProcDriver implements GpuDriver {
  private final Path proc;
  private final Path sys;
  private final Path devices;

  /** From these roots: {@code /proc}, {@code /sys}, {@code /dev}. */
  NvidiaProcDriver(Path proc, Path sys, Path devices) {
    this.proc = proc;
    this.sys = sys;
    this.devices = devices;
  }

  @Override
  public String description() {
    return "NVIDIA driver of " + proc.resolve("driver/nvidia");
  }

  @Override
  public List<GpuDevice> devices() throws IOException {
    List<GpuDevice> found = new ArrayList<>();
    for (Path gpu : SysFiles.list(proc.resolve("driver/nvidia/gpus"), "*")) {
      Map<String, String> facts = new HashMap<>();
      for (String line : SysFiles.text(gpu.resolve("information")).split("\n", -1)) {
        String[] parts = line.split(":", 2);
        if (parts.length == 2) {
          facts.put(parts[0].strip(), parts[1].strip());
        }
      }
      String minor = facts.getOrDefault("Device Minor", "");
      String bus = gpu.getFileName().toString();
      found.add(
          new GpuDevice(
              facts.getOrDefault("Model", "NVIDIA"),
              "",
              facts.getOrDefault("GPU UUID", ""),
              bus,
              minor.isEmpty() ? List.of() : List.of(devices.resolve("nvidia" + minor).toString()),
              SysFiles.cpusNear(sys.resolve("bus/pci/devices").resolve(bus)),
              List.of(),
              0));
    }
    return found;
  }

  @Override
  public List<String> faults() {
    return List.of();
  }

  @Override
  public void close() {}
}
