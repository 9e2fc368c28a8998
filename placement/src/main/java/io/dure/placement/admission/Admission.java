package io.dure.placement.admission;

import io.dure.model.ArrayRequest;
import io.dure.model.ErrorCode;
import io.dure.model.JobSpec;
import io.dure.model.TimeLimit;
import io.dure.model.command.Caller;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.rules.JobReadiness;
import io.dure.rules.dependency.DependencyResolver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job is accepted: what the user left open is filled in, what can never be is refused.
 */
public final class Admission {
  private Admission() {}

  /** What becomes of a request. */
  public sealed interface Answer {
    /** It is accepted in this form. */
    record Admitted(JobSpec spec, DependencyResolver.Resolved dependency) implements Answer {}

    /** It is not. */
    record Refused(Refusal why) implements Answer {}
  }

  /**
   * Checks a request without accepting it, as {@code --test-only} asks.
   *
   * @param now the time to check at
   */
  public static Answer check(AdmissionView view, JobSpec asked, Caller.User caller, Instant now) {
    ClusterSettings.Jobs limits = view.settings().jobs();
    JobSpec spec = allowed(asked, caller);
    ErrorCode senseless = ResourceChecks.senseless(spec);
    if (senseless != null) {
      return no(senseless);
    }
    if (ResourceChecks.tooManyTasks(limits, spec.resources())) {
      return no(ErrorCode.BAD_TASK_COUNT);
    }
    if (caller.identity().uid() == 0 && limits.disableRootJobs()) {
      return new Answer.Refused(
          new Refusal(ErrorCode.ACCESS_DENIED, "jobs of root are disabled (DisableRootJobs)"));
    }
    ErrorCode array = arrayRefusal(view, spec);
    if (array != null) {
      return no(array);
    }
    List<String> partitions = new ArrayList<>(spec.partitions());
    PartitionConfig fallback = view.defaultPartition();
    if (partitions.isEmpty()) {
      if (fallback == null) {
        return no(ErrorCode.DEFAULT_PARTITION_NOT_SET);
      }
      partitions.add(fallback.name());
    }
    Refusal refusal = PartitionAccess.refusal(view, partitions, caller);
    if (refusal != null) {
      return new Answer.Refused(refusal);
    }
    AccountChecks.Settled settled =
        AccountChecks.settle(
            view,
            SpecDefaults.fill(view, spec, PartitionAccess.permitted(view, partitions, caller)),
            caller.identity().userName());
    if (settled.refusal() != null) {
      return no(settled.refusal());
    }
    return settled(view, settled.spec(), caller, now);
  }

  /** Checks what is complete. */
  private static Answer settled(AdmissionView view, JobSpec spec, Caller.User caller, Instant now) {
    ErrorCode time = timeRefusal(spec, now);
    if (time != null) {
      return no(time);
    }
    Refusal unfit = ResourceChecks.refusal(view, spec);
    String user = caller.identity().userName();
    if (unfit == null) {
      unfit = AccountChecks.tooMany(view, view.queued(), spec, user, tasks(view, spec));
    }
    if (unfit == null) {
      unfit = AccountChecks.tooLarge(view, spec, user, now);
    }
    if (unfit != null) {
      return new Answer.Refused(unfit);
    }
    ErrorCode kept = ReservationChecks.refusal(view, spec, user, caller.groups(), now);
    if (kept != null) {
      return no(kept);
    }
    DependencyResolver.Resolved dependency =
        DependencyChecks.resolveNew(view, spec.dependency(), caller, spec, now);
    return dependency == null ? no(ErrorCode.DEPENDENCY) : new Answer.Admitted(spec, dependency);
  }

  /** Only operators move ahead of others: Slurm passes over what others ask for. */
  private static JobSpec allowed(JobSpec spec, Caller.User caller) {
    Long priority = spec.priority();
    boolean ahead = spec.nice() < 0 || (priority != null && priority != 0);
    if (caller.operator() || !ahead) {
      return spec;
    }
    return JobSpecEditor.edit(spec)
        .nice(Math.max(0, spec.nice()))
        .priority(priority != null && priority == 0 ? priority : null)
        .build();
  }

  private static Answer no(ErrorCode code) {
    return new Answer.Refused(new Refusal(code));
  }

  /** How many jobs a request is: the tasks of its array, 0 where it makes none. */
  private static int tasks(AdmissionView view, JobSpec spec) {
    if (spec.arrayTasks() == null) {
      return 1;
    }
    try {
      int size = view.settings().jobs().maxArraySize();
      return ArrayRequest.parse(spec.arrayTasks(), size).indices().size();
    } catch (ArrayRequest.InvalidArrayException e) {
      return 0;
    }
  }

  private static @Nullable ErrorCode arrayRefusal(AdmissionView view, JobSpec spec) {
    ClusterSettings settings = view.settings();
    int tasks = tasks(view, spec);
    if (tasks == 0
        || (spec.arrayTasks() != null && tasks > settings.scheduling().maxArrayTasks())) {
      return ErrorCode.INVALID_ARRAY;
    }
    boolean full = view.jobCount() + tasks > settings.jobs().maxJobCount();
    boolean out = view.nextJobId() > settings.jobs().maxJobId();
    return full || out ? ErrorCode.MAX_JOB_COUNT : null;
  }

  private static @Nullable ErrorCode timeRefusal(JobSpec spec, Instant now) {
    if (spec.timeMin() != null
        && spec.timeLimit() instanceof TimeLimit.Limited(Duration limit)
        && spec.timeMin().compareTo(limit) > 0) {
      return ErrorCode.INVALID_TIME_MIN;
    }
    return JobReadiness.isLate(spec, now) ? ErrorCode.INVALID_TIME_LIMIT : null;
  }
}
