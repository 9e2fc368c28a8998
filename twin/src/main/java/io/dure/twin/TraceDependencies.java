package io.dure.twin;

import io.dure.model.Dependency;
import io.dure.model.DependencyList;
import io.dure.model.DependencyType;
import io.dure.model.JobSpec;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that wait for others of the trace, which they name by the number of the submission. A log
 * knows no exit codes: who ended by itself ended well, who ran into a limit or lost its node did
 * not. For one thread.
 */
final class TraceDependencies {
  private static final long MINUTE = 60;

  private final List<TraceJob> trace;
  private final @Nullable TraceJobOutcome[] endings;
  private final Map<Integer, List<Integer>> jobsOf = new TreeMap<>();
  private final Map<Integer, Long> starts = new TreeMap<>();
  private final Map<String, TreeSet<Integer>> sameName = new TreeMap<>();
  private final TreeMap<Integer, JobSpec> waiting = new TreeMap<>();

  /** How it stands with a condition. */
  sealed interface Answer {
    /** It holds. */
    record Holds() implements Answer {}

    /** It may hold; at the latest looked at again in that second. */
    record NotYet(long again) implements Answer {}

    /** It never will. */
    record Never() implements Answer {}

    /** It names nobody, and such a job is not taken. */
    record Unknown() implements Answer {}
  }

  private static final Answer HOLDS = new Answer.Holds();
  private static final Answer NEVER = new Answer.Never();
  private static final Answer NOT_YET = new Answer.NotYet(Long.MAX_VALUE);

  /**
   * Nobody waits yet.
   *
   * @param endings what became of each job, by its number less one; null while it is not over
   */
  TraceDependencies(List<TraceJob> trace, @Nullable TraceJobOutcome[] endings) {
    this.trace = trace;
    this.endings = endings;
  }

  /** The same of a trace that may be longer: what is known of its beginning holds. */
  TraceDependencies(
      TraceDependencies before, List<TraceJob> trace, @Nullable TraceJobOutcome[] endings) {
    this(trace, endings);
    before.jobsOf.forEach((number, jobs) -> jobsOf.put(number, new ArrayList<>(jobs)));
    before.sameName.forEach((name, jobs) -> sameName.put(name, new TreeSet<>(jobs)));
    starts.putAll(before.starts);
    waiting.putAll(before.waiting);
  }

  /** A job came. */
  void came(int id) {
    TraceJob job = trace.get(id - 1);
    TraceJob.Origin origin = job.origin();
    if (origin != null) {
      jobsOf.computeIfAbsent(origin.number(), _ -> new ArrayList<>()).add(id);
      sameName.computeIfAbsent(owned(job), _ -> new TreeSet<>()).add(id);
    }
  }

  /** A job started. */
  void started(int id, long second) {
    starts.put(id, second);
  }

  /** A job is over. */
  void over(int id) {
    TreeSet<Integer> same = sameName.get(owned(trace.get(id - 1)));
    if (same != null) {
      same.remove(id);
    }
  }

  /** The first job of an array, by any of its tasks. */
  int firstOf(TraceJob.Origin origin) {
    return jobsOf.getOrDefault(origin.number(), List.of()).getFirst();
  }

  private static String owned(TraceJob job) {
    if (job.demand() instanceof TraceJobRequest.SbatchRequest(JobSpec spec)) {
      return job.user() + "\n" + spec.name();
    }
    return job.user() + "\n" + job.name();
  }

  /** Keeps a job back. */
  void keep(int id, JobSpec spec) {
    waiting.put(id, spec);
  }

  /** The jobs that are kept back, with what they ask for. */
  Map<Integer, JobSpec> waiting() {
    return waiting;
  }

  /** How it stands with all that a job waits for. */
  Answer of(int id, DependencyList dependency, long now) {
    boolean never = false;
    long again = Long.MAX_VALUE;
    boolean open = false;
    boolean some = dependency.conditions().isEmpty();
    for (Dependency condition : dependency.conditions()) {
      switch (of(id, condition, now)) {
        case Answer.Holds _ -> some = true;
        case Answer.NotYet(long second) -> {
          open = true;
          again = Math.min(again, second);
        }
        case Answer.Never _ -> never = true;
        case Answer.Unknown unknown -> {
          return unknown;
        }
      }
    }
    if (dependency.any()) {
      return some ? HOLDS : open ? new Answer.NotYet(again) : NEVER;
    }
    return never ? NEVER : open ? new Answer.NotYet(again) : HOLDS;
  }

  private Answer of(int id, Dependency condition, long now) {
    if (condition.type() == DependencyType.SINGLETON) {
      TreeSet<Integer> same = sameName.get(owned(trace.get(id - 1)));
      return same == null || same.isEmpty() || same.first() >= first(id) ? HOLDS : NOT_YET;
    }
    List<Integer> meant = meant(id, condition);
    if (meant.isEmpty()) {
      return switch (condition.type()) {
        case AFTER_OK, AFTER_NOT_OK, AFTER_CORR -> new Answer.Unknown();
        case AFTER, AFTER_ANY, SINGLETON -> HOLDS;
      };
    }
    Answer whole = HOLDS;
    for (int other : meant) {
      Answer one = of(condition, other, now);
      if (one instanceof Answer.Never) {
        return one;
      }
      whole = one instanceof Answer.NotYet ? one : whole;
    }
    return whole;
  }

  /** The job that leads a heterogeneous one, else the job itself. */
  private int first(int id) {
    TraceJob.Origin origin = trace.get(id - 1).origin();
    TraceJob.Component component = origin == null ? null : origin.component();
    return component == null ? id : id - component.offset();
  }

  private List<Integer> meant(int id, Dependency condition) {
    List<Integer> all = jobsOf.getOrDefault(condition.jobId(), List.of());
    TraceJob.Origin own = trace.get(id - 1).origin();
    Integer task = condition.taskIndex();
    if (condition.type() == DependencyType.AFTER_CORR && own != null && own.task() != null) {
      task = own.task();
    }
    List<Integer> meant = new ArrayList<>();
    for (int other : all) {
      TraceJob.Origin origin = trace.get(other - 1).origin();
      if (task == null || origin == null || origin.task() == null || task.equals(origin.task())) {
        meant.add(other);
      }
    }
    return meant;
  }

  private Answer of(Dependency condition, int other, long now) {
    TraceJobOutcome ending = endings[other - 1];
    return switch (condition.type()) {
      case AFTER -> {
        Long start = starts.get(other);
        long from = start == null ? Long.MAX_VALUE : start + condition.delayMinutes() * MINUTE;
        yield from <= now || start == null && ending != null ? HOLDS : new Answer.NotYet(from);
      }
      case AFTER_ANY -> ending == null ? NOT_YET : HOLDS;
      case AFTER_OK, AFTER_CORR ->
          ending == null ? NOT_YET : ending instanceof TraceJobOutcome.Finished ? HOLDS : NEVER;
      case AFTER_NOT_OK ->
          ending == null ? NOT_YET : ending instanceof TraceJobOutcome.Finished ? NEVER : HOLDS;
      case SINGLETON -> HOLDS;
    };
  }
}
