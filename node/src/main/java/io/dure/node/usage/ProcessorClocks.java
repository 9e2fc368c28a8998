package io.dure.node.usage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The clocks of the machine's processors.
 *
 * @param megahertz of each by its number; empty where the kernel does not say
 */
record ProcessorClocks(Map<Integer, Long> megahertz) {
  /** For those whom they do not matter to. */
  static final ProcessorClocks UNREAD = new ProcessorClocks(Map.of());

  /** Reads them. */
  static ProcessorClocks now() {
    Map<Integer, Long> clocks = new TreeMap<>();
    int processor = -1;
    for (String line : text().split("\n", -1)) {
      String value = line.substring(line.indexOf(':') + 1).strip();
      if (line.startsWith("processor")) {
        processor = Integer.parseInt(value);
      } else if (line.startsWith("cpu MHz")) {
        clocks.put(processor, Math.round(Double.parseDouble(value)));
      }
    }
    return new ProcessorClocks(clocks);
  }

  /** The mean clock of the processors that they ran on last. */
  long mean(List<ProcessSample> processes) {
    long sum = 0;
    for (ProcessSample process : processes) {
      sum += megahertz.getOrDefault(process.processor(), 0L);
    }
    return processes.isEmpty() ? 0 : sum / processes.size();
  }

  private static String text() {
    try {
      return Files.readString(Path.of("/proc/cpuinfo"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
