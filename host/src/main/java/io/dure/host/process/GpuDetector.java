package io.dure.host.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The GPUs of this machine, in the words of {@code Gres=}. */
final class GpuDetector {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private GpuDetector() {}

  /**
   * One entry per type, such as {@code gpu:h200:8}; without the vendor's program one such as {@code
   * gpu:2} from the device files; empty without GPUs.
   */
  static List<String> find(List<String> query, Path devices) {
    List<String> names = askVendor(query);
    if (!names.isEmpty()) {
      return gres(names);
    }
    int count = countDevices(devices);
    return count == 0 ? List.of() : List.of("gpu:" + count);
  }

  /** Entries for these product names, types in the order of the alphabet. */
  static List<String> gres(List<String> names) {
    TreeMap<String, Integer> types = new TreeMap<>();
    for (String name : names) {
      types.merge(type(name), 1, Integer::sum);
    }
    List<String> entries = new ArrayList<>();
    for (Map.Entry<String, Integer> type : types.entrySet()) {
      entries.add("gpu:" + type.getKey() + ":" + type.getValue());
    }
    return entries;
  }

  /** {@code NVIDIA H100 80GB HBM3} is h100_80gb_hbm3: letters that the format can hold. */
  static String type(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    if (lower.startsWith("nvidia ")) {
      lower = lower.substring("nvidia ".length()).strip();
    }
    StringBuilder type = new StringBuilder(lower.length());
    for (int i = 0; i < lower.length(); i++) {
      char c = lower.charAt(i);
      boolean letter = c >= 'a' && c <= 'z';
      boolean plain = letter || (c >= '0' && c <= '9') || c == '-' || c == '.';
      type.append(plain ? c : '_');
    }
    return type.isEmpty() ? "unknown" : type.toString();
  }

  private static List<String> askVendor(List<String> query) {
    try {
      ProgramAnswer answer = ProgramAnswer.of(query, PATIENCE);
      return answer.code() == 0 ? answer.lines() : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static int countDevices(Path devices) {
    int count = 0;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(devices, "nvidia[0-9]*")) {
      for (Path _ : found) {
        count++;
      }
    } catch (IOException | DirectoryIteratorException e) {
      return 0;
    }
    return count;
  }
}
