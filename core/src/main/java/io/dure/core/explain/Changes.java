package io.dure.core.explain;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.JobChange;
import io.dure.core.controller.JobSelector;
import io.dure.core.controller.Reply;
import io.dure.core.controller.decide.Decider;
import io.dure.core.model.DependencyList;
import io.dure.core.model.Identity;
import io.dure.core.model.Job;
import io.dure.core.model.MemoryRequest;
import io.dure.core.model.Sharing;
import io.dure.core.model.TimeLimit;
import io.dure.core.model.command.Caller;
import io.dure.core.model.gres.GresRequest;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A change of a job being put together, and what comes of asking for one. One thread. */
final class Changes {
  private static final Caller ROOT =
      new Caller.User(new Identity(0, 0, "root", "root"), List.of(), true);

  @Nullable List<String> partitions;
  @Nullable String qos;
  @Nullable TimeLimit limit;
  @Nullable Instant begin;
  @Nullable DependencyList dependency;
  @Nullable Integer throttle;
  @Nullable List<String> reservations;
  @Nullable Integer nodes;
  @Nullable Integer tasks;
  @Nullable Integer cpusPerTask;
  @Nullable MemoryRequest memory;
  @Nullable Sharing sharing;
  @Nullable List<String> requiredNodes;
  @Nullable List<String> excludedNodes;
  @Nullable String features;
  @Nullable Boolean contiguous;
  @Nullable GresRequest gres;
  @Nullable String licenses;

  JobChange change() {
    JobChange.Shape shape =
        new JobChange.Shape(
            nodes,
            nodes,
            tasks,
            cpusPerTask,
            null,
            null,
            memory,
            null,
            sharing,
            requiredNodes,
            excludedNodes,
            features,
            contiguous,
            null,
            gres,
            licenses);
    return new JobChange(
        null,
        partitions,
        null,
        qos,
        null,
        limit,
        null,
        begin,
        null,
        dependency,
        null,
        null,
        null,
        throttle,
        shape,
        JobChange.Output.NONE,
        null,
        null,
        null,
        null,
        reservations);
  }

  /** All that starts together with a job, or the job. */
  static JobSelector whole(Job job) {
    return job.het() == null
        ? Subject.selector(job)
        : new JobSelector(job.het().leader(), null, null);
  }

  /** The cluster after an operator's command. */
  static UnaryOperator<ClusterState> asRoot(Command.FromUser command, Instant now) {
    return state -> {
      ClusterState next = after(state, command, ROOT, now);
      return next == null ? state : next;
    };
  }

  /** The cluster after what its clock changes. */
  static ClusterState ticked(ClusterState state, Instant now) {
    return Decider.decide(state, new Command.Tick(), new Caller.Self(), now).after();
  }

  /** The cluster after a command, null if it is refused or changes nothing. */
  static @Nullable ClusterState after(
      ClusterState state, Command.FromUser command, Caller who, Instant now) {
    Decision decision = Decider.decide(state, command, who, now);
    return decision.reply() instanceof Reply.Refused || decision.events().isEmpty()
        ? null
        : decision.after();
  }
}
