package io.dure.placement.admission;

import io.dure.model.command.Caller;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.DependencyType;
import io.dure.model.request.JobSpec;
import io.dure.rules.dependency.DependencyResolver;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether a job may have the conditions on others that it asks for (sbatch --dependency). */
public final class DependencyChecks {
  private DependencyChecks() {}

  /**
   * The conditions of a job that is being submitted.
   *
   * @return null if they ask for the result of a job that does not exist
   */
  public static DependencyResolver.@Nullable Resolved resolveNew(
      AdmissionView view, DependencyList list, Caller.User caller, JobSpec spec, Instant now) {
    if (asksForMissing(view, list)) {
      return null;
    }
    DependencyResolver.DependentJob asking =
        new DependencyResolver.DependentJob(
            Integer.MAX_VALUE, null, caller.identity().uid(), spec.name());
    return DependencyResolver.resolve(
        DependencyResolver.DependencyContext.of(view), list.conditions(), list.any(), asking, now);
  }

  /** True if a result is asked for of a job or task that does not exist. */
  public static boolean asksForMissing(AdmissionView view, DependencyList list) {
    for (Dependency condition : list.conditions()) {
      boolean wantsResult =
          condition.type() == DependencyType.AFTER_OK
              || condition.type() == DependencyType.AFTER_NOT_OK;
      if (wantsResult
          && DependencyResolver.targets(view, condition.jobId(), condition.taskIndex()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The conditions of a pending job whose list was just changed. */
  public static DependencyResolver.Resolved resolveChanged(
      AdmissionView view, Job job, Instant now) {
    DependencyList list = job.spec().dependency();
    return DependencyResolver.resolve(
        DependencyResolver.DependencyContext.of(view),
        list.conditions(),
        list.any(),
        DependencyResolver.DependentJob.of(job),
        now);
  }

  /** True if the conditions would make the job wait for itself, through at most that many jobs. */
  public static boolean circular(AdmissionView view, Job job, int depth) {
    return circular(view, job, job.spec().dependency(), depth, new TreeSet<>());
  }

  private static boolean circular(
      AdmissionView view, Job job, DependencyList list, int depth, NavigableSet<Integer> seen) {
    for (Dependency condition : depth == 0 ? List.<Dependency>of() : list.conditions()) {
      List<Job> targets =
          DependencyResolver.targets(view, condition.jobId(), condition.taskIndex());
      for (Job target : targets) {
        if (target.id() == job.id()) {
          return true;
        }
        if (target.state() instanceof JobState.Pending
            && seen.add(target.id())
            && circular(view, job, target.spec().dependency(), depth - 1, seen)) {
          return true;
        }
      }
    }
    return false;
  }
}
