package io.dure.host.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
  public String name() {
    return "proc";
  }

  @Override
  public List<GpuCard> cards() throws IOException {
    List<GpuCard> found = new ArrayList<>();
    for (Path gpu : SysFiles.list(proc.resolve("driver/nvidia/gpus"), "*")) {
      Map<String, String> facts = facts(gpu);
      String minor = facts.getOrDefault("Device Minor", "");
      String bus = gpu.getFileName().toString();
      found.add(
          GpuCard.uncut(
              new GpuDevice(
                  facts.getOrDefault("Model", "NVIDIA"),
                  "",
                  facts.getOrDefault("GPU UUID", ""),
                  bus,
                  minor.isEmpty()
                      ? List.of()
                      : List.of(devices.resolve("nvidia" + minor).toString()),
                  SysFiles.cpusNear(sys.resolve("bus/pci/devices").resolve(bus)),
                  List.of(),
                  0)));
    }
    return found;
  }

  private static Map<String, String> facts(Path gpu) {
    Map<String, String> facts = new HashMap<>();
    for (String line : SysFiles.text(gpu.resolve("information")).split("\n", -1)) {
      String[] parts = line.split(":", 2);
      if (parts.length == 2) {
        facts.put(parts[0].strip(), parts[1].strip());
      }
    }
    return facts;
  }

  /** The number of a GPU in the name of its device file, -1 where that is not told. */
  static long minor(Path proc, String bus) {
    String number =
        facts(proc.resolve("driver/nvidia/gpus").resolve(bus)).getOrDefault("Device Minor", "");
    return number.matches("[0-9]{1,9}") ? Long.parseLong(number) : -1;
  }

  @Override
  public boolean tellsFaults() {
    return false;
  }

  @Override
  public List<GpuFault> faults() {
    return List.of();
  }

  @Override
  public @Nullable List<GpuProcess> processes() {
    return null;
  }

  @Override
  public void close() {}
}
