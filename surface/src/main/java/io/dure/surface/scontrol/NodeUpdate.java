package io.dure.surface.scontrol;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.scontrol.AbbreviationTable.Entry;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes and creates nodes. */
final class NodeUpdate {

  private static final int DEFAULT_PORT = 6818;

  private static final AbbreviationTable<String> KEYS =
      new AbbreviationTable<>(
          List.of(
              new Entry<>("activefeatures", 3, "activefeatures"),
              new Entry<>("availablefeatures", 3, "availablefeatures"),
              new Entry<>("certtoken", 2, "certtoken"),
              new Entry<>("comment", 2, "comment"),
              new Entry<>("cpubind", 2, "cpubind"),
              new Entry<>("extra", 1, "extra"),
              new Entry<>("features", 1, "availablefeatures"),
              new Entry<>("gres", 1, "gres"),
              new Entry<>("instanceid", 9, "instanceid"),
              new Entry<>("instancetype", 9, "instancetype"),
              new Entry<>("nodeaddr", 5, "nodeaddr"),
              new Entry<>("nodehostname", 5, "nodehostname"),
              new Entry<>("reason", 1, "reason"),
              new Entry<>("resumeafter", 3, "resumeafter"),
              new Entry<>("state", 1, "state"),
              new Entry<>("topology", 1, "topology"),
              new Entry<>("weight", 1, "weight")));

  private static final AbbreviationTable<String> STATES =
      new AbbreviationTable<>(
          List.of(
              new Entry<>("noresp", 3, "NoResp"),
              new Entry<>("cancel_reboot", 3, "CANCEL_REBOOT"),
              new Entry<>("drain", 3, "DRAIN"),
              new Entry<>("fail", 3, "FAIL"),
              new Entry<>("future", 3, "FUTURE"),
              new Entry<>("resume", 3, "RESUME"),
              new Entry<>("power_down", 7, "POWER_DOWN"),
              new Entry<>("power_down_asap", 12, "POWER_DOWN_ASAP"),
              new Entry<>("power_down_force", 12, "POWER_DOWN_FORCE"),
              new Entry<>("power_up", 7, "POWER_UP"),
              new Entry<>("undrain", 3, "UNDRAIN"),
              new Entry<>("down", 2, "DOWN"),
              new Entry<>("idle", 2, "IDLE")));

  /** The states of nodes that may come later than the controller's start. */
  private static final Set<NodeConfig.State> CREATED =
      EnumSet.of(NodeConfig.State.FUTURE, NodeConfig.State.CLOUD, NodeConfig.State.EXTERNAL);

  private final UpdatePort port;

  NodeUpdate(UpdatePort port) {
    this.port = port;
  }

  /** Changes the nodes of the list, {@code ALL} for all. */
  void run(String nodes, List<KeyValue> settings) throws CommandException {
    Map<String, String> keys = new LinkedHashMap<>();
    for (KeyValue setting : settings) {
      String key = KEYS.find(setting.key());
      if (setting.value() == null) {
        throw UpdateErrors.input(setting.word());
      }
      if (key == null) {
        throw UpdateErrors.unknown(setting.word());
      }
      if (key.equals("weight")) {
        checkWeight(setting.text());
      }
      keys.put(key, key.equals("state") ? state(setting) : setting.text());
    }
    if (keys.isEmpty()) {
      throw UpdateErrors.noChange();
    }
    if (needsReason(keys.get("state")) && !keys.containsKey("reason")) {
      throw CommandException.plain(
          "You must specify a reason when DOWNING or DRAINING a node. Request denied");
    }
    port.update(new Command.UpdateNodes(names(nodes), keys));
  }

  /** Has the nodes of the list booted. */
  void reboot(String nodes, Map<String, String> keys) throws CommandException {
    port.request("scontrol_reboot_nodes error", new Command.UpdateNodes(names(nodes), keys));
  }

  private static void checkWeight(String text) throws CommandException {
    boolean number = text.matches("-?[0-9]+");
    if (!number || text.startsWith("-")) {
      throw CommandException.error(
              "Weight value ("
                  + text
                  + ") is "
                  + (number ? "less than zero" : "not a valid number"))
          .and(StderrMessage.plain("No changes specified"));
    }
  }

  private static boolean needsReason(@Nullable String state) {
    return state != null && (state.equals("DOWN") || state.equals("DRAIN") || state.equals("FAIL"));
  }

  private static String state(KeyValue setting) throws CommandException {
    String state = STATES.find(setting.text());
    if (state == null) {
      throw CommandException.plain(
          "Invalid input: " + setting.word(),
          "Request aborted",
          "Valid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN",
          "Not all states are valid given a node's prior state");
    }
    return state;
  }

  private List<String> names(String nodes) throws CommandException {
    if (!nodes.equalsIgnoreCase("ALL")) {
      return KeyValue.parse("NodeName=" + nodes).hosts();
    }
    String prefix = "slurm_load_node error";
    Response.Cluster cluster = port.cluster(prefix, Response.Cluster.NODES);
    return cluster.nodes().stream().map(node -> node.config().name()).toList();
  }

  /** Creates nodes as a line of the configuration describes them. */
  void create(String nodes, List<KeyValue> settings) throws CommandException {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("NodeName", nodes);
    for (KeyValue setting : settings) {
      String key = SlurmConfParser.nodeKey(setting.key());
      if (setting.value() == null || key == null) {
        throw UpdateErrors.input(setting.word());
      }
      keys.put(key, setting.text());
    }
    SlurmConfParser.Edited<NodeConfig> edited = SlurmConfParser.nodes(keys, DEFAULT_PORT);
    if (!edited.errors().isEmpty()) {
      throw refusal(edited.errors());
    }
    if (edited.results().stream().anyMatch(node -> !CREATED.contains(node.state()))) {
      throw CommandException.error(
              "Only State=FUTURE, State=CLOUD and State=EXTERNAL allowed for nodes created by"
                  + " scontrol")
          .and(
              StderrMessage.plain(
                  "Error creating node(s): " + ErrorCode.INVALID_NODE_STATE.text()));
    }
    port.request("Error creating node(s)", new Command.CreateNodes(edited.results()));
  }

  /** What is wrong with settings by the rules of the configuration. */
  static CommandException refusal(List<ConfigDiagnostic> errors) {
    CommandException failure = CommandException.plain();
    for (ConfigDiagnostic error : errors) {
      failure = failure.and(StderrMessage.error(error.key() + ": " + error.message()));
    }
    return failure.and(StderrMessage.plain("Request aborted"));
  }
}
