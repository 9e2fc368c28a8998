package io.dure.core.config;

import io.dure.core.config.Diagnostics.Place;
import io.dure.core.config.PartitionConfig.Sharing;
import io.dure.core.config.Setting.Section;
import io.dure.core.config.StatementReader.Assignment;
import io.dure.core.model.HostList;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Partitions and nodes that an administrator describes or changes while the cluster runs, in the
 * words of slurm.conf and by its rules. Pure; any thread.
 */
public final class SectionEdit {
  private static final Place PLACE = new Place("", 0);

  private SectionEdit() {}

  /**
   * What came of it.
   *
   * @param results what the words describe; empty where a finding is an error
   * @param findings what is wrong with the words, and what has no effect yet
   */
  public record Edited<T>(List<T> results, List<Diagnostic> findings) {
    /** The findings for which nothing was made. */
    public List<Diagnostic> errors() {
      return findings.stream().filter(f -> f.severity() == Diagnostic.Severity.ERROR).toList();
    }
  }

  /** The key of a partition that the word is, or is cut short from; null if there is none. */
  public static @Nullable String partitionKey(String word) {
    return key(Section.PARTITION, word);
  }

  /** The key of a node that the word is, or is cut short from; null if there is none. */
  public static @Nullable String nodeKey(String word) {
    return key(Section.NODE, word);
  }

  private static @Nullable String key(Section section, String word) {
    Setting exact = SettingTable.find(section, word);
    if (exact != null || word.isEmpty()) {
      return exact == null ? null : exact.name();
    }
    String lower = word.toLowerCase(Locale.ROOT);
    for (Setting setting : SettingTable.all(section)) {
      if (setting.name().toLowerCase(Locale.ROOT).startsWith(lower)) {
        return setting.name();
      }
    }
    return null;
  }

  /**
   * A partition with some of its settings changed.
   *
   * @param before the partition as it is, null for a new one
   * @param keys settings by their names, {@code PartitionName} among them
   * @param nodes the nodes of the cluster
   */
  public static Edited<PartitionConfig> partition(
      @Nullable PartitionConfig before, Map<String, String> keys, List<NodeConfig> nodes) {
    Diagnostics diagnostics = new Diagnostics();
    Map<String, String> line = new LinkedHashMap<>();
    if (before != null) {
      line.putAll(written(before));
    }
    keys.forEach((key, value) -> put(line, key, value));
    NodeReader nodeReader = new NodeReader(diagnostics, 0);
    for (NodeConfig node : nodes) {
      nodeReader.nodes().put(node.name(), node);
    }
    PartitionReader reader = new PartitionReader(diagnostics, nodeReader, false);
    reader.read(PLACE, values(Section.PARTITION, diagnostics, line));
    return edited(reader.partitions(), diagnostics);
  }

  /**
   * New nodes.
   *
   * @param keys settings by their names, {@code NodeName} among them
   * @param port the port of daemons that are given none
   */
  public static Edited<NodeConfig> nodes(Map<String, String> keys, int port) {
    Diagnostics diagnostics = new Diagnostics();
    NodeReader reader = new NodeReader(diagnostics, port);
    reader.read(PLACE, values(Section.NODE, diagnostics, keys));
    return edited(List.copyOf(reader.nodes().values()), diagnostics);
  }

  private static <T> Edited<T> edited(List<T> results, Diagnostics diagnostics) {
    Edited<T> edited = new Edited<>(results, diagnostics.inOrder(List.of()));
    return edited.errors().isEmpty() ? edited : new Edited<>(List.of(), edited.findings());
  }

  private static Values values(
      Section section, Diagnostics diagnostics, Map<String, String> settings) {
    Values values = new Values(section, diagnostics);
    settings.forEach((key, value) -> values.put(PLACE, new Assignment(key, value)));
    return values;
  }

  /** A setting takes the place of those that say the same in another way. */
  private static void put(Map<String, String> line, String key, String value) {
    switch (key) {
      case "Priority" -> {
        line.put("PriorityTier", value);
        line.put("PriorityJobFactor", value);
        return;
      }
      case "DefMemPerCPU", "DefMemPerNode" -> {
        line.remove("DefMemPerCPU");
        line.remove("DefMemPerNode");
      }
      case "MaxMemPerCPU", "MaxMemPerNode" -> {
        line.remove("MaxMemPerCPU");
        line.remove("MaxMemPerNode");
      }
      case "Exclusive", "OverSubscribe" -> {
        line.remove("Exclusive");
        line.remove("OverSubscribe");
      }
      default -> {}
    }
    line.put(key, value.equalsIgnoreCase("NONE") && key.endsWith("Time") ? "" : value);
  }

  private static Map<String, String> written(PartitionConfig partition) {
    Map<String, String> line = new LinkedHashMap<>();
    line.put("PartitionName", partition.name());
    line.put("Nodes", HostList.compress(partition.nodes()));
    line.put("Default", yes(partition.isDefault()));
    line.put("State", partition.state().name());
    PartitionConfig.Limits limits = partition.limits();
    line.put("MaxTime", limits.maxTime() == null ? "UNLIMITED" : minutes(limits.maxTime()));
    line.put("DefaultTime", limits.defaultTime() == null ? "" : minutes(limits.defaultTime()));
    line.put("MinNodes", Integer.toString(limits.minNodes()));
    line.put("MaxNodes", count(limits.maxNodes()));
    line.put("MaxCPUsPerNode", count(limits.maxCpusPerNode()));
    PartitionConfig.Access access = partition.access();
    line.put("AllowGroups", names(access.allowGroups()));
    line.put("AllowAccounts", names(access.allowAccounts()));
    line.put("DenyAccounts", String.join(",", access.denyAccounts()));
    line.put("AllowQos", names(access.allowQos()));
    line.put("DenyQos", String.join(",", access.denyQos()));
    line.put("AllocNodes", names(access.allocNodes()));
    line.put("RootOnly", yes(access.rootOnly()));
    line.put("DisableRootJobs", yes(access.disableRootJobs()));
    line.put("Hidden", yes(partition.hidden()));
    line.put("PriorityTier", Integer.toString(partition.priorityTier()));
    line.put("PriorityJobFactor", Integer.toString(partition.priorityJobFactor()));
    line.put("OverSubscribe", sharing(partition.sharing()));
    memory(line, "DefMemPer", partition.defaultMemory());
    memory(line, "MaxMemPer", partition.maxMemory());
    Duration over = partition.overTimeLimit();
    line.put("OverTimeLimit", over == null ? "" : minutes(over));
    line.values().removeIf(String::isEmpty);
    return line;
  }

  private static String sharing(Sharing sharing) {
    return switch (sharing.mode()) {
      case NO, EXCLUSIVE -> sharing.mode().name();
      case YES, FORCE -> sharing.mode().name() + ":" + sharing.jobs();
    };
  }

  private static void memory(Map<String, String> line, String prefix, @Nullable MemoryLimit limit) {
    if (limit != null) {
      String suffix = limit.scope() == MemoryLimit.Scope.CPU ? "CPU" : "Node";
      line.put(prefix + suffix, Long.toString(limit.memoryMib()));
    }
  }

  private static String names(List<String> names) {
    return names.isEmpty() ? "ALL" : String.join(",", names);
  }

  private static String minutes(Duration duration) {
    return Long.toString(duration.toMinutes());
  }

  private static String count(int count) {
    return count == Integer.MAX_VALUE ? "UNLIMITED" : Integer.toString(count);
  }

  private static String yes(boolean is) {
    return is ? "yes" : "no";
  }
}
