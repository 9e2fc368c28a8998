package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.report.ExplainedJob;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What comes of a change of a job that is only proposed. All functions are pure. */
final class ProposedJobChange {
  private static final Caller ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of(), true);

  private ProposedJobChange() {}

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
