package io.dure.surface.scontrol;

import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.command.Command;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes and creates partitions: reads what is there, changes the copy, sends the whole. */
final class PartitionUpdate {

  private static final String CREATING = "Error creating the partition";

  /** What is not set here; of what comes with GPUs JobDefaults is. */
  private static final List<String> FIXED =
      List.of("PartitionName", "DefCpuPerGPU", "DefMemPerGPU");

  private static final String LOAD = "slurm_load_partitions error";

  private final UpdatePort port;

  PartitionUpdate(UpdatePort port) {
    this.port = port;
  }

  void change(String name, List<KeyValue> settings) throws CommandException {
    if (settings.isEmpty()) {
      throw UpdateErrors.noChange();
    }
    checkKeys(settings);
    Response.Cluster cluster = load();
    PartitionConfig before = find(cluster, name);
    if (before == null) {
      throw CommandException.plain(
          "slurm_update error: " + ErrorCode.INVALID_PARTITION_NAME.text());
    }
    PartitionConfig after = edited(cluster, before, name, settings, "slurm_update error");
    port.update(new Command.ChangePartition(after, false));
  }

  void create(String name, List<KeyValue> settings) throws CommandException {
    checkKeys(settings);
    PartitionConfig partition = edited(load(), null, name, settings, CREATING);
    port.request(CREATING, new Command.ChangePartition(partition, true));
  }

  /** What cannot be read is refused before anything is asked of the controller. */
  private static void checkKeys(List<KeyValue> settings) throws CommandException {
    for (KeyValue setting : settings) {
      key(setting);
    }
  }

  private static String key(KeyValue setting) throws CommandException {
    if (setting.value() == null) {
      throw UpdateErrors.input(setting.word());
    }
    String key = SlurmConfParser.partitionKey(setting.key());
    if (key == null || FIXED.contains(key)) {
      throw UpdateErrors.unknown(setting.word());
    }
    return key;
  }

  private PartitionConfig edited(
      Response.Cluster cluster,
      @Nullable PartitionConfig before,
      String name,
      List<KeyValue> settings,
      String failure)
      throws CommandException {
    List<NodeConfig> nodes = cluster.nodes().stream().map(NodeInfo::config).toList();
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("PartitionName", name);
    for (KeyValue setting : settings) {
      String key = key(setting);
      keys.put(key, key.equals("Nodes") ? members(before, setting) : setting.text());
    }
    SlurmConfParser.Edited<PartitionConfig> edited = SlurmConfParser.partition(before, keys, nodes);
    for (ConfigDiagnostic error : edited.errors()) {
      if (error.key().equals("JobDefaults")) {
        throw CommandException.plain(failure + ": " + error.message());
      }
    }
    if (!edited.errors().isEmpty() || edited.results().isEmpty()) {
      throw NodeUpdate.refusal(edited.errors());
    }
    for (ConfigDiagnostic finding : edited.findings()) {
      if (keys.containsKey(finding.key())) {
        String text = finding.key() + ": " + finding.message();
        port.report(StderrMessage.warning(text));
      }
    }
    return edited.results().getFirst();
  }

  /** {@code Nodes+=n5} and {@code Nodes=+n5} add to those that are there, a minus takes away. */
  private static String members(@Nullable PartitionConfig before, KeyValue setting)
      throws CommandException {
    String text = setting.text();
    char sign = setting.operator();
    if (sign == '\0' && (text.startsWith("+") || text.startsWith("-"))) {
      sign = text.charAt(0);
      text = text.substring(1);
    }
    if (sign == '\0' || before == null) {
      return text;
    }
    List<String> members = new ArrayList<>(before.nodes());
    List<String> named = new KeyValue(setting.word(), setting.key(), '\0', text).hosts();
    if (sign == '+') {
      members.addAll(named);
    } else {
      members.removeAll(named);
    }
    return HostList.compress(members);
  }

  private Response.Cluster load() throws CommandException {
    return port.cluster(LOAD, Response.Cluster.PARTITIONS);
  }

  private static @Nullable PartitionConfig find(Response.Cluster cluster, String name) {
    for (PartitionConfig partition : cluster.partitions()) {
      if (partition.name().equals(name)) {
        return partition;
      }
    }
    return null;
  }
}
