package io.dure.core.controller.decide;

import io.dure.core.collection.IntMap;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Dependency;
import io.dure.core.model.DependencyList;
import io.dure.core.model.DependencyType;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When conditions on other jobs hold (Slurm's sbatch(1), {@code --dependency}). */
public final class DependencyRules {
  private DependencyRules() {}

  /** Whether a condition holds. */
  enum Standing {
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
   * The conditions of a job that is being submitted.
   *
   * @return null if they name jobs in a way that is refused
   */
  static @Nullable Resolved resolveNew(
      ClusterState state, DependencyList list, Caller.User who, JobSpec spec, Instant now) {
    for (Dependency condition : list.conditions()) {
      boolean unknown =
          condition.type() != DependencyType.SINGLETON
              && state.records(condition.jobId()).isEmpty();
      boolean wantsResult =
          condition.type() == DependencyType.AFTER_OK
              || condition.type() == DependencyType.AFTER_NOT_OK;
      if (unknown && (wantsResult || condition.jobId() >= state.nextJobId())) {
        return null;
      }
    }
    return resolve(
        state,
        list.conditions(),
        list.any(),
        new Asking(0, null, who.identity().uid(), spec.name()),
        now);
  }

  /** The conditions of a pending job as they stand now. */
  static Resolved resolve(ClusterState state, Job job, Instant now) {
    JobState.Pending pending = (JobState.Pending) job.state();
    Integer index = job.array() instanceof ArrayPart.Task task ? task.index() : null;
    Asking asking = new Asking(job.id(), index, job.owner().uid(), job.spec().name());
    return resolve(state, pending.waitingFor(), job.spec().dependency().any(), asking, now);
  }

  /** Whose conditions are looked at; id 0 for a job that has none yet. */
  private record Asking(int jobId, @Nullable Integer taskIndex, int uid, String name) {}

  private static Resolved resolve(
      ClusterState state, List<Dependency> conditions, boolean any, Asking asking, Instant now) {
    List<Dependency> left = new ArrayList<>();
    int failed = 0;
    for (Dependency condition : conditions) {
      switch (standing(state, condition, asking, now)) {
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

  private static Standing standing(
      ClusterState state, Dependency condition, Asking asking, Instant now) {
    return switch (condition.type()) {
      case SINGLETON -> singleton(state, asking);
      case AFTER_CORR -> corresponding(state, condition, asking);
      case AFTER, AFTER_ANY, AFTER_OK, AFTER_NOT_OK -> {
        List<Job> targets = targets(state, condition.jobId(), condition.taskIndex());
        yield targets.isEmpty() ? Standing.MET : ofTargets(targets, condition, now);
      }
    };
  }

  private static Standing ofTargets(List<Job> targets, Dependency condition, Instant now) {
    boolean open = false;
    for (Job target : targets) {
      Standing one = ofTarget(target, condition, now);
      if (one == Standing.FAILED) {
        return Standing.FAILED;
      }
      open |= one == Standing.OPEN;
    }
    return open ? Standing.OPEN : Standing.MET;
  }

  private static Standing ofTarget(Job target, Dependency condition, Instant now) {
    return switch (condition.type()) {
      case AFTER -> after(target, condition.delayMinutes(), now);
      case AFTER_ANY -> outcome(target) == null ? Standing.OPEN : Standing.MET;
      case AFTER_OK, AFTER_CORR -> {
        Outcome outcome = outcome(target);
        yield outcome == null
            ? Standing.OPEN
            : outcome instanceof Outcome.Completed ? Standing.MET : Standing.FAILED;
      }
      case AFTER_NOT_OK -> {
        Outcome outcome = outcome(target);
        yield outcome == null
            ? Standing.OPEN
            : outcome instanceof Outcome.Completed ? Standing.FAILED : Standing.MET;
      }
      case SINGLETON -> Standing.MET;
    };
  }

  private static @Nullable Outcome outcome(Job target) {
    return target.state() instanceof JobState.Ended ended ? ended.outcome() : null;
  }

  private static Standing after(Job target, int delayMinutes, Instant now) {
    Instant began =
        switch (target.state()) {
          case JobState.Pending _ -> null;
          case JobState.Running running -> running.start();
          case JobState.Completing completing -> completing.start();
          case JobState.Ended ended -> ended.start() == null ? ended.end() : ended.start();
        };
    if (began == null) {
      return Standing.OPEN;
    }
    return now.isBefore(began.plus(Duration.ofMinutes(delayMinutes)))
        ? Standing.OPEN
        : Standing.MET;
  }

  private static Standing corresponding(ClusterState state, Dependency condition, Asking asking) {
    Integer index = asking.taskIndex();
    boolean array =
        !state.arrayTasks(condition.jobId()).isEmpty()
            || state.waitingTasks(condition.jobId()) != null;
    if (!array) {
      List<Job> targets = targets(state, condition.jobId(), condition.taskIndex());
      return targets.isEmpty() ? Standing.MET : ofTargets(targets, condition, Instant.MIN);
    }
    if (index == null) {
      // Waiting tasks are looked at one by one when they get records of their own.
      return Standing.MET;
    }
    List<Job> targets = targets(state, condition.jobId(), index);
    return targets.isEmpty() ? Standing.MET : ofTargets(targets, condition, Instant.MIN);
  }

  private static Standing singleton(ClusterState state, Asking asking) {
    for (IntMap<Job> jobs : List.of(state.active(), state.pending())) {
      for (Job other : jobs.values()) {
        boolean same =
            other.id() != asking.jobId()
                && other.owner().uid() == asking.uid()
                && other.spec().name().equals(asking.name());
        boolean ahead =
            !(other.state() instanceof JobState.Pending)
                || asking.jobId() == 0
                || other.id() < asking.jobId();
        if (same && ahead) {
          return Standing.OPEN;
        }
      }
    }
    return Standing.MET;
  }

  /** The records a condition looks at; none if the job is unknown (any more). */
  private static List<Job> targets(ClusterState state, int jobId, @Nullable Integer index) {
    if (index == null) {
      return state.records(jobId);
    }
    Integer task = state.arrayTasks(jobId).get(index);
    Job job = task == null ? state.waitingTasks(jobId) : state.job(task);
    if (job == null
        || (job.array() instanceof ArrayPart.Waiting part && !part.waiting().contains(index))) {
      return List.of();
    }
    return List.of(job);
  }

  /** True if the index of a waiting array may start as far as {@code aftercorr} goes. */
  public static boolean taskMayStart(ClusterState state, Job waiting, int index) {
    for (Dependency condition : waiting.spec().dependency().conditions()) {
      if (condition.type() == DependencyType.AFTER_CORR) {
        Asking asking =
            new Asking(waiting.id(), index, waiting.owner().uid(), waiting.spec().name());
        if (corresponding(state, condition, asking) != Standing.MET) {
          return false;
        }
      }
    }
    return true;
  }

  /** True if the conditions would make the job wait for itself, through at most that many jobs. */
  static boolean circular(ClusterState state, int jobId, DependencyList list, int depth) {
    if (depth == 0) {
      return false;
    }
    for (Dependency condition : list.conditions()) {
      if (condition.jobId() == jobId) {
        return true;
      }
      for (Job target : state.records(condition.jobId())) {
        if (target.state() instanceof JobState.Pending
            && circular(state, jobId, target.spec().dependency(), depth - 1)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Open conditions as {@code scontrol show job} prints them; empty if there are none. */
  public static String describe(Job job) {
    if (!(job.state() instanceof JobState.Pending pending)) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    String separator = job.spec().dependency().any() ? "?" : ",";
    for (Dependency condition : pending.waitingFor()) {
      text.append(text.isEmpty() ? "" : separator)
          .append(condition.text())
          .append(pending.dependencyFailed() ? "(failed)" : "(unfulfilled)");
    }
    return text.toString();
  }
}
