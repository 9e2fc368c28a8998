package io.dure.cluster.decide.job;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.Dependency;
import io.dure.rules.dependency.DependencyResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What becomes of jobs by their conditions on others (Slurm's sbatch(1), --dependency). */
public final class DependencyRules {
  private static final List<Dependency> NOTHING = List.of();

  private DependencyRules() {}

  /**
   * Which of these are still referred to: how long ago it started, or whether one of several
   * conditions failed. Forgotten, they would be taken for what was asked. Of all records that there
   * may be these are a fifth at most: requests cannot fill them.
   *
   * @param old how many records jobs and arrays have that are over, by their ids
   */
  public static Set<Integer> asked(ClusterState state, Map<Integer, Integer> old) {
    Set<Integer> asked = new TreeSet<>();
    int room = state.settings().jobs().maxJobCount() / 5;
    for (Job job : state.timeDependentJobs().values()) {
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

  /**
   * Tasks of a waiting array whose counterparts failed get records of their own, which can never
   * start; where that holds for all of them, the waiting record itself.
   */
  public static void splitHopeless(DecisionBuilder draft, Job waiting) {
    List<Dependency> own = DependencyResolver.ofTasks(waiting);
    if (own.isEmpty()
        || !(waiting.array() instanceof ArrayPart.Waiting part)
        || !(waiting.state() instanceof JobState.Pending pending)
        || pending.dependencyFailed()) {
      return;
    }
    List<Integer> hopeless = new ArrayList<>();
    for (int index : part.waiting().toList()) {
      if (own.stream()
          .map(
              condition -> DependencyResolver.corresponding(draft.state(), condition, index, false))
          .anyMatch(standing -> standing == DependencyResolver.ConditionState.FAILED)) {
        hopeless.add(index);
      }
    }
    if (hopeless.size() == part.waiting().size()) {
      draft.emit(new Event.DependencyChanged(waiting.id(), own, true));
    } else {
      hopeless.forEach(index -> TaskSplits.split(draft, waiting.id(), index));
    }
  }

  /** A job that returns to the queue waits for its namesakes again. */
  static void resumeSingleton(DecisionBuilder draft, Job job) {
    List<Dependency> conditions = DependencyResolver.dependenciesAfterRequeue(job);
    if (!conditions.isEmpty()) {
      draft.emit(new Event.DependencyChanged(job.id(), conditions, false));
    }
  }
}
