package io.dure.surface.show;

import io.dure.model.HostList;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.config.slurmconf.SettingDefinition;
import io.dure.model.config.slurmconf.SettingDefinition.Section;
import io.dure.model.config.slurmconf.SettingTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a controller works with, as a {@code slurm.conf} that says the same. A key without a value
 * is a comment.
 */
public final class ConfigFileText {
  private static final String ASSIGNED = " = ";
  private static final Set<String> NOTHING = Set.of("(null)", "(null type)", "N/A");

  private ConfigFileText() {}

  /**
   * The file.
   *
   * @param date when the configuration was asked for
   * @param lines of {@code scontrol show config}
   * @param nodes the nodes as they are configured now
   * @param partitions the partitions as they are now
   */
  public static String of(
      String date, List<String> lines, List<NodeConfig> nodes, List<PartitionConfig> partitions) {
    StringBuilder text = new StringBuilder();
    title(text, "Configuration file for Slurm - " + date);
    for (String line : lines) {
      String setting = setting(line, nodes.size());
      if (setting != null) {
        text.append(setting).append('\n');
      }
    }
    title(text, "NODES");
    nodes.forEach(node -> record(text, settings(node)));
    title(text, "PARTITIONS");
    partitions.forEach(partition -> record(text, partition.settings()));
    return text.toString();
  }

  private static void title(StringBuilder text, String words) {
    String rule = "#".repeat(words.length() + 6);
    text.append(rule).append("\n#  ").append(words).append("  #\n").append(rule).append('\n');
  }

  /** A line of the file, null for what no file says. */
  private static @Nullable String setting(String line, int nodes) {
    int sign = line.indexOf(ASSIGNED);
    if (sign < 0) {
      return null;
    }
    // Hosts and programs have numbers behind their keys.
    String key = line.substring(0, sign).strip().replaceFirst("\\[[0-9]+]$", "");
    SettingDefinition known = SettingTable.find(Section.CLUSTER, key);
    if (known == null || known.kind() == SettingDefinition.Kind.RUNTIME) {
      return null;
    }
    String value = line.substring(sign + ASSIGNED.length()).strip();
    // What is shown where nothing is set is not a bound.
    boolean counted = key.equals("MaxNodeCount") && value.equals(Integer.toString(nodes));
    return NOTHING.contains(value) || counted
        ? "#" + key + "="
        : key + "=" + quoted(withoutUnit(known.kind(), value));
  }

  private static String withoutUnit(SettingDefinition.Kind kind, String value) {
    return switch (kind) {
      case SECONDS, MICROSECONDS, MINUTES, PERCENT, RATE -> value.replaceFirst(" .*", "");
      case USER -> value.replaceFirst("\\([0-9]+\\)$", "");
      case BIT, FLAG, LEVEL, MEMORY, NUMBER, PLAIN_SECONDS, PORT, PROGRAM, PROGRAMS -> value;
      case REPEATED, RUNTIME, TEXT, TIME, UPPER -> value;
    };
  }

  private static void record(StringBuilder text, Map<String, String> settings) {
    List<String> words = new ArrayList<>();
    settings.forEach((key, value) -> words.add(key + "=" + quoted(value)));
    text.append(String.join(" ", words)).append('\n');
  }

  private static String quoted(String value) {
    boolean plain =
        value.chars().noneMatch(letter -> Character.isWhitespace(letter) || letter == '#');
    return plain ? value : "\"" + value + "\"";
  }

  private static Map<String, String> settings(NodeConfig node) {
    Map<String, String> line = new LinkedHashMap<>();
    NodeConfig.Shape shape = node.shape();
    line.put("NodeName", node.name());
    line.put("NodeHostname", node.hostName());
    line.put("NodeAddr", node.address());
    line.put("BcastAddr", node.bcastAddress());
    line.put("Port", Integer.toString(node.port()));
    line.put("CPUs", Integer.toString(shape.cpus()));
    line.put("Boards", Integer.toString(shape.boards()));
    line.put("SocketsPerBoard", Integer.toString(shape.sockets() / shape.boards()));
    line.put("CoresPerSocket", Integer.toString(shape.coresPerSocket()));
    line.put("ThreadsPerCore", Integer.toString(shape.threadsPerCore()));
    line.put("RealMemory", Long.toString(node.realMemoryMib()));
    line.put("MemSpecLimit", positive(node.memSpecLimitMib()));
    line.put("TmpDisk", positive(node.tmpDiskMib()));
    line.put("Features", String.join(",", features(node)));
    line.put("Gres", node.gres());
    line.put("CpuSpecList", cores(node.specializedCores(), shape));
    line.put("Weight", Long.toString(node.weight()));
    line.put("State", node.state().name());
    line.put("Reason", node.reason());
    line.put("SuspendTime", suspendTime(node));
    line.put("Topology", node.topology());
    line.put("Parameters", node.parameters().text());
    line.values().removeIf(String::isEmpty);
    return line;
  }

  private static List<String> features(NodeConfig node) {
    List<String> possible = node.possibleFeatures();
    return possible == null ? node.features() : possible;
  }

  private static String positive(long number) {
    return number == 0 ? "" : Long.toString(number);
  }

  /** The CPUs of cores that are kept from jobs. */
  private static String cores(List<Integer> cores, NodeConfig.Shape shape) {
    List<String> cpus = new ArrayList<>();
    for (int core : cores) {
      for (int thread = 0; thread < shape.threadsPerCore(); thread++) {
        cpus.add(Integer.toString(core * shape.threadsPerCore() + thread));
      }
    }
    String list = cpus.isEmpty() ? "" : HostList.compress(List.copyOf(cpus));
    return list.startsWith("[") ? list.substring(1, list.length() - 1) : list;
  }

  private static String suspendTime(NodeConfig node) {
    if (node.suspendTime() == null) {
      return "";
    }
    return node.suspendTime().equals(PowerSettings.NEVER)
        ? "INFINITE"
        : Long.toString(node.suspendTime().toSeconds());
  }
}
