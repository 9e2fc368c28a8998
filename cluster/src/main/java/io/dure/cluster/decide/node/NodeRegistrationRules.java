package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.decide.administration.AccountingRules;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.SiteRules;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.job.Job;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Nodes coming, going, and saying what they run. */
public final class NodeRegistrationRules {
  private NodeRegistrationRules() {}

  /** A daemon connected: what it really runs is compared with what should run there. */
  public static Reply register(DecisionBuilder draft, Command.RegisterNode command, String name) {
    NodeConfig own = command.dynamic();
    boolean isNew = draft.state().node(name) == null;
    if (isNew && own != null && own.name().equals(name) && !hasRoom(draft, 1)) {
      return draft.refuse(ErrorCode.INVALID_NODE_NAME, "more nodes than MaxNodeCount");
    }
    if (isNew && own != null && own.name().equals(name)) {
      draft.emit(new Event.NodeDefined(own, true, draft.now()));
    }
    NodeRecord before = draft.state().node(name);
    if (before == null) {
      return draft.refuse(
          ErrorCode.INVALID_NODE_NAME, "node " + name + " is not in the configuration");
    }
    draft.emit(new Event.NodeRegistered(name, command.facts(), draft.now()));
    RebootRules.registered(draft, before);
    condition(draft, Objects.requireNonNull(draft.state().node(name)), command.facts());
    ReconcileRules.registered(draft, before, command);
    if (before.condition().isOff()) {
      ControllerScriptRules.arrived(draft, name);
    }
    return draft.done();
  }

  /** Whether there may be so many nodes more. */
  static boolean hasRoom(DecisionBuilder draft, int more) {
    int most = draft.state().settings().rules().maxNodes();
    return most == 0 || draft.state().nodes().size() + more <= most;
  }

  private static void condition(DecisionBuilder draft, NodeRecord before, NodeFacts facts) {
    String shortfall = shortfall(draft.state().settings(), before.config(), facts);
    NodeCondition condition = before.condition();
    if (shortfall != null) {
      NodeConditions.drain(draft, before.name(), shortfall);
      return;
    }
    String reason = condition.reason();
    boolean silence = reason != null && reason.endsWith(NodeConditions.NOT_RESPONDING);
    boolean back =
        switch (draft.state().settings().controller().returnToService()) {
          case NEVER -> false;
          case AFTER_SILENCE -> silence;
          case ALWAYS -> true;
        };
    if (condition.down() && back) {
      NodeConditions.change(draft, before.name(), condition.notDown(withoutSilence(reason)));
    }
  }

  private static @Nullable String withoutSilence(@Nullable String reason) {
    if (reason == null || !reason.endsWith(NodeConditions.NOT_RESPONDING)) {
      return reason;
    }
    int end =
        reason.length()
            - NodeConditions.NOT_RESPONDING.length()
            - NodeConditions.SEPARATOR.length();
    return end <= 0 ? null : reason.substring(0, end);
  }

  private static @Nullable String shortfall(
      ClusterSettings settings, NodeConfig config, NodeFacts facts) {
    if (settings.daemon().configOverrides() || config.parameters().configOverrides()) {
      return null;
    }
    if (facts.cpus() < config.shape().cpus()) {
      return "Low CPUs (reported:" + facts.cpus() + " < configured:" + config.shape().cpus() + ")";
    }
    int percent = settings.rules().nodeMemoryPercent();
    if (facts.memoryMib() * 100 < config.realMemoryMib() * percent) {
      return "Low RealMemory (reported:"
          + facts.memoryMib()
          + " < "
          + percent
          + ".00% of configured:"
          + config.realMemoryMib()
          + ")";
    }
    return gresShortfall(config, facts);
  }

  /** Devices that gres.conf names too few of, or whose files the machine lacks. */
  private static @Nullable String gresShortfall(NodeConfig config, NodeFacts facts) {
    Map<String, Long> configured = new LinkedHashMap<>();
    List<GresCount> written = GresCount.list(config.gres().replaceAll("\\([^)]*\\)", ""));
    for (GresCount one : written == null ? List.<GresCount>of() : written) {
      configured.merge(one.name(), one.count(), Long::sum);
    }
    for (Map.Entry<String, Long> entry : configured.entrySet()) {
      String name = entry.getKey();
      long has = config.resources().count(name, null);
      long there = has;
      for (GresDevice device : config.resources().devices()) {
        boolean lacks = facts.missingDevices().contains(device.nameInReports());
        there -= device.name().equals(name) && lacks ? 1 : 0;
      }
      if (has > 0 && there < entry.getValue()) {
        return "gres/%s count reported lower than configured (%d < %d)"
            .formatted(name, there, entry.getValue());
      }
    }
    return null;
  }

  public static Reply disconnected(DecisionBuilder draft, String name) {
    NodeRecord node = draft.state().node(name);
    if (node != null && node.responding()) {
      draft.emit(new Event.NodeSilent(name, draft.now()));
    }
    return draft.done();
  }

  public static Reply unfit(DecisionBuilder draft, String name, String reason) {
    NodeConditions.drain(draft, name, reason);
    return draft.done();
  }

  /** A new configuration: nodes that left it lose their jobs first. */
  public static Reply configure(DecisionBuilder draft, Command.Configure command) {
    List<PartitionConfig> kept = draft.state().partitions();
    for (NodeRecord node : draft.state().nodes().values()) {
      if (!node.dynamic() && command.config().node(node.name()) == null) {
        for (int jobId : node.shares().keys()) {
          Job job = draft.state().active().get(jobId);
          if (job != null) {
            NodeLossRules.lost(draft, job, node.name());
            // Its daemon may well be there: a job that starts again elsewhere must not live on
            // here.
            draft.effect(
                new Effect.Terminate(
                    node.name(), jobId, job.run(), Effect.TerminationReason.NODE_FAILURE));
          }
        }
      }
    }
    draft.emit(new Event.Configured(command.config(), draft.now()));
    keepPartitions(draft, command, kept);
    if (command.recovery() != Command.Recovery.RECONFIGURE) {
      AccountingRules.resetAtStart(draft);
      return takeOver(draft);
    }
    return draft.done();
  }

  /** Partitions stay as they were changed while running, as far as the site wants it. */
  private static void keepPartitions(
      DecisionBuilder draft, Command.Configure command, List<PartitionConfig> before) {
    boolean whole = command.recovery() == Command.Recovery.START_KEEPING_PARTITIONS;
    SiteRules.KeptPartitions rule =
        command.recovery() == Command.Recovery.RECONFIGURE
            ? command.config().settings().rules().keptPartitions()
            : SiteRules.KeptPartitions.NOTHING;
    for (PartitionConfig partition : before) {
      PartitionConfig next = command.config().partition(partition.name());
      if (whole || rule == SiteRules.KeptPartitions.ALL) {
        draft.emit(new Event.PartitionDefined(partition));
      } else if (rule == SiteRules.KeptPartitions.STATES
          && next != null
          && next.state() != partition.state()) {
        draft.emit(new Event.PartitionDefined(next.withState(partition.state())));
      }
    }
  }

  /** No node is connected yet, and programs of jobs that another controller ran are run again. */
  public static Reply takeOver(DecisionBuilder draft) {
    draft.emit(new Event.ControllerStarted(draft.now()));
    ControllerScriptRules.resume(draft);
    PowerRules.resumePrograms(draft);
    return draft.done();
  }

  /** Names of nodes that exist, or null if one of them does not. */
  static @Nullable List<NodeRecord> find(DecisionBuilder draft, List<String> names) {
    List<NodeRecord> nodes = new ArrayList<>();
    for (String name : names) {
      NodeRecord node = draft.state().node(name);
      if (node == null) {
        return null;
      }
      nodes.add(node);
    }
    return nodes;
  }
}
