package io.dure.core.controller.decide;

import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Event;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Dependency;
import io.dure.core.model.DependencyList;
import io.dure.core.model.DependencyType;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
   * @return null if they ask for the result of a job that does not exist
   */
  static @Nullable Resolved resolveNew(
      ClusterState state, DependencyList list, Caller.User who, JobSpec spec, Instant now) {
    if (asksForNobody(state, list)) {
      return null;
    }
    Asking asking = new Asking(Integer.MAX_VALUE, null, who.identity().uid(), spec.name());
    return resolve(new Singletons(state), list.conditions(), list.any(), asking, now);
  }

  /** True if a result is asked for of a job or task that does not exist. */
  static boolean asksForNobody(ClusterState state, DependencyList list) {
    for (Dependency condition : list.conditions()) {
      boolean wantsResult =
          condition.type() == DependencyType.AFTER_OK
              || condition.type() == DependencyType.AFTER_NOT_OK;
      if (wantsResult && targets(state, condition.jobId(), condition.taskIndex()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The conditions of a pending job whose list was just changed. */
  static Resolved resolveChanged(ClusterState state, Job job, Instant now) {
    DependencyList list = job.spec().dependency();
    return resolve(new Singletons(state), list.conditions(), list.any(), Asking.of(job), now);
  }

  /** The conditions of a pending job as they stand now. A list that failed stays failed. */
  static Resolved resolve(Singletons singletons, Job job, Instant now) {
    JobState.Pending pending = (JobState.Pending) job.state();
    boolean any = job.spec().dependency().any();
    if (pending.dependencyFailed() && !any) {
      return new Resolved(pending.waitingFor(), true);
    }
    return resolve(singletons, pending.waitingFor(), any, Asking.of(job), now);
  }

  /**
   * Whose conditions are looked at.
   *
   * @param baseId array or job id, above all others for a job that has none yet
   */
  private record Asking(int baseId, @Nullable Integer taskIndex, int uid, String name) {
    static Asking of(Job job) {
      Integer index = job.array() instanceof ArrayPart.Task task ? task.index() : null;
      return new Asking(job.baseId(), index, job.owner().uid(), job.spec().name());
    }
  }

  private static Resolved resolve(
      Singletons singletons, List<Dependency> conditions, boolean any, Asking asking, Instant now) {
    List<Dependency> left = new ArrayList<>();
    int failed = 0;
    for (Dependency condition : conditions) {
      switch (standing(singletons, condition, any, asking, now)) {
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
      Singletons singletons, Dependency condition, boolean any, Asking asking, Instant now) {
    ClusterState state = singletons.state();
    return switch (condition.type()) {
      case SINGLETON ->
          singletons.free(asking.uid(), asking.name(), asking.baseId())
              ? Standing.MET
              : Standing.OPEN;
      case AFTER_CORR -> corresponding(state, condition, asking.taskIndex(), any);
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
        boolean special =
            target.state() instanceof JobState.Pending pending
                && pending.hold() == Hold.SPECIAL_EXIT;
        yield special
            ? Standing.MET
            : outcome == null
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
          case JobState.Suspended suspended -> suspended.run().start();
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

  private static Standing corresponding(
      ClusterState state, Dependency condition, @Nullable Integer index, boolean any) {
    boolean array = isArray(state, condition.jobId());
    if (array && index == null && !any) {
      // Waiting tasks are looked at one by one, by the gate and when they get their own records.
      return Standing.MET;
    }
    List<Job> targets =
        targets(state, condition.jobId(), array && index != null ? index : condition.taskIndex());
    return targets.isEmpty() ? Standing.MET : ofTargets(targets, condition, Instant.MIN);
  }

  private static boolean isArray(ClusterState state, int jobId) {
    Job job = state.job(jobId);
    return !state.arrayTasks(jobId).isEmpty()
        || (job != null && job.array() instanceof ArrayPart.Waiting);
  }

  /** The records a condition looks at; none if the job is unknown (any more). */
  private static List<Job> targets(ClusterState state, int jobId, @Nullable Integer index) {
    Job one = state.job(jobId);
    if (one != null && one.het() != null) {
      return List.of(one);
    }
    if (index == null) {
      return state.records(jobId);
    }
    Job task = state.task(jobId, index);
    return task == null ? List.of() : List.of(task);
  }

  /** True if the index of a waiting array may start as far as {@code aftercorr} goes. */
  public static boolean taskMayStart(ClusterState state, Job waiting, int index) {
    for (Dependency condition : ofTasks(waiting)) {
      if (corresponding(state, condition, index, false) != Standing.MET) {
        return false;
      }
    }
    return true;
  }

  /** The conditions that each task of an array has for itself. */
  private static List<Dependency> ofTasks(Job job) {
    DependencyList list = job.spec().dependency();
    return list.any()
        ? List.of()
        : list.conditions().stream().filter(c -> c.type() == DependencyType.AFTER_CORR).toList();
  }

  /** A task that got a record of its own has conditions of its own from then on. */
  static void ownConditions(Draft draft, Job task) {
    List<Dependency> own = ofTasks(task);
    if (own.isEmpty() || !(task.state() instanceof JobState.Pending pending)) {
      return;
    }
    Resolved resolved =
        resolve(new Singletons(draft.state()), own, false, Asking.of(task), draft.now());
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
    List<Dependency> own = ofTasks(waiting);
    if (own.isEmpty()
        || !(waiting.array() instanceof ArrayPart.Waiting part)
        || !(waiting.state() instanceof JobState.Pending pending)
        || pending.dependencyFailed()) {
      return;
    }
    List<Integer> hopeless = new ArrayList<>();
    for (int index : part.waiting().toList()) {
      if (own.stream()
          .anyMatch(c -> corresponding(draft.state(), c, index, false) == Standing.FAILED)) {
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
    DependencyList list = job.spec().dependency();
    List<Dependency> conditions =
        list.conditions().stream().filter(c -> c.type() == DependencyType.SINGLETON).toList();
    if (!list.any() && !conditions.isEmpty()) {
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
      List<Job> targets = targets(state, condition.jobId(), condition.taskIndex());
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

  /**
   * Who holds a name of a user, for {@code --dependency=singleton}: the first question is answered
   * by looking for one such job, from the second on they are counted once for all. The tasks of an
   * array are one job here.
   */
  static final class Singletons {
    private final ClusterState state;
    private boolean asked;
    private @Nullable Map<String, Set<Integer>> active;
    private final TreeMap<String, Integer> firstPending = new TreeMap<>();

    Singletons(ClusterState state) {
      this.state = state;
    }

    /** The state that is looked at. */
    ClusterState state() {
      return state;
    }

    /** True if no other job of that user and name is running, or pending with a lower id. */
    boolean free(int uid, String name, int baseId) {
      if (!asked) {
        asked = true;
        return !state.active().any(job -> same(job, uid, name) && job.baseId() != baseId)
            && !state.pending().any(job -> same(job, uid, name) && job.baseId() < baseId);
      }
      Map<String, Set<Integer>> running = active == null ? count() : active;
      String key = key(uid, name);
      return running.getOrDefault(key, new TreeSet<>()).stream().allMatch(id -> id == baseId)
          && firstPending.getOrDefault(key, baseId) >= baseId;
    }

    private static boolean same(Job job, int uid, String name) {
      return job.owner().uid() == uid && job.spec().name().equals(name);
    }

    private Map<String, Set<Integer>> count() {
      Map<String, Set<Integer>> running = new TreeMap<>();
      for (Job job : state.active().values()) {
        running.computeIfAbsent(key(job), _ -> new TreeSet<>()).add(job.baseId());
      }
      for (Job job : state.pending().values()) {
        firstPending.merge(key(job), job.baseId(), Math::min);
      }
      active = running;
      return running;
    }

    private static String key(Job job) {
      return key(job.owner().uid(), job.spec().name());
    }

    private static String key(int uid, String name) {
      return uid + "/" + name;
    }
  }
}
