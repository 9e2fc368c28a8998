package io.dure.model.config.gres;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.gres.GresCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of gres.conf.
 *
 * @param nodes the nodes it speaks of, null for all
 * @param name the resource, empty where the line names none
 * @param type its type, null where none is named
 * @param count how many, 0 where it is not said
 * @param files the device files, one for each device
 * @param cores the cores near the devices, empty for all
 * @param autoDetect which drivers are asked, {@code off} for none, empty where it is not said
 */
record GresConfLine(
    @Nullable List<String> nodes,
    String name,
    @Nullable String type,
    long count,
    List<String> files,
    List<Integer> cores,
    String autoDetect) {
  private static final List<String> MODES =
      List.of("off", "nvml", "nvidia", "rsmi", "oneapi", "full");

  boolean concerns(String node) {
    return nodes == null || nodes.contains(node);
  }

  /** Reads one line; what is wrong with it is a finding, and the line then says less. */
  static final class Reader {
    private final GresConfFindings findings;
    private final String file;
    private final int line;
    private @Nullable List<String> nodes;
    private String name = "";
    private @Nullable String type;
    private long count;
    private List<String> files = List.of();
    private List<Integer> cores = List.of();
    private String autoDetect = "";
    private boolean severalFiles;

    Reader(GresConfFindings findings, String file, int line) {
      this.findings = findings;
      this.file = file;
      this.line = line;
    }

    GresConfLine read(List<Map.Entry<String, String>> words) {
      for (Map.Entry<String, String> word : words) {
        read(word.getKey(), word.getValue());
      }
      if (severalFiles && !files.isEmpty()) {
        files = List.of(String.join(",", files));
      }
      boolean shared = name.equals("shard") || name.equals("mps");
      if (!shared && !files.isEmpty() && count > 0 && count != files.size()) {
        String message = "value (" + count + ") is not the number of files, " + files.size();
        findings.error(file, line, "Count", message, "Leave Count out where File is given");
      }
      return new GresConfLine(nodes, name, type, count, files, cores, autoDetect);
    }

    private void read(String key, String value) {
      switch (key.toLowerCase(Locale.ROOT)) {
        case "nodename" -> nodes = expand("NodeName", value);
        case "name" -> name = value;
        case "type" -> type = value.isEmpty() ? null : value;
        case "count" -> count = count(value);
        case "file" -> files = expand("File", value);
        case "multiplefiles" -> {
          files = expand("MultipleFiles", value);
          severalFiles = true;
        }
        case "cores", "cpus" -> cores = numbers(key, value);
        case "autodetect" -> {
          String mode = value.toLowerCase(Locale.ROOT);
          if (MODES.contains(mode)) {
            autoDetect = mode;
          } else if (mode.equals("nrt")) {
            findings.noEffect(file, line, "AutoDetect", "read, and not acted on: name the devices");
          } else {
            String message = "value (" + value + ") is not one of " + String.join(", ", MODES);
            findings.error(file, line, "AutoDetect", message, "Write one of them");
          }
        }
        case "flags", "links" -> findings.noEffect(file, line, key, "read, and not acted on");
        default -> {
          String message = "Parsing error at unrecognized key: " + key;
          findings.error(file, line, key, message, "Remove it");
        }
      }
    }

    private long count(String value) {
      long read = GresCount.count(value);
      if (read < 0) {
        String message = "value (" + value + ") is not a number";
        findings.error(file, line, "Count", message, "Write a number, perhaps with K, M or G");
      }
      return Math.max(0, read);
    }

    private List<String> expand(String key, String value) {
      try {
        return HostList.expand(value);
      } catch (HostListException e) {
        String remedy =
            key.equals("File")
                ? "Write a list such as /dev/nvidia[0-3]"
                : "Write a list such as n[1-4]";
        findings.error(file, line, key, String.valueOf(e.getMessage()), remedy);
        return List.of();
      }
    }

    private List<Integer> numbers(String key, String value) {
      List<Integer> numbers = new ArrayList<>();
      for (String word : expand(key, "[" + value + "]")) {
        long number = GresCount.count(word);
        if (number < 0 || number > 65_535) {
          String message = "value (" + value + ") is not a list of cores";
          findings.error(file, line, key, message, "Write a list such as 0-7,16-23");
          return List.of();
        }
        numbers.add((int) number);
      }
      return List.copyOf(numbers);
    }
  }
}
