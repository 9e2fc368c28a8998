package io.dure.twin;

import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.DependencyType;
import io.dure.twin.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs came with which submission of a trace. Dependencies name the number of a submission;
 * in the cluster they name its first job. For one thread.
 */
final class TraceSubmissionIndex {
  /** Names no job, so a condition on it holds at once. */
  private static final int NO_JOB = Integer.MAX_VALUE;

  private final List<TraceJob> trace;
  private final TreeMap<Integer, List<Integer>> jobsOf = new TreeMap<>();

  /** None yet. */
  TraceSubmissionIndex(List<TraceJob> trace) {
    this.trace = trace;
  }

  /** The same of a trace that may be longer: what is known of its beginning holds. */
  TraceSubmissionIndex(TraceSubmissionIndex before, List<TraceJob> trace) {
    this(trace);
    before.jobsOf.forEach((number, jobs) -> jobsOf.put(number, new ArrayList<>(jobs)));
  }

  /** A job came and was taken. */
  void came(int id) {
    TraceJob.Origin origin = trace.get(id - 1).origin();
    if (origin != null) {
      jobsOf.computeIfAbsent(origin.number(), _ -> new ArrayList<>()).add(id);
    }
  }

  /** The first job of an array, by any of its tasks; that one if none came before. */
  int firstOf(TraceJob.Origin origin, int id) {
    List<Integer> jobs = jobsOf.get(origin.number());
    return jobs == null ? id : jobs.getFirst();
  }

  /** Conditions as jobs of the cluster have them; null if one names a job that is not known. */
  @Nullable List<Dependency> conditions(int id, DependencyList list) {
    return namesUnknown(id, list.conditions()) ? null : translated(id, list.conditions());
  }

  /** Whether a submission with these conditions is refused, for a job that is not known. */
  boolean namesUnknown(int id, List<Dependency> list) {
    return list.stream()
        .anyMatch(condition -> isRefused(condition.type()) && !isKnown(id, condition));
  }

  /** Conditions with the numbers that jobs have here; a job that is not known has none of them. */
  List<Dependency> translated(int id, List<Dependency> list) {
    List<Dependency> conditions = new ArrayList<>();
    for (Dependency condition : list) {
      if (condition.type() == DependencyType.SINGLETON) {
        conditions.add(condition);
        continue;
      }
      conditions.add(
          new Dependency(
              condition.type(),
              isKnown(id, condition) ? jobsOf(condition).getFirst() : NO_JOB,
              condition.taskIndex(),
              condition.delayMinutes()));
    }
    return conditions;
  }

  /** Whether a submission is refused that names an unknown job so. */
  private static boolean isRefused(DependencyType type) {
    return switch (type) {
      case AFTER_OK, AFTER_NOT_OK, AFTER_CORR -> true;
      case AFTER, AFTER_ANY, SINGLETON -> false;
    };
  }

  private List<Integer> jobsOf(Dependency condition) {
    return jobsOf.getOrDefault(condition.jobId(), List.of());
  }

  private boolean isKnown(int id, Dependency condition) {
    TraceJob.Origin own = trace.get(id - 1).origin();
    Integer task = condition.taskIndex();
    if (condition.type() == DependencyType.AFTER_CORR && own != null && own.task() != null) {
      task = own.task();
    }
    for (int other : jobsOf(condition)) {
      TraceJob.Origin origin = trace.get(other - 1).origin();
      if (task == null || origin == null || origin.task() == null || task.equals(origin.task())) {
        return true;
      }
    }
    return false;
  }
}
