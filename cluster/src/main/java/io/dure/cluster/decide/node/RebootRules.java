package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.NodeRecord;
import io.dure.model.ErrorCode;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterSettings;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Booting nodes when an operator says so, once no job is there. */
public final class RebootRules {
  private static final String ISSUED = "reboot issued";
  private static final String COMPLETE = "reboot complete";

  private RebootRules() {}

  /** {@code scontrol reboot}: at once, or as soon as the node's jobs are over. */
  static @Nullable Reply ordered(
      DecisionBuilder draft, NodeRecord node, Map<String, String> keys, int uid) {
    if (!isConfigured(draft.state().settings())) {
      return draft.refuse(ErrorCode.NOT_SUPPORTED, "RebootProgram is not configured");
    }
    NodeCondition now = node.condition();
    if (now.away() instanceof NodeLife.Rebooting) {
      return null;
    }
    if (now.away() != null) {
      return draft.refuse(
          ErrorCode.INVALID_NODE_STATE, node.name() + " is off, or its power is being switched");
    }
    boolean asap = "REBOOT_ASAP".equals(keys.get("state"));
    NodeLife.AfterBoot next = next(keys.get("nextstate"));
    if (next == null) {
      return draft.refuse(ErrorCode.INVALID_NODE_STATE, "nextstate is RESUME or DOWN");
    }
    String reason = keys.get("reason");
    String because = reason == null && asap ? "Reboot ASAP" : reason;
    boolean drains = asap && !now.drain();
    NodeCondition asked = now.withAway(new NodeLife.Rebooting(null, drains, next));
    if (drains) {
      asked = asked.asDrained(because, uid, draft.now());
    } else if (because != null) {
      asked = asked.because(because, uid, draft.now());
    }
    NodeConditions.change(draft, node.name(), asked);
    issue(draft, node.name());
    return null;
  }

  private static NodeLife.@Nullable AfterBoot next(@Nullable String word) {
    return switch (word) {
      case null -> NodeLife.AfterBoot.AS_BEFORE;
      case "RESUME" -> NodeLife.AfterBoot.RESUME;
      case "DOWN" -> NodeLife.AfterBoot.DOWN;
      default -> null;
    };
  }

  private static boolean isConfigured(ClusterSettings settings) {
    return !settings.daemon().rebootProgram().isEmpty();
  }

  /** {@code scontrol cancel_reboot}: as long as the node has not been told. */
  static @Nullable Reply cancelled(DecisionBuilder draft, NodeRecord node) {
    if (!(node.condition().away() instanceof NodeLife.Rebooting asked)) {
      return draft.refuse(ErrorCode.INVALID_NODE_STATE, node.name() + " is not to be booted");
    }
    if (asked.until() != null) {
      return draft.refuse(ErrorCode.INVALID_NODE_STATE, node.name() + " has been told to boot");
    }
    NodeCondition back = node.condition().present();
    NodeConditions.change(draft, node.name(), asked.drained() ? back.notDrained(null) : back);
    return null;
  }

  /** Nodes whose jobs are over are told, and those that do not come back are down. */
  public static void tick(DecisionBuilder draft) {
    for (NodeRecord node : draft.state().nodes().values()) {
      if (node.condition().away() instanceof NodeLife.Rebooting reboot) {
        if (reboot.until() == null) {
          issue(draft, node.name());
        } else if (!draft.now().isBefore(reboot.until())) {
          NodeCondition late = node.condition().present();
          NodeConditions.down(draft, node, late.asDown("reboot timed out", 0, draft.now()));
        }
      }
    }
  }

  private static void issue(DecisionBuilder draft, String name) {
    NodeRecord node = draft.state().node(name);
    if (node == null
        || !node.shares().isEmpty()
        || !node.responding()
        || !(node.condition().away() instanceof NodeLife.Rebooting asked)) {
      return;
    }
    String reason = node.condition().reason();
    issue(
        draft,
        node,
        new NodeLife.Rebooting(null, asked.drained(), asked.next()),
        reason == null ? ISSUED : reason + " : " + ISSUED);
  }

  private static void issue(
      DecisionBuilder draft, NodeRecord node, NodeLife.Rebooting how, String reason) {
    NodeLife.Rebooting told =
        new NodeLife.Rebooting(
            draft.now().plus(PowerTimes.of(draft.state()).resumeTimeout(node.name())),
            how.drained(),
            how.next());
    NodeCondition now = node.condition();
    NodeConditions.change(
        draft, node.name(), now.withAway(told).because(reason, now.reasonUid(), draft.now()));
    draft.effect(new Effect.Reboot(node.name()));
  }

  /** A node's daemon has called: a boot that it was told of is over. */
  static void registered(DecisionBuilder draft, NodeRecord before) {
    NodeRecord node = draft.state().node(before.name());
    if (node == null
        || node.condition().away() != null
        || !(before.condition().away() instanceof NodeLife.Rebooting reboot)) {
      return;
    }
    NodeCondition now = node.condition();
    NodeConditions.change(
        draft,
        node.name(),
        switch (reboot.next()) {
          case DOWN -> now.asDown(COMPLETE, 0, draft.now());
          case RESUME -> now.good();
          case AS_BEFORE ->
              now.drain() && !reboot.drained() || now.fail()
                  ? now.notDown(now.reason())
                  : now.good();
        });
  }
}
