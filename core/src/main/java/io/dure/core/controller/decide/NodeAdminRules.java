package io.dure.core.controller.decide;

import io.dure.core.config.NodeConfig;
import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.controller.NodeRecord;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.NodeCondition;
import io.dure.core.model.command.Caller;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code scontrol update / create / delete nodename}. */
final class NodeAdminRules {
  private NodeAdminRules() {}

  static Reply update(Draft draft, Command.UpdateNodes command, Caller.User who) {
    if (!who.operator()) {
      return draft.refuse(ErrorCode.USER_ID_MISSING);
    }
    List<NodeRecord> nodes = NodeRules.find(draft, command.nodes());
    if (nodes == null) {
      return draft.refuse(ErrorCode.INVALID_NODE_NAME);
    }
    for (NodeRecord node : nodes) {
      Reply refusal = update(draft, node, command.keys(), who.identity().uid());
      if (refusal != null) {
        return refusal;
      }
    }
    return draft.done();
  }

  private static @Nullable Reply update(
      Draft draft, NodeRecord node, Map<String, String> keys, int uid) {
    String reason = keys.get("reason");
    for (Map.Entry<String, String> entry : keys.entrySet()) {
      Reply refusal =
          switch (entry.getKey()) {
            case "state" -> state(draft, node, entry.getValue(), reason, uid);
            case "reason" -> keys.containsKey("state") ? null : reason(draft, node, reason, uid);
            case "weight" -> weight(draft, node, entry.getValue());
            case "features", "availablefeatures", "activefeatures" ->
                features(draft, node, entry.getValue());
            default ->
                draft.refuse(
                    ErrorCode.NOT_SUPPORTED,
                    "node setting " + entry.getKey() + " has no effect yet");
          };
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private static @Nullable Reply state(
      Draft draft, NodeRecord node, String word, @Nullable String reason, int uid) {
    NodeCondition now = node.condition();
    String because = reason == null ? now.reason() : reason;
    switch (word.toUpperCase(Locale.ROOT)) {
      case "DOWN" -> {
        if (reason == null) {
          return draft.refuse(ErrorCode.NODE_REASON_MISSING);
        }
        NodeConditions.down(
            draft,
            node,
            new NodeCondition(true, now.drain(), now.fail(), reason, uid, draft.now()));
      }
      case "DRAIN" -> {
        if (reason == null) {
          return draft.refuse(ErrorCode.NODE_REASON_MISSING);
        }
        set(draft, node, new NodeCondition(now.down(), true, now.fail(), reason, uid, draft.now()));
      }
      case "FAIL" -> {
        if (reason == null) {
          return draft.refuse(ErrorCode.NODE_REASON_MISSING);
        }
        set(
            draft,
            node,
            new NodeCondition(now.down(), now.drain(), true, reason, uid, draft.now()));
      }
      case "RESUME", "IDLE" -> set(draft, node, NodeCondition.GOOD);
      case "UNDRAIN" -> {
        boolean good = !now.down() && !now.fail();
        set(
            draft,
            node,
            good
                ? NodeCondition.GOOD
                : new NodeCondition(
                    now.down(), false, now.fail(), because, now.reasonUid(), now.reasonTime()));
      }
      case "NORESP" -> NodeRules.disconnected(draft, node.name());
      default -> {
        return draft.refuse(ErrorCode.INVALID_NODE_STATE);
      }
    }
    return null;
  }

  private static void set(Draft draft, NodeRecord node, NodeCondition condition) {
    NodeConditions.change(draft, node.name(), condition);
  }

  private static @Nullable Reply reason(
      Draft draft, NodeRecord node, @Nullable String reason, int uid) {
    NodeCondition now = node.condition();
    set(
        draft,
        node,
        new NodeCondition(now.down(), now.drain(), now.fail(), reason, uid, draft.now()));
    return null;
  }

  private static @Nullable Reply weight(Draft draft, NodeRecord node, String value) {
    try {
      define(draft, node, node.config().withWeight(Long.parseLong(value)));
      return null;
    } catch (NumberFormatException e) {
      return draft.refuse(ErrorCode.BAD_INPUT, "weight is not a number: " + value);
    }
  }

  private static @Nullable Reply features(Draft draft, NodeRecord node, String value) {
    List<String> features = value.isEmpty() ? List.of() : List.of(value.split(","));
    define(draft, node, node.config().withFeatures(features));
    return null;
  }

  private static void define(Draft draft, NodeRecord node, NodeConfig config) {
    draft.emit(new Event.NodeDefined(config, node.dynamic(), draft.now()));
  }

  static Reply create(Draft draft, Command.CreateNodes command, Caller.User who) {
    if (!who.operator()) {
      return draft.refuse(ErrorCode.USER_ID_MISSING);
    }
    for (NodeConfig node : command.nodes()) {
      if (draft.state().node(node.name()) != null) {
        return draft.refuse(ErrorCode.INVALID_NODE_NAME, "node " + node.name() + " exists");
      }
    }
    for (NodeConfig node : command.nodes()) {
      draft.emit(new Event.NodeDefined(node, true, draft.now()));
    }
    return draft.done();
  }

  static Reply delete(Draft draft, Command.DeleteNodes command, Caller.User who) {
    if (!who.operator()) {
      return draft.refuse(ErrorCode.USER_ID_MISSING);
    }
    List<NodeRecord> nodes = NodeRules.find(draft, command.nodes());
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
      draft.emit(new Event.NodeDeleted(node.name()));
    }
    return draft.done();
  }
}
