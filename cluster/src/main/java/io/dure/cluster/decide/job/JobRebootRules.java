package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.model.command.Caller;
import io.dure.model.command.Effect;
import io.dure.model.job.Allocation;
import io.dure.model.node.NodeLife;
import io.dure.model.request.JobSpec;
import io.dure.model.request.OversubscribeMode;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs that have their nodes booted before they start ({@code --reboot}). */
final class JobRebootRules {
  private static final String OPTION = "reboot";

  private JobRebootRules() {}

  private static boolean isConfigured(DecisionBuilder draft) {
    return !draft.state().settings().daemon().rebootProgram().isEmpty();
  }

  /** A job as it may be: only operators may have nodes booted, and none beside other jobs. */
  static JobSpec allowed(DecisionBuilder draft, JobSpec spec, Caller.User caller) {
    if (!spec.asked().contains(OPTION)) {
      return spec;
    }
    return caller.operator() && isConfigured(draft) ? alone(spec) : without(spec);
  }

  /** A job of which an operator has said whether its nodes are booted; null for nothing said. */
  static JobSpec changed(JobSpec spec, @Nullable Boolean boots) {
    if (boots == null || boots == spec.asked().contains(OPTION)) {
      return spec;
    }
    return boots
        ? alone(spec.withAsked(Stream.concat(spec.asked().stream(), Stream.of(OPTION)).toList()))
        : without(spec);
  }

  private static JobSpec alone(JobSpec spec) {
    return spec.withResources(spec.resources().withSharing(OversubscribeMode.EXCLUSIVE));
  }

  private static JobSpec without(JobSpec spec) {
    return spec.withAsked(spec.asked().stream().filter(one -> !one.equals(OPTION)).toList());
  }

  /** A job starts that wants its nodes booted; it waits for them as for those that are off. */
  static void starts(DecisionBuilder draft, JobSpec spec, Allocation allocation) {
    if (!spec.asked().contains(OPTION) || !isConfigured(draft)) {
      return;
    }
    Instant until = draft.now().plus(draft.state().settings().power().resumeTimeout());
    for (String name : allocation.nodes()) {
      NodeRecord node = draft.state().node(name);
      if (node != null && node.shares().isEmpty() && node.condition().away() == null) {
        NodeLife.Away boots = new NodeLife.Rebooting(until, false, NodeLife.AfterBoot.AS_BEFORE);
        draft.emit(
            new Event.NodeConditionChanged(
                name,
                node.condition().withAway(boots).because("reboot issued", 0, draft.now()),
                draft.now()));
        draft.effect(new Effect.Reboot(name));
      }
    }
  }
}
