package io.dure.rules.dependency;

import io.dure.model.config.ClusterSettings;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.DependencyType;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When conditions on other jobs hold (Slurm's sbatch(1), {@code --dependency}). */
public final class DependencyResolver {
  private DependencyResolver() {}

  /**
   * The jobs that conditions are about.
   *
   * @param records by their ids, those among them that are over
   */
  public record DependencyContext(JobLookup records, SingletonIndex namesakes) {
    /** Those of a cluster as it is then. */
    public static <C extends JobLookup & SchedulerView> DependencyContext of(C cluster) {
      return new DependencyContext(cluster, new SingletonIndex(cluster));
    }
  }

  /** Whether a condition holds. */
  public enum ConditionState {
    OPEN,
    MET,
    /** Can never hold. */
    FAILED
  }

  /**
   * Conditions as they stand.
   *
   * @param waitingFor those that do not hold yet; those that failed stay among them
   * @param failed true if they can never hold together
   */
  public record Resolved(List<Dependency> waitingFor, boolean failed) {}

  /**
   * Whose conditions are looked at.
   *
   * @param baseId array or job id, above all others for a job that has none yet
   */
  public record DependentJob(int baseId, @Nullable Integer taskIndex, int uid, String name) {
    /** A job. */
    public static DependentJob of(Job job) {
      Integer index = job.array() instanceof ArrayPart.Task task ? task.index() : null;
      return new DependentJob(job.baseId(), index, job.owner().uid(), job.spec().name());
    }
  }

  /** What a pending job still waits for. A list that failed stays failed. */
  public static Resolved resolve(DependencyContext others, Job job, Instant now) {
    JobState.Pending pending = (JobState.Pending) job.state();
    boolean any = job.spec().dependency().any();
    if (pending.dependencyFailed() && !any) {
      return new Resolved(pending.waitingFor(), true);
    }
    return resolve(others, pending.waitingFor(), any, DependentJob.of(job), now);
  }

  /**
   * Conditions as they stand.
   *
   * @param any whether one of them is enough
   */
  public static Resolved resolve(
      DependencyContext others,
      List<Dependency> conditions,
      boolean any,
      DependentJob asking,
      Instant now) {
    List<Dependency> left = new ArrayList<>();
    int failed = 0;
    for (Dependency condition : conditions) {
      switch (standing(others, condition, any, asking, now)) {
        case MET -> {
          if (any) {
            return new Resolved(List.of(), false);
          }
        }
        case OPEN -> left.add(condition);
        case FAILED -> {
          left.add(condition);
          failed++;
        }
      }
    }
    boolean never = any ? failed > 0 && failed == left.size() : failed > 0;
    return new Resolved(List.copyOf(left), never);
  }

  private static ConditionState standing(
      DependencyContext others,
      Dependency condition,
      boolean any,
      DependentJob asking,
      Instant now) {
    return switch (condition.type()) {
      case SINGLETON ->
          others.namesakes().isAlone(asking.uid(), asking.name(), asking.baseId())
              ? ConditionState.MET
              : ConditionState.OPEN;
      case AFTER_CORR -> corresponding(others.records(), condition, asking.taskIndex(), any);
      case AFTER, AFTER_ANY, AFTER_OK, AFTER_NOT_OK -> {
        List<Job> targets = targets(others.records(), condition.jobId(), condition.taskIndex());
        yield targets.isEmpty() ? ConditionState.MET : ofTargets(targets, condition, now);
      }
    };
  }

  private static ConditionState ofTargets(List<Job> targets, Dependency condition, Instant now) {
    boolean open = false;
    for (Job target : targets) {
      ConditionState one = ofTarget(target, condition, now);
      if (one == ConditionState.FAILED) {
        return ConditionState.FAILED;
      }
      open |= one == ConditionState.OPEN;
    }
    return open ? ConditionState.OPEN : ConditionState.MET;
  }

  private static ConditionState ofTarget(Job target, Dependency condition, Instant now) {
    return switch (condition.type()) {
      case AFTER -> {
        Instant from = from(target, condition);
        yield from == null || now.isBefore(from) ? ConditionState.OPEN : ConditionState.MET;
      }
      case AFTER_ANY -> outcome(target) == null ? ConditionState.OPEN : ConditionState.MET;
      case AFTER_OK, AFTER_CORR -> {
        JobOutcome outcome = outcome(target);
        yield outcome == null
            ? ConditionState.OPEN
            : outcome instanceof JobOutcome.Completed ? ConditionState.MET : ConditionState.FAILED;
      }
      case AFTER_NOT_OK -> {
        JobOutcome outcome = outcome(target);
        boolean special =
            target.state() instanceof JobState.Pending pending
                && pending.hold() == Hold.SPECIAL_EXIT;
        yield special
            ? ConditionState.MET
            : outcome == null
                ? ConditionState.OPEN
                : outcome instanceof JobOutcome.Completed
                    ? ConditionState.FAILED
                    : ConditionState.MET;
      }
      case SINGLETON -> ConditionState.MET;
    };
  }

  private static @Nullable JobOutcome outcome(Job target) {
    return target.state() instanceof JobState.Ended ended ? ended.outcome() : null;
  }

  /** From when on a condition on a start holds as far as one target goes; null if not known. */
  private static @Nullable Instant from(Job target, Dependency condition) {
    Instant began =
        switch (target.state()) {
          case JobState.Pending _ -> null;
          case JobState.Running running -> running.start();
          case JobState.Suspended suspended -> suspended.run().start();
          case JobState.Completing completing -> completing.start();
          case JobState.Ended ended -> ended.start() == null ? ended.end() : ended.start();
        };
    return began == null ? null : began.plus(Duration.ofMinutes(condition.delayMinutes()));
  }

  /**
   * When a condition that is open now will hold because time passes, as far as is known: that is so
   * for conditions on the starts of jobs that have started; null for all others.
   */
  public static @Nullable Instant due(JobLookup others, Dependency condition) {
    if (condition.type() != DependencyType.AFTER) {
      return null;
    }
    Instant latest = null;
    for (Job target : targets(others, condition.jobId(), condition.taskIndex())) {
      Instant from = from(target, condition);
      if (from == null) {
        return null;
      }
      latest = latest == null || from.isAfter(latest) ? from : latest;
    }
    return latest;
  }

  /**
   * How a condition of an array's tasks on those of another stands.
   *
   * @param index of the task that asks, null if it is none
   */
  public static ConditionState corresponding(
      JobLookup others, Dependency condition, @Nullable Integer index, boolean any) {
    boolean array = isArray(others, condition.jobId());
    if (array && index == null && !any) {
      // Waiting tasks are looked at one by one, by the gate and when they get their own records.
      return ConditionState.MET;
    }
    List<Job> targets =
        targets(others, condition.jobId(), array && index != null ? index : condition.taskIndex());
    return targets.isEmpty() ? ConditionState.MET : ofTargets(targets, condition, Instant.MIN);
  }

  private static boolean isArray(JobLookup others, int jobId) {
    Job job = others.job(jobId);
    return !others.arrayTasks(jobId).isEmpty()
        || (job != null && job.array() instanceof ArrayPart.Waiting);
  }

  /** The records a condition looks at; none if the job is unknown (any more). */
  public static List<Job> targets(JobLookup others, int jobId, @Nullable Integer index) {
    Job one = others.job(jobId);
    if (one != null && one.het() != null) {
      return List.of(one);
    }
    if (index == null) {
      return others.records(jobId);
    }
    Job task = others.task(jobId, index);
    return task == null ? List.of() : List.of(task);
  }

  /** True if the index of a waiting array may start as far as {@code aftercorr} goes. */
  public static boolean taskMayStart(JobLookup others, Job waiting, int index) {
    for (Dependency condition : ofTasks(waiting)) {
      if (corresponding(others, condition, index, false) != ConditionState.MET) {
        return false;
      }
    }
    return true;
  }

  /** Whether a job leaves the queue whose conditions can never hold. */
  public static boolean cancelsOnInvalidDependency(Job job, ClusterSettings settings) {
    Boolean wish = job.spec().killOnInvalidDependency();
    return wish == null ? settings.jobs().killInvalidDependency() : wish;
  }

  /** The conditions that each task of an array has for itself. */
  public static List<Dependency> ofTasks(Job job) {
    DependencyList list = job.spec().dependency();
    return list.any() || list.conditions().isEmpty()
        ? List.of()
        : list.conditions().stream().filter(c -> c.type() == DependencyType.AFTER_CORR).toList();
  }

  /** What a job that returns to the queue waits for again: its namesakes. */
  public static List<Dependency> dependenciesAfterRequeue(Job job) {
    DependencyList list = job.spec().dependency();
    return list.any()
        ? List.of()
        : list.conditions().stream().filter(c -> c.type() == DependencyType.SINGLETON).toList();
  }
}
