package io.dure.host.gpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The device files of MIG instances, which the driver lists under {@code /proc}. */
final class MigDeviceFiles {
  private static final String LIST = "driver/nvidia-caps/mig-minors";

  private final Path devices;
  private final Path proc;

  MigDeviceFiles(Path devices, Path proc) {
    this.devices = devices;
    this.proc = proc;
  }

  /** Those of an instance: its GPU's, and the two that open its parts. */
  List<String> of(long gpuMinor, long gpuInstance, long computeInstance) {
    List<String> files = new ArrayList<>();
    if (gpuMinor < 0) {
      return files;
    }
    files.add(devices.resolve("nvidia" + gpuMinor).toString());
    String gpu = "gpu" + gpuMinor + "/gi" + gpuInstance;
    List<String> wanted = List.of(gpu + "/access", gpu + "/ci" + computeInstance + "/access");
    try {
      for (String line : Files.readAllLines(proc.resolve(LIST), StandardCharsets.US_ASCII)) {
        String[] words = line.strip().split(" +", 2);
        if (words.length == 2 && wanted.contains(words[0])) {
          files.add(devices.resolve("nvidia-caps/nvidia-cap" + words[1]).toString());
        }
      }
    } catch (IOException _) {
      // An older driver has no files of their own for them.
    }
    return files;
  }
}
