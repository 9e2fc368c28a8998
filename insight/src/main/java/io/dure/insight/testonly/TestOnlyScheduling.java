package io.dure.insight.testonly;

import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Placement;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Allocation;
import io.dure.model.request.JobSpec;
import io.dure.placement.admission.Admission;
import io.dure.placement.admission.AdmissionView;
import io.dure.placement.admission.Refusal;
import io.dure.placement.admission.ViewWithJob;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import io.dure.scheduler.StartEstimate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the scheduler when a job would start that is not submitted: the job is checked by the rules
 * of admission and added to a view of the cluster, of which the planner then says what becomes of
 * it. It keeps what planning needs, so that the next question costs what has changed since. One
 * thread.
 */
public final class TestOnlyScheduling {
  /** Promises are made over several passes, of which no more than so many are waited for. */
  private static final int MOST_PASSES = 25;

  private final Planner planner = new Planner();
  private Planner.Memory memory = Planner.Memory.none();

  /** What is said to a trial. */
  public sealed interface Answer {}

  /** It would not be accepted. */
  public record Refused(Refusal why) implements Answer {}

  /**
   * It would be accepted.
   *
   * @param jobId the id that it would get
   * @param estimate when and where it would start, null if it cannot be said
   * @param after the cluster that it would lead to
   */
  public record Accepted(int jobId, @Nullable StartEstimate estimate, AdmissionView after)
      implements Answer {}

  /** One that has been asked nothing yet. */
  public TestOnlyScheduling() {}

  /**
   * What would come of a submission.
   *
   * @param submission of a job or of a heterogeneous job
   */
  public Answer ask(
      AdmissionView view, Command.UserCommand submission, Caller.User caller, Instant now) {
    if (submission instanceof Command.SubmitJob one) {
      Refusal refusal = Admission.scriptRefusal(view, one.texts().script());
      Command.Component only = new Command.Component(one.spec(), one.workload());
      return refusal == null ? ask(view, List.of(only), caller, now) : new Refused(refusal);
    }
    if (submission instanceof Command.SubmitHetJob all) {
      Refusal refusal = Admission.scriptRefusal(view, all.texts().script());
      if (refusal == null) {
        List<JobSpec> specs = all.components().stream().map(Command.Component::spec).toList();
        refusal = Admission.hetRefusal(view, specs);
      }
      return refusal == null ? ask(view, all.components(), caller, now) : new Refused(refusal);
    }
    throw new IllegalArgumentException("no submission: " + submission);
  }

  private Answer ask(
      AdmissionView view, List<Command.Component> components, Caller.User caller, Instant now) {
    int size = components.size();
    int first = view.nextJobIds(size);
    AdmissionView after = view;
    List<Integer> ids = new ArrayList<>();
    List<JobSpec> specs = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Command.Component one = components.get(i);
      switch (Admission.check(after, one.spec(), caller, now)) {
        case Admission.Answer.Refused(Refusal why) -> {
          return new Refused(why);
        }
        case Admission.Answer.Admitted admitted -> {
          HetComponent het = size == 1 ? null : new HetComponent(first, i, size);
          after = ViewWithJob.of(after, caller.identity(), admitted, one.workload(), het, now);
          ids.add(first + i);
          specs.add(admitted.spec());
        }
      }
    }
    StartEstimate estimate = planned(after, ids, now);
    return new Accepted(
        first, estimate == null ? unqueued(view, specs, caller, now) : estimate, after);
  }

  /** The earliest start behind none of those that wait, where the queue's plan says nothing. */
  private static @Nullable StartEstimate unqueued(
      AdmissionView view, List<JobSpec> specs, Caller.User caller, Instant now) {
    int uid = caller.identity().uid();
    return specs.size() == 1
        ? StartEstimate.of(view, specs.getFirst(), uid, now)
        : StartEstimate.of(view, specs, uid, now);
  }

  /** What the planner says of these jobs, null if not something of each. */
  private @Nullable StartEstimate planned(AdmissionView view, List<Integer> ids, Instant now) {
    SchedulingPlan plan;
    int passes = 0;
    StartEstimate found;
    do {
      Planner.Planned planned =
          planner.plan(
              view, now, (job, index) -> DependencyResolver.taskMayStart(view, job, index), memory);
      memory = planned.memory();
      plan = planned.plan();
      found = found(plan, ids, now);
    } while (found == null && plan.unfinished() && ++passes < MOST_PASSES);
    return found;
  }

  private @Nullable StartEstimate found(SchedulingPlan plan, List<Integer> ids, Instant now) {
    StartEstimate all = null;
    for (int id : ids) {
      StartEstimate one = started(plan, id, now);
      one = one == null ? memory.promiseTo(id) : one;
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
