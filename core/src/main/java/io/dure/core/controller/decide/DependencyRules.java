package io.dure.core.controller.decide;

import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Event;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Dependency;
import io.dure.core.model.DependencyList;
import io.dure.core.model.DependencyType;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.dependency.Dependencies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What becomes of jobs by their conditions on others (Slurm's sbatch(1), --dependency). */
public final class DependencyRules {
  private static final List<Dependency> NOTHING = List.of();

  private DependencyRules() {}

  /**
   * The conditions of a job that is being submitted.
   *
   * @return null if they ask for the result of a job that does not exist
   */
  static Dependencies.@Nullable Resolved resolveNew(
      ClusterState state, DependencyList list, Caller.User who, JobSpec spec, Instant now) {
    if (asksForNobody(state, list)) {
      return null;
    }
    Dependencies.Asking asking =
        new Dependencies.Asking(Integer.MAX_VALUE, null, who.identity().uid(), spec.name());
    return Dependencies.resolve(
        Dependencies.Others.of(state), list.conditions(), list.any(), asking, now);
  }

  /** True if a result is asked for of a job or task that does not exist. */
  static boolean asksForNobody(ClusterState state, DependencyList list) {
    for (Dependency condition : list.conditions()) {
      boolean wantsResult =
          condition.type() == DependencyType.AFTER_OK
              || condition.type() == DependencyType.AFTER_NOT_OK;
      if (wantsResult
          && Dependencies.targets(state, condition.jobId(), condition.taskIndex()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The conditions of a pending job whose list was just changed. */
  static Dependencies.Resolved resolveChanged(ClusterState state, Job job, Instant now) {
    DependencyList list = job.spec().dependency();
    return Dependencies.resolve(
        Dependencies.Others.of(state),
        list.conditions(),
        list.any(),
        Dependencies.Asking.of(job),
        now);
  }

  /**
   * Who of these is still asked about: how long ago it started, or whether one of several
   * conditions failed. Forgotten, they would be taken for what was asked. Of all records that there
   * may be these are a fifth at most: nobody fills them by asking.
   *
   * @param old how many records jobs and arrays have that are over, by their ids
   */
  static Set<Integer> asked(ClusterState state, Map<Integer, Integer> old) {
    Set<Integer> asked = new TreeSet<>();
    int room = state.settings().jobs().maxJobCount() / 5;
    for (Job job : state.unsettled().values()) {
      boolean open =
          job.state() instanceof JobState.Pending pending
              && (!pending.dependencyFailed() || job.spec().dependency().any());
      for (Dependency one : open ? ((JobState.Pending) job.state()).waitingFor() : NOTHING) {
        Job target = state.job(one.jobId());
        int base = target == null ? one.jobId() : target.baseId();
        Integer size = old.get(base);
        if (size != null && size <= room && asked.add(base)) {
          room -= size;
        }
      }
    }
    return asked;
  }

  /** A task that got a record of its own has conditions of its own from then on. */
  static void ownConditions(Draft draft, Job task) {
    List<Dependency> own = Dependencies.ofTasks(task);
    if (own.isEmpty() || !(task.state() instanceof JobState.Pending pending)) {
      return;
    }
    Dependencies.Resolved resolved =
        Dependencies.resolve(
            Dependencies.Others.of(draft.state()),
            own,
            false,
            Dependencies.Asking.of(task),
            draft.now());
    List<Dependency> all = new ArrayList<>(pending.waitingFor());
    resolved.waitingFor().stream().filter(c -> !all.contains(c)).forEach(all::add);
    boolean failed = resolved.failed() || pending.dependencyFailed();
    if (!all.equals(pending.waitingFor()) || failed != pending.dependencyFailed()) {
      draft.emit(new Event.DependencyChanged(task.id(), List.copyOf(all), failed));
    }
  }

  /**
   * Tasks of a waiting array whose counterparts failed get records of their own, which can never
   * start; where that holds for all of them, the waiting record itself.
   */
  static void splitHopeless(Draft draft, Job waiting) {
    List<Dependency> own = Dependencies.ofTasks(waiting);
    if (own.isEmpty()
        || !(waiting.array() instanceof ArrayPart.Waiting part)
        || !(waiting.state() instanceof JobState.Pending pending)
        || pending.dependencyFailed()) {
      return;
    }
    List<Integer> hopeless = new ArrayList<>();
    for (int index : part.waiting().toList()) {
      if (own.stream()
          .map(condition -> Dependencies.corresponding(draft.state(), condition, index, false))
          .anyMatch(standing -> standing == Dependencies.Standing.FAILED)) {
        hopeless.add(index);
      }
    }
    if (hopeless.size() == part.waiting().size()) {
      draft.emit(new Event.DependencyChanged(waiting.id(), own, true));
    } else {
      hopeless.forEach(index -> Selection.splitTask(draft, waiting.id(), index));
    }
  }

  /** A job that returns to the queue waits for its namesakes again. */
  static void resumeSingleton(Draft draft, Job job) {
    List<Dependency> conditions = Dependencies.again(job);
    if (!conditions.isEmpty()) {
      draft.emit(new Event.DependencyChanged(job.id(), conditions, false));
    }
  }

  /** True if the conditions would make the job wait for itself, through at most that many jobs. */
  static boolean circular(ClusterState state, Job job, int depth) {
    return circular(state, job, job.spec().dependency(), depth, new TreeSet<>());
  }

  private static boolean circular(
      ClusterState state, Job job, DependencyList list, int depth, NavigableSet<Integer> seen) {
    for (Dependency condition : depth == 0 ? List.<Dependency>of() : list.conditions()) {
      List<Job> targets = Dependencies.targets(state, condition.jobId(), condition.taskIndex());
      for (Job target : targets) {
        if (target.id() == job.id()) {
          return true;
        }
        if (target.state() instanceof JobState.Pending
            && seen.add(target.id())
            && circular(state, job, target.spec().dependency(), depth - 1, seen)) {
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
