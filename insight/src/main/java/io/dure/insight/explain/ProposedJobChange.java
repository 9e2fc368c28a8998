package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.Job;
import io.dure.model.report.ExplainedJob;
import io.dure.model.request.DependencyList;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.TimeLimit;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A change of a job being put together, and what comes of asking for one. One thread. */
final class ProposedJobChange {
  private static final Caller ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of(), true);

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
  @Nullable OversubscribeMode sharing;
  @Nullable List<String> requiredNodes;
  @Nullable List<String> excludedNodes;
  @Nullable String features;
  @Nullable Boolean contiguous;
  @Nullable GresRequest gres;
  @Nullable String licenses;

  JobChange change() {
    JobChange.ResourceChange shape =
        new JobChange.ResourceChange(
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
    return JobChange.NONE
        .with()
        .partitions(partitions)
        .qos(qos)
        .timeLimit(limit)
        .beginTime(begin)
        .dependency(dependency)
        .arrayThrottle(throttle)
        .shape(shape)
        .reservations(reservations)
        .build();
  }

  /** All that starts together with a job, or the job. */
  static JobSelector whole(Job job) {
    return job.het() == null
        ? ExplainedJob.selector(job)
        : new JobSelector(job.het().leader(), null, null);
  }

  /** The cluster after an operator's command. */
  static UnaryOperator<ClusterState> asRoot(
      ExplanationQuery question, Command.UserCommand command) {
    return state -> {
      ClusterState next = after(question, state, command, ROOT);
      return next == null ? state : next;
    };
  }

  /** The cluster after what its clock changes. */
  static ClusterState ticked(ExplanationQuery question, ClusterState state) {
    return question
        .rules()
        .decide(state, new Command.Tick(), new Caller.Self(), question.now())
        .after();
  }

  /** The cluster after a command, null if it is refused or changes nothing. */
  static @Nullable ClusterState after(
      ExplanationQuery question, ClusterState state, Command.UserCommand command, Caller caller) {
    Decision decision = question.rules().decide(state, command, caller, question.now());
    return decision.reply() instanceof Reply.Refused || decision.events().isEmpty()
        ? null
        : decision.after();
  }
}
