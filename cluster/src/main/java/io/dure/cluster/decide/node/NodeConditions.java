package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.model.command.Effect;
import io.dure.model.job.Job;
import io.dure.model.node.NodeCondition;

/** Draining nodes and setting them down, whatever the cause. */
public final class NodeConditions {
  /** The reason of a node that is down for its silence. */
  static final String NOT_RESPONDING = "Not responding";

  /** Between two reasons. */
  static final String SEPARATOR = "; ";

  private NodeConditions() {}

  /** Takes a node out of service for new jobs, unless it is already. */
  static void drain(DecisionBuilder draft, String name, String reason) {
    NodeRecord node = draft.state().node(name);
    if (node != null && !node.condition().drain()) {
      change(draft, name, node.condition().asDrained(reason, 0, draft.now()));
    }
  }

  /** Sets a node down for its silence; other reasons against it stay on record. */
  public static void silent(DecisionBuilder draft, NodeRecord node) {
    NodeCondition now = node.condition();
    String before = now.reason();
    down(
        draft,
        node,
        before == null
            ? now.asDown(NOT_RESPONDING, 0, draft.now())
            : now.asDown(
                before.endsWith(NOT_RESPONDING) ? before : before + SEPARATOR + NOT_RESPONDING,
                now.reasonUid(),
                now.reasonTime()));
  }

  /** Sets a node down and ends what ran there. */
  static void down(DecisionBuilder draft, NodeRecord node, NodeCondition condition) {
    change(draft, node.name(), condition);
    for (int jobId : node.shares().keys()) {
      Job job = draft.state().active().get(jobId);
      if (job != null) {
        NodeLossRules.lost(draft, job, node.name());
        // Should the daemon be there after all, nothing of the job may live on.
        draft.effect(
            new Effect.Terminate(
                node.name(), jobId, job.run(), Effect.TerminationReason.NODE_FAILURE));
      }
    }
  }

  static void change(DecisionBuilder draft, String name, NodeCondition condition) {
    NodeRecord node = draft.state().node(name);
    if (node != null && !node.condition().equals(condition)) {
      draft.emit(new Event.NodeConditionChanged(name, condition, draft.now()));
    }
  }
}
