package io.dure.model.config.step;

import io.dure.model.config.gres.GresConfFindings;
import io.dure.model.config.step.CgroupSettings.Plugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads cgroup.conf. Used once.
 *
 * @see <a href="https://slurm.schedmd.com/cgroup.conf.html">cgroup.conf(5)</a>
 */
public final class CgroupConfReader {
  private enum Kind {
    FLAG,
    PERCENT,
    NUMBER,
    PATH,
    PLUGIN,
    CONTROLLERS,
    /** Known, and nothing comes of it, but of the value beside it. */
    SILENT,
    /** Slurm no longer knows it. */
    GONE
  }

  private static final String DEVICES = "ConstrainDevices";
  private static final List<String> YES = List.of("yes", "up", "true", "1");
  private static final List<String> NO = List.of("no", "down", "false", "0");
  private static final List<String> EXTRA = List.of("all", "io", "hugetlb", "pids", "rdma", "misc");

  /** Key, kind, and for silent ones the values with which nothing need be said. */
  private static final String KEYS =
      """
      AllowedRAMSpace PERCENT
      AllowedSwapSpace PERCENT
      CgroupAutomount FLAG
      CgroupMountpoint PATH
      CgroupPlugin PLUGIN
      CgroupSlice SILENT
      ConstrainCores FLAG
      ConstrainDevices FLAG
      ConstrainRAMSpace FLAG
      ConstrainSwapSpace FLAG
      EnableControllers SILENT yes,true,1,up
      EnableExtraControllers CONTROLLERS
      IgnoreSystemd SILENT yes,true,1,up
      IgnoreSystemdOnFailure SILENT yes,true,1,up,no,false,0,down
      MaxRAMPercent PERCENT
      MaxSwapPercent PERCENT
      MemorySwappiness NUMBER
      MinRAMSpace NUMBER
      SignalChildrenProcesses FLAG
      SystemdTimeout SILENT
      AllowedDevicesFile GONE
      AllowedKmemSpace GONE
      CgroupReleaseAgentDir GONE
      ConstrainKmemSpace GONE
      MaxKmemPercent GONE
      MinKmemSpace GONE
      TaskAffinity GONE
      """;

  private final GresConfFindings findings;
  private final boolean inForce;
  private final Map<String, String> values = new TreeMap<>();

  /**
   * A reader.
   *
   * @param inForce whether the cluster has its tasks confined by control groups
   */
  public CgroupConfReader(GresConfFindings findings, boolean inForce) {
    this.findings = findings;
    this.inForce = inForce;
  }

  /** Whether steps may open the devices of generic resources that they have, and no others. */
  public boolean constrainsDevices() {
    return inForce && flag("constraindevices", false);
  }

  /** All else that it says. */
  public CgroupSettings settings() {
    CgroupSettings.Memory usual = CgroupSettings.Memory.USUAL;
    Double swappiness = number("memoryswappiness");
    Double least = number("minramspace");
    String extra = values.getOrDefault("enableextracontrollers", "");
    List<String> controllers = new ArrayList<>();
    for (String word : extra.isEmpty() ? List.<String>of() : List.of(extra.split(",", -1))) {
      controllers.addAll(word.equals("all") ? EXTRA.subList(1, EXTRA.size()) : List.of(word));
    }
    return new CgroupSettings(
        plugin(values.getOrDefault("cgroupplugin", "autodetect")),
        values.getOrDefault("cgroupmountpoint", ""),
        flag("cgroupautomount", false),
        flag("constraincores", true),
        flag("constrainramspace", true),
        flag("constrainswapspace", false),
        new CgroupSettings.Memory(
            orElse(number("allowedramspace"), usual.allowedRamPercent()),
            orElse(number("allowedswapspace"), usual.allowedSwapPercent()),
            number("maxrampercent"),
            number("maxswappercent"),
            least == null ? usual.minRamMib() : Math.round(least),
            swappiness == null || swappiness > 100 ? null : (Integer) swappiness.intValue()),
        flag("signalchildrenprocesses", true),
        controllers);
  }

  /** Takes in a line. */
  public void add(String file, int line, List<Map.Entry<String, String>> words) {
    for (Map.Entry<String, String> word : words) {
      add(file, line, word.getKey(), word.getValue());
    }
  }

  private void add(String file, int line, String key, String text) {
    List<String> row = row(key);
    String value = text.toLowerCase(Locale.ROOT);
    if (row == null) {
      String message = "Parsing error at unrecognized key: " + key;
      findings.error(file, line, key, message, "Remove it");
      return;
    }
    String name = row.getFirst();
    Kind kind = Kind.valueOf(row.get(1));
    String remedy = remedy(kind, value);
    if (kind == Kind.GONE) {
      String message = "The option \"" + name + "\" is defunct";
      findings.warning(file, line, name, message, "Remove it from cgroup.conf");
    } else if (remedy != null) {
      boolean isFlag = kind == Kind.FLAG;
      String message = "value (" + value + ") is " + (isFlag ? "not yes or no" : "not valid");
      findings.error(file, line, name, message, remedy);
    } else if (kind == Kind.SILENT) {
      if (row.size() < 3 || !List.of(row.get(2).split(",", -1)).contains(value)) {
        findings.noEffect(file, line, name, "read, and not acted on");
      }
    } else {
      values.put(name.toLowerCase(Locale.ROOT), kind == Kind.PATH ? text : value);
      if (name.equals(DEVICES) && YES.contains(value) && !inForce) {
        findings.noEffect(
            file, line, DEVICES, "without task/cgroup in TaskPlugin devices stay open");
      }
    }
  }

  private static @Nullable List<String> row(String key) {
    for (String row : KEYS.lines().toList()) {
      List<String> cells = List.of(row.split(" ", -1));
      if (cells.getFirst().equalsIgnoreCase(key)) {
        return cells;
      }
    }
    return null;
  }

  /** What to write instead, null for what is right. */
  private static @Nullable String remedy(Kind kind, String value) {
    return switch (kind) {
      case FLAG -> YES.contains(value) || NO.contains(value) ? null : "Write yes";
      case PERCENT, NUMBER ->
          value.matches("[0-9]{1,9}(\\.[0-9]{1,9})?[%]?") ? null : "Write a number such as 100";
      case PATH -> value.startsWith("/") ? null : "Write such as /sys/fs/cgroup";
      case PLUGIN ->
          List.of("autodetect", "cgroup/v1", "cgroup/v2", "disabled").contains(value)
              ? null
              : "Write autodetect, cgroup/v1, cgroup/v2 or disabled";
      case CONTROLLERS ->
          EXTRA.containsAll(List.of(value.split(",", -1)))
              ? null
              : "Write some of " + String.join(",", EXTRA);
      case SILENT, GONE -> null;
    };
  }

  private static Plugin plugin(String value) {
    return switch (value) {
      case "cgroup/v1" -> Plugin.V1;
      case "cgroup/v2" -> Plugin.V2;
      case "disabled" -> Plugin.DISABLED;
      default -> Plugin.AUTODETECT;
    };
  }

  private boolean flag(String key, boolean usual) {
    String value = values.get(key);
    return value == null ? usual : YES.contains(value);
  }

  private @Nullable Double number(String key) {
    String value = values.get(key);
    return value == null ? null : Double.valueOf(value.replace("%", ""));
  }

  private static double orElse(@Nullable Double value, double usual) {
    return value == null ? usual : value;
  }
}
