package io.dure.cluster.decide.node;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.topology.NodePlaces;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeNotes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code scontrol update / create / delete nodename}. */
public final class NodeAdminRules {
  private NodeAdminRules() {}

  public static Reply update(
      DecisionBuilder draft, Command.UpdateNodes command, Caller.User caller) {
    if (!caller.operator()) {
      return draft.refuse(ErrorCode.USER_ID_MISSING);
    }
    List<NodeRecord> nodes = NodeRegistrationRules.find(draft, command.nodes());
    if (nodes == null) {
      return draft.refuse(ErrorCode.INVALID_NODE_NAME);
    }
    for (NodeRecord node : nodes) {
      Reply refusal = update(draft, node, command.keys(), caller.identity().uid());
      if (refusal != null) {
        return refusal;
      }
    }
    Reply refusal = places(draft, nodes, command.keys());
    return refusal == null ? draft.done() : refusal;
  }

  /** New addresses and host names, one for each of the nodes. */
  private static @Nullable Reply places(
      DecisionBuilder draft, List<NodeRecord> nodes, Map<String, String> keys) {
    for (String key : List.of("nodeaddr", "nodehostname")) {
      String text = keys.get(key);
      if (text == null) {
        continue;
      }
      List<String> places;
      try {
        places = HostList.expand(text);
      } catch (HostListException e) {
        return draft.refuse(ErrorCode.INVALID_NODE_NAME, "no list of names: " + text);
      }
      if (places.size() != nodes.size()) {
        return draft.refuse(
            ErrorCode.INVALID_NODE_NAME,
            key + " names " + places.size() + " for " + nodes.size() + " nodes");
      }
      for (int i = 0; i < places.size(); i++) {
        NodeConfig config = now(draft, nodes.get(i));
        boolean address = key.equals("nodeaddr");
        define(
            draft,
            nodes.get(i),
            address ? config.withAddress(places.get(i)) : config.withHostName(places.get(i)));
      }
    }
    return null;
  }

  private static @Nullable Reply update(
      DecisionBuilder draft, NodeRecord node, Map<String, String> keys, int uid) {
    String reason = keys.get("reason");
    for (Map.Entry<String, String> entry : keys.entrySet()) {
      Reply refusal =
          switch (entry.getKey()) {
            case "state" ->
                entry.getValue().startsWith("REBOOT")
                    ? RebootRules.ordered(draft, node, keys, uid)
                    : state(draft, node, entry.getValue(), reason, uid);
            case "nextstate" -> null;
            case "reason" -> keys.containsKey("state") ? null : reason(draft, node, reason, uid);
            case "weight" -> weight(draft, node, entry.getValue());
            // both together, once the rest is done
            case "availablefeatures", "activefeatures" -> null;
            case "comment", "extra", "instanceid", "instancetype" ->
                note(draft, node, entry.getKey(), entry.getValue());
            case "topology" -> topology(draft, node, entry.getValue());
            // all nodes together, once the rest is done
            case "nodeaddr", "nodehostname" -> null;
            default ->
                draft.refuse(
                    ErrorCode.NOT_SUPPORTED,
                    "node setting " + entry.getKey() + " cannot be changed here");
          };
      if (refusal != null) {
        return refusal;
      }
    }
    return features(draft, node, keys);
  }

  private static @Nullable Reply state(
      DecisionBuilder draft, NodeRecord node, String word, @Nullable String reason, int uid) {
    NodeCondition now = node.condition();
    String because = reason == null ? now.reason() : reason;
    switch (word.toUpperCase(Locale.ROOT)) {
      case "DOWN" -> {
        if (reason == null) {
          return draft.refuse(ErrorCode.NODE_REASON_MISSING);
        }
        NodeConditions.down(draft, node, now.asDown(reason, uid, draft.now()));
      }
      case "DRAIN" -> {
        if (reason == null) {
          return draft.refuse(ErrorCode.NODE_REASON_MISSING);
        }
        set(draft, node, now.asDrained(reason, uid, draft.now()));
      }
      case "FAIL" -> {
        if (reason == null) {
          return draft.refuse(ErrorCode.NODE_REASON_MISSING);
        }
        set(draft, node, now.asFailing(reason, uid, draft.now()));
      }
      case "RESUME", "IDLE" -> set(draft, node, now.good());
      case "UNDRAIN" -> set(draft, node, now.notDrained(because));
      case "POWER_UP", "POWER_DOWN", "POWER_DOWN_ASAP", "POWER_DOWN_FORCE" -> {
        return PowerRules.ordered(draft, node, word.toUpperCase(Locale.ROOT));
      }
      case "CANCEL_REBOOT" -> {
        return RebootRules.cancelled(draft, node);
      }
      case "NORESP" -> NodeRegistrationRules.disconnected(draft, node.name());
      default -> {
        return draft.refuse(ErrorCode.INVALID_NODE_STATE);
      }
    }
    return null;
  }

  private static void set(DecisionBuilder draft, NodeRecord node, NodeCondition condition) {
    NodeConditions.change(draft, node.name(), condition);
  }

  private static @Nullable Reply reason(
      DecisionBuilder draft, NodeRecord node, @Nullable String reason, int uid) {
    set(draft, node, node.condition().because(reason, uid, draft.now()));
    return null;
  }

  private static @Nullable Reply weight(DecisionBuilder draft, NodeRecord node, String value) {
    try {
      define(draft, node, now(draft, node).withWeight(Long.parseLong(value)));
      return null;
    } catch (NumberFormatException e) {
      return draft.refuse(ErrorCode.BAD_INPUT, "weight is not a number: " + value);
    }
  }

  /**
   * The features that a node could have and, of them, those that it has now. A node that has none
   * now gets all those that it could have.
   */
  private static @Nullable Reply features(
      DecisionBuilder draft, NodeRecord node, Map<String, String> keys) {
    String available = keys.get("availablefeatures");
    String active = keys.get("activefeatures");
    if (available == null && active == null) {
      return null;
    }
    NodeConfig now = now(draft, node);
    List<String> possible = available == null ? now.availableFeatures() : words(available);
    List<String> features = active == null ? now.features() : words(active);
    if (active == null && features.isEmpty()) {
      features = possible;
    }
    if (!possible.containsAll(features)) {
      return draft.refuse(ErrorCode.ACTIVE_FEATURES);
    }
    boolean all = features.equals(possible);
    define(
        draft, node, now.with().features(features).possibleFeatures(all ? null : possible).build());
    return null;
  }

  private static List<String> words(String value) {
    return value.isEmpty() ? List.of() : List.of(value.split(","));
  }

  private static @Nullable Reply topology(DecisionBuilder draft, NodeRecord node, String value) {
    String fault = fault(draft, value);
    if (fault != null) {
      return draft.refuse(ErrorCode.BAD_INPUT, fault);
    }
    define(draft, node, now(draft, node).withTopology(value));
    return null;
  }

  private static @Nullable String fault(DecisionBuilder draft, String topology) {
    ClusterState state = draft.state();
    return new NodePlaces.Networks(state.topology(), state.topologies()).fault(topology);
  }

  private static @Nullable Reply note(
      DecisionBuilder draft, NodeRecord node, String key, String value) {
    NodeNotes notes = now(draft, node).notes();
    NodeNotes next =
        switch (key) {
          case "comment" ->
              new NodeNotes(value, notes.extra(), notes.instanceId(), notes.instanceType());
          case "extra" ->
              new NodeNotes(notes.comment(), value, notes.instanceId(), notes.instanceType());
          case "instanceid" ->
              new NodeNotes(notes.comment(), notes.extra(), value, notes.instanceType());
          default -> new NodeNotes(notes.comment(), notes.extra(), notes.instanceId(), value);
        };
    define(draft, node, now(draft, node).withNotes(next));
    return null;
  }

  /** How the node is described once the settings before this one are done. */
  private static NodeConfig now(DecisionBuilder draft, NodeRecord node) {
    NodeRecord now = draft.state().node(node.name());
    return now == null ? node.config() : now.config();
  }

  private static void define(DecisionBuilder draft, NodeRecord node, NodeConfig config) {
    draft.emit(new Event.NodeDefined(config, node.dynamic(), draft.now()));
  }

  public static Reply create(
      DecisionBuilder draft, Command.CreateNodes command, Caller.User caller) {
    if (!caller.operator()) {
      return draft.refuse(ErrorCode.USER_ID_MISSING);
    }
    for (NodeConfig node : command.nodes()) {
      if (draft.state().node(node.name()) != null) {
        return draft.refuse(ErrorCode.INVALID_NODE_NAME, "node " + node.name() + " exists");
      }
      String fault = fault(draft, node.topology());
      if (fault != null) {
        return draft.refuse(ErrorCode.BAD_INPUT, fault);
      }
    }
    if (!NodeRegistrationRules.hasRoom(draft, command.nodes().size())) {
      return draft.refuse(ErrorCode.INVALID_NODE_NAME, "more nodes than MaxNodeCount");
    }
    for (NodeConfig node : command.nodes()) {
      draft.emit(new Event.NodeDefined(node, true, draft.now()));
    }
    return draft.done();
  }

  public static Reply delete(
      DecisionBuilder draft, Command.DeleteNodes command, Caller.User caller) {
    if (!caller.operator()) {
      return draft.refuse(ErrorCode.USER_ID_MISSING);
    }
    List<NodeRecord> nodes = NodeRegistrationRules.find(draft, command.nodes());
    if (nodes == null) {
      return draft.refuse(ErrorCode.INVALID_NODE_NAME);
    }
    for (NodeRecord node : nodes) {
      if (!node.dynamic()) {
        return draft.refuse(
            ErrorCode.NODE_IN_USE, "node " + node.name() + " is defined in slurm.conf");
      }
      if (!node.shares().isEmpty()) {
        return draft.refuse(ErrorCode.NODE_IN_USE, "node " + node.name() + " has jobs");
      }
    }
    for (NodeRecord node : nodes) {
      draft.emit(new Event.NodeDeleted(node.name(), draft.now()));
    }
    return draft.done();
  }
}
