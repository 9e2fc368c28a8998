package io.dure.placement.admission;

import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.JobSpec;
import io.dure.model.request.TimeLimit;
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
    /**
     * It is accepted in this form.
     *
     * @param array the tasks of the array, null where it is none
     */
    record Admitted(
        JobSpec spec, @Nullable ArrayRequest array, DependencyResolver.Resolved dependency)
        implements Answer {}

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
    if (asked.nice() < 0 && !caller.operator()) {
      return no(ErrorCode.INVALID_NICE);
    }
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
    if (view.settings().rules().requiresTimeLimit()
        && spec.timeLimit() instanceof TimeLimit.PartitionDefault) {
      return no(ErrorCode.INVALID_TIME_LIMIT);
    }
    ArrayRequest array = spec.arrayTasks();
    if (array != null) {
      try {
        array = array.within(limits.maxArraySize());
      } catch (ArrayRequest.InvalidArrayException e) {
        return no(ErrorCode.INVALID_ARRAY);
      }
    }
    ErrorCode count = countRefusal(view, array != null, array == null ? 1 : array.indices().size());
    if (count != null) {
      return no(count);
    }
    List<String> partitions = asked(view, spec);
    if (partitions.isEmpty()) {
      return no(ErrorCode.DEFAULT_PARTITION_NOT_SET);
    }
    partitions.replaceAll(name -> PartitionAccess.alternate(view, name));
    Refusal refusal = PartitionAccess.refusal(view, partitions, caller);
    if (refusal != null) {
      return new Answer.Refused(refusal);
    }
    List<String> permitted = PartitionAccess.permitted(view, partitions, caller);
    if (PartitionAccess.lacksReservation(view, spec, permitted)) {
      return no(ErrorCode.ACCESS_DENIED);
    }
    AccountChecks.Settled settled =
        AccountChecks.settle(
            view, SpecDefaults.fill(view, spec, permitted), caller.identity().userName());
    if (settled.refusal() == null) {
      settled = AccountChecks.wckey(view, settled.spec(), caller.identity().userName());
    }
    if (settled.refusal() != null) {
      return no(settled.refusal());
    }
    if (ResourceChecks.isLookedAtTooSeldom(view.settings(), settled.spec().resources())) {
      return no(ErrorCode.INVALID_ACCOUNTING_FREQUENCY);
    }
    return settled(view, settled.spec(), array, caller, now);
  }

  /** The partitions that a job asks for by name, or because it names none. */
  private static List<String> asked(AdmissionView view, JobSpec spec) {
    List<String> partitions = new ArrayList<>(spec.partitions());
    PartitionConfig fallback = view.defaultPartition();
    if (partitions.isEmpty() && view.settings().rules().allPartitions()) {
      view.partitions().forEach(partition -> partitions.add(partition.name()));
    } else if (partitions.isEmpty() && fallback != null) {
      partitions.add(fallback.name());
    }
    return partitions;
  }

  /** Checks what is complete. */
  private static Answer settled(
      AdmissionView view,
      JobSpec spec,
      @Nullable ArrayRequest array,
      Caller.User caller,
      Instant now) {
    ErrorCode time = timeRefusal(spec, now);
    if (time != null) {
      return no(time);
    }
    int jobs = array == null ? 1 : array.indices().size();
    Refusal unfit = ResourceChecks.refusal(view, spec);
    String user = caller.identity().userName();
    if (unfit == null) {
      unfit = AccountChecks.tooMany(view, view.queued(), spec, user, jobs);
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
    return dependency == null
        ? no(ErrorCode.DEPENDENCY)
        : new Answer.Admitted(spec, array, dependency);
  }

  /** Only operators set a priority: Slurm passes over what others ask for. */
  private static JobSpec allowed(JobSpec spec, Caller.User caller) {
    Long priority = spec.priority();
    boolean ahead = priority != null && priority != 0;
    return caller.operator() || !ahead ? spec : spec.withPriority(null);
  }

  /**
   * Why components make no heterogeneous job, null if they may; each of them is checked on its own.
   */
  public static @Nullable Refusal hetRefusal(AdmissionView view, List<JobSpec> components) {
    int size = components.size();
    if (size < 2 || size > HetComponent.MOST) {
      return new Refusal(
          ErrorCode.BAD_INPUT,
          "a heterogeneous job has from 2 to " + HetComponent.MOST + " components");
    }
    if (components.stream().anyMatch(one -> one.arrayTasks() != null)) {
      return new Refusal(ErrorCode.INVALID_ARRAY);
    }
    boolean out = view.nextJobIds(size) + size - 1 > view.settings().jobs().maxJobId();
    return out ? new Refusal(ErrorCode.MAX_JOB_COUNT) : null;
  }

  /** Why a job may not have that script, null if it may. */
  public static @Nullable Refusal scriptRefusal(AdmissionView view, String script) {
    int longest = view.settings().scheduling().maxScriptBytes();
    return script.length() > longest ? new Refusal(ErrorCode.PATHNAME_TOO_LONG) : null;
  }

  private static Answer no(ErrorCode code) {
    return new Answer.Refused(new Refusal(code));
  }

  private static @Nullable ErrorCode countRefusal(AdmissionView view, boolean array, int jobs) {
    ClusterSettings settings = view.settings();
    if (jobs == 0 || (array && jobs > settings.scheduling().maxArrayTasks())) {
      return ErrorCode.INVALID_ARRAY;
    }
    boolean full = view.jobCount() + jobs > settings.jobs().maxJobCount();
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
