package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.NodeRecord;
import io.dure.model.ErrorCode;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.job.Job;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Switching nodes off while nobody wants them, and on again for jobs. A job that gets a node that
 * is off waits there, configuring, until the node's daemon calls.
 */
public final class PowerRules {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private PowerRules() {}

  /** What the passing of time brings. */
  public static void tick(DecisionBuilder draft) {
    PowerSettings power = draft.state().settings().power();
    if (!power.isEnabled()) {
      forget(draft);
      return;
    }
    PowerTimes times = PowerTimes.of(draft.state());
    overdue(draft, times);
    List<NodeRecord> idle = new IdleNodes(draft.state(), times, draft.now()).toSuspend();
    int allowed = allowance(draft, power.suspendRate(), false);
    suspend(draft, times, idle.subList(0, Math.min(allowed, idle.size())));
    wake(draft);
  }

  /** Nodes are not switched off and on any more: they are where they should be, or silent. */
  private static void forget(DecisionBuilder draft) {
    for (NodeRecord node : draft.state().nodes().values()) {
      NodeLife.Away away = node.condition().away();
      if (away instanceof NodeLife.PoweredDown
          || away instanceof NodeLife.PoweringUp
          || away instanceof NodeLife.PoweringDown) {
        place(draft, node, null);
        ControllerScriptRules.arrived(draft, node.name());
      }
    }
  }

  private static void place(DecisionBuilder draft, NodeRecord node, NodeLife.@Nullable Away where) {
    NodeConditions.change(draft, node.name(), node.condition().withAway(where));
  }

  private static void overdue(DecisionBuilder draft, PowerTimes times) {
    List<String> failed = new ArrayList<>();
    List<NodeRecord> free = new ArrayList<>();
    for (NodeRecord node : draft.state().nodes().values()) {
      if (node.condition().away() instanceof NodeLife.PoweringUp(Instant until, _)
          && !draft.now().isBefore(until)) {
        NodeCondition late = node.condition().withAway(new NodeLife.PoweredDown(draft.now()));
        NodeConditions.down(draft, node, late.asDown("ResumeTimeout reached", 0, draft.now()));
        failed.add(node.name());
      } else if (node.condition().away()
          instanceof NodeLife.PoweringDown(Instant until, Instant since)) {
        if (until != null && !draft.now().isBefore(until)) {
          place(draft, node, new NodeLife.PoweredDown(since));
        } else if (until == null && node.shares().isEmpty()) {
          free.add(node);
        }
      }
    }
    suspend(draft, times, free);
    if (!failed.isEmpty() && !draft.state().settings().power().resumeFailProgram().isEmpty()) {
      draft.effect(new Effect.SwitchPower(Effect.PowerAction.RESUME_FAILED, failed));
    }
  }

  private static void suspend(DecisionBuilder draft, PowerTimes times, List<NodeRecord> nodes) {
    List<String> names = new ArrayList<>();
    for (NodeRecord node : nodes) {
      Instant until = draft.now().plus(times.suspendTimeout(node.name()));
      NodeLife.Away off = new NodeLife.PoweringDown(until, draft.now());
      boolean forgiven = draft.state().settings().rules().goodOnSuspend();
      NodeCondition now = forgiven ? NodeCondition.GOOD : node.condition();
      NodeConditions.change(draft, node.name(), now.withAway(off));
      names.add(node.name());
    }
    if (!names.isEmpty()) {
      draft.effect(new Effect.SwitchPower(Effect.PowerAction.SUSPEND, names));
    }
  }

  /** Switches on what jobs wait for, as many as may be at a time. */
  public static void wake(DecisionBuilder draft) {
    PowerSettings power = draft.state().settings().power();
    if (!power.isEnabled()) {
      return;
    }
    List<NodeRecord> wanted = new ArrayList<>();
    for (NodeRecord node : draft.state().nodes().values()) {
      if (node.condition().away() instanceof NodeLife.PoweredDown
          && !node.condition().down()
          && !node.shares().isEmpty()) {
        wanted.add(node);
      }
    }
    if (!wanted.isEmpty()) {
      int allowed = Math.min(allowance(draft, power.resumeRate(), true), mayBeOn(draft));
      resume(draft, wanted.subList(0, Math.min(allowed, wanted.size())));
    }
  }

  /** How many nodes more may be on. */
  private static int mayBeOn(DecisionBuilder draft) {
    int most = draft.state().settings().rules().maxPoweredNodes();
    if (most == 0) {
      return Integer.MAX_VALUE;
    }
    int on = 0;
    for (NodeRecord node : draft.state().nodes().values()) {
      on += node.condition().away() instanceof NodeLife.PoweredDown ? 0 : 1;
    }
    return Math.max(0, most - on);
  }

  private static void resume(DecisionBuilder draft, List<NodeRecord> nodes) {
    PowerTimes times = PowerTimes.of(draft.state());
    List<String> names = new ArrayList<>();
    for (NodeRecord node : nodes) {
      Instant until = draft.now().plus(times.resumeTimeout(node.name()));
      boolean there = node.responding();
      place(draft, node, there ? null : new NodeLife.PoweringUp(until, draft.now()));
      names.add(node.name());
    }
    if (!names.isEmpty()) {
      draft.effect(new Effect.SwitchPower(Effect.PowerAction.RESUME, names));
    }
    names.forEach(name -> ControllerScriptRules.arrived(draft, name));
  }

  /** How many nodes may be switched now; those of the last minute count. */
  private static int allowance(DecisionBuilder draft, int rate, boolean on) {
    if (rate == 0) {
      return Integer.MAX_VALUE;
    }
    Instant minuteAgo = draft.now().minus(MINUTE);
    int begun = 0;
    for (NodeRecord node : draft.state().nodes().values()) {
      Instant since = on ? switchedOn(node) : switchedOff(node);
      begun += since != null && since.isAfter(minuteAgo) ? 1 : 0;
    }
    return Math.max(0, rate - begun);
  }

  private static @Nullable Instant switchedOn(NodeRecord node) {
    return node.condition().away() instanceof NodeLife.PoweringUp(_, Instant since) ? since : null;
  }

  private static @Nullable Instant switchedOff(NodeRecord node) {
    return switch (node.condition().away()) {
      case NodeLife.PoweringDown(Instant until, Instant since) -> until == null ? null : since;
      case NodeLife.PoweredDown(Instant since) -> since;
      case null -> null;
      case NodeLife.PoweringUp _, NodeLife.Rebooting _, NodeLife.Lent _ -> null;
    };
  }

  /**
   * The programs that a controller that is gone may not have begun are run. Nodes may have come up
   * while no controller was there: each has the whole ResumeTimeout to call.
   */
  static void resumePrograms(DecisionBuilder draft) {
    if (!draft.state().settings().power().isEnabled()) {
      return;
    }
    PowerTimes times = PowerTimes.of(draft.state());
    List<String> off = new ArrayList<>();
    List<String> on = new ArrayList<>();
    for (NodeRecord node : draft.state().nodes().values()) {
      if (node.condition().away() instanceof NodeLife.PoweringUp(Instant until, Instant since)) {
        Instant whole = draft.now().plus(times.resumeTimeout(node.name()));
        if (until.isBefore(whole)) {
          place(draft, node, new NodeLife.PoweringUp(whole, since));
        }
        on.add(node.name());
      } else if (node.condition().away() instanceof NodeLife.PoweringDown(Instant until, _)
          && until != null) {
        off.add(node.name());
      }
    }
    if (!off.isEmpty()) {
      draft.effect(new Effect.SwitchPower(Effect.PowerAction.SUSPEND, off));
    }
    if (!on.isEmpty()) {
      draft.effect(new Effect.SwitchPower(Effect.PowerAction.RESUME, on));
    }
  }

  /** What an operator asks for: {@code POWER_UP}, {@code POWER_DOWN} and its forms. */
  static @Nullable Reply ordered(DecisionBuilder draft, NodeRecord node, String word) {
    if (!draft.state().settings().power().isEnabled()) {
      return draft.refuse(
          ErrorCode.NOT_SUPPORTED,
          "SuspendProgram and ResumeProgram are not configured: nodes are always on");
    }
    NodeLife.Away away = node.condition().away();
    boolean off = node.condition().isBeingSwitchedOff();
    if (word.equals("POWER_UP")) {
      if (off) {
        return draft.refuse(ErrorCode.INVALID_NODE_STATE, node.name() + " is being switched off");
      }
      if (away instanceof NodeLife.PoweringDown) {
        place(draft, node, null);
      } else if (away instanceof NodeLife.PoweredDown) {
        resume(draft, List.of(node));
      }
      return null;
    }
    if (off || away instanceof NodeLife.PoweredDown && node.shares().isEmpty()) {
      return null;
    }
    if (word.equals("POWER_DOWN_FORCE")) {
      force(draft, node);
    } else if (node.condition().isOff() && !node.shares().isEmpty()) {
      return draft.refuse(
          ErrorCode.INVALID_NODE_STATE,
          node.name() + " is being switched on for jobs, which POWER_DOWN_FORCE ends");
    } else if (node.shares().isEmpty()) {
      suspend(draft, PowerTimes.of(draft.state()), List.of(node));
    } else {
      place(draft, node, new NodeLife.PoweringDown(null, draft.now()));
    }
    return null;
  }

  private static void force(DecisionBuilder draft, NodeRecord node) {
    for (int jobId : node.shares().keys()) {
      Job job = draft.state().active().get(jobId);
      if (job != null) {
        NodeLossRules.lost(draft, job, node.name());
        draft.effect(
            new Effect.Terminate(
                node.name(), jobId, job.run(), Effect.TerminationReason.NODE_FAILURE));
      }
    }
    NodeRecord now = draft.state().node(node.name());
    if (now != null) {
      NodeConditions.change(draft, now.name(), NodeCondition.GOOD.withAway(now.condition().away()));
      suspend(draft, PowerTimes.of(draft.state()), List.of(draft.state().node(node.name())));
    }
  }
}
