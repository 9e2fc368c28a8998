package io.dure.insight.testonly;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.Event;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.Allocation;
import io.dure.model.JobSpec;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Placement;
import io.dure.model.command.Reply;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import io.dure.scheduler.StartEstimate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the scheduler when a job would start that is not submitted: the job is added to a state that
 * nobody else sees, and the same rules and the same planner say what becomes of it there. It keeps
 * what planning needs, so that the next question costs what has changed since. One thread.
 */
public final class TestOnlyScheduling {
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
  public record Accepted(int jobId, @Nullable StartEstimate estimate, ClusterState after)
      implements Answer {}

  /** One that has been asked nothing yet. */
  public TestOnlyScheduling() {}

  /**
   * What would come of a submission.
   *
   * @param submission of a job or of a heterogeneous job
   */
  public Answer ask(
      ClusterState state, Command.UserCommand submission, Caller.User caller, Instant now) {
    Decision decision = CommandDecider.decide(state, submission, caller, now);
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
    StartEstimate estimate = planned(after, ids, now);
    return new Accepted(
        jobId, estimate == null ? unqueued(state, specs, caller, now) : estimate, after);
  }

  /** The earliest start behind none of those that wait, where the queue's plan says nothing. */
  private static @Nullable StartEstimate unqueued(
      ClusterState state, List<JobSpec> specs, Caller.User caller, Instant now) {
    int uid = caller.identity().uid();
    return specs.size() == 1
        ? StartEstimate.of(state, specs.getFirst(), uid, now)
        : StartEstimate.of(state, specs, uid, now);
  }

  /** What the planner says of these jobs, null if not something of each. */
  private @Nullable StartEstimate planned(ClusterState state, List<Integer> ids, Instant now) {
    SchedulingPlan plan;
    int passes = 0;
    StartEstimate found;
    do {
      plan =
          planner.plan(
              state, now, (job, index) -> DependencyResolver.taskMayStart(state, job, index));
      found = found(plan, ids, now);
    } while (found == null && plan.unfinished() && ++passes < MOST_PASSES);
    return found;
  }

  private @Nullable StartEstimate found(SchedulingPlan plan, List<Integer> ids, Instant now) {
    StartEstimate all = null;
    for (int id : ids) {
      StartEstimate one = started(plan, id, now);
      one = one == null ? planner.promiseTo(id) : one;
      if (one == null) {
        return null;
      }
      all = all == null ? one : all.and(one);
    }
    return all;
  }

  private static @Nullable StartEstimate started(SchedulingPlan plan, int id, Instant now) {
    for (Placement start : plan.starts()) {
      if (start.jobId() == id) {
        Allocation gets = start.allocation();
        return new StartEstimate(now, gets.partition(), gets.nodes(), gets.cpus());
      }
    }
    return null;
  }
}
