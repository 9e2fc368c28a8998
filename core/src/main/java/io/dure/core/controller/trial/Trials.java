package io.dure.core.controller.trial;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.controller.decide.Decider;
import io.dure.core.model.Allocation;
import io.dure.core.model.JobSpec;
import io.dure.core.model.command.Caller;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.dependency.Dependencies;
import io.dure.core.scheduler.plan.Estimate;
import io.dure.core.scheduler.plan.Planner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the scheduler when a job would start that is not submitted: the job is added to a state that
 * nobody else sees, and the same rules and the same planner say what becomes of it there. It keeps
 * what planning needs, so that the next question costs what has changed since. One thread.
 */
public final class Trials {
  /** Promises are made over several passes, of which no more than so many are waited for. */
  private static final int MOST_PASSES = 25;

  private final Planner planner = new Planner();

  /** What is said to a trial. */
  public sealed interface Answer {}

  /** It would not be accepted. */
  public record Refused(Decision decision) implements Answer {}

  /**
   * It would be accepted.
   *
   * @param jobId the id that it would get
   * @param estimate when and where it would start, null if it cannot be said
   * @param after the state that it would lead to
   */
  public record Accepted(int jobId, @Nullable Estimate estimate, ClusterState after)
      implements Answer {}

  /** One that has been asked nothing yet. */
  public Trials() {}

  /**
   * What would come of a submission.
   *
   * @param submission of a job or of a heterogeneous job
   */
  public Answer ask(
      ClusterState state, Command.FromUser submission, Caller.User caller, Instant now) {
    Decision decision = Decider.decide(state, submission, caller, now);
    if (!(decision.reply() instanceof Reply.Submitted(int jobId))) {
      return new Refused(decision);
    }
    ClusterState after = decision.after();
    List<Integer> ids = new ArrayList<>();
    List<JobSpec> specs = new ArrayList<>();
    for (Event event : decision.events()) {
      if (event instanceof Event.JobSubmitted submitted) {
        ids.add(submitted.jobId());
        specs.add(submitted.spec());
      }
    }
    Estimate estimate = planned(after, ids, now);
    return new Accepted(
        jobId, estimate == null ? unqueued(state, specs, caller, now) : estimate, after);
  }

  /** The earliest start behind none of those that wait, where the queue's plan says nothing. */
  private static @Nullable Estimate unqueued(
      ClusterState state, List<JobSpec> specs, Caller.User caller, Instant now) {
    int uid = caller.identity().uid();
    return specs.size() == 1
        ? Estimate.of(state, specs.getFirst(), uid, now)
        : Estimate.of(state, specs, uid, now);
  }

  /** What the planner says of these jobs, null if not something of each. */
  private @Nullable Estimate planned(ClusterState state, List<Integer> ids, Instant now) {
    Plan plan;
    int passes = 0;
    Estimate found;
    do {
      plan = planner.plan(state, now, (job, index) -> Dependencies.taskMayStart(state, job, index));
      found = found(plan, ids, now);
    } while (found == null && plan.unfinished() && ++passes < MOST_PASSES);
    return found;
  }

  private @Nullable Estimate found(Plan plan, List<Integer> ids, Instant now) {
    Estimate all = null;
    for (int id : ids) {
      Estimate one = started(plan, id, now);
      one = one == null ? planner.promiseTo(id) : one;
      if (one == null) {
        return null;
      }
      all = all == null ? one : all.and(one);
    }
    return all;
  }

  private static @Nullable Estimate started(Plan plan, int id, Instant now) {
    for (Placement start : plan.starts()) {
      if (start.jobId() == id) {
        Allocation gets = start.allocation();
        return new Estimate(now, gets.partition(), gets.nodes(), gets.cpus());
      }
    }
    return null;
  }
}
