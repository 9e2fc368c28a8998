package io.dure.virtual;

import io.dure.model.ExitStatus;
import io.dure.model.collection.IntMap;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyType;
import io.dure.rules.JobReadiness;
import io.dure.rules.PlannerTime;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.rules.dependency.JobLookup;
import io.dure.rules.dependency.SingletonIndex;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Which jobs wait for which, by the cluster's own rules. One thread. */
final class DependencyTracker implements JobLookup {
  private static final Set<Integer> NONE = Set.of();

  /** Jobs that wait for an end, and jobs that wait for a start, by the job they wait for. */
  private final TreeMap<Integer, Set<Integer>> byEnd = new TreeMap<>();

  private final TreeMap<Integer, Set<Integer>> byStart = new TreeMap<>();

  /** Arrays of whose tasks the scheduler asks for the ends, one by one. */
  private final TreeSet<Integer> counterparts = new TreeSet<>();

  /** Jobs that wait for namesakes, in the order in which they are let go: by base id, then id. */
  private final TreeMap<String, TreeSet<Long>> byName = new TreeMap<>();

  private final TreeSet<Integer> again = new TreeSet<>();

  /** Jobs that time frees. */
  private final TreeSet<Integer> waking = new TreeSet<>();

  /** Jobs that are over and that others wait for, or may yet. */
  private final TreeMap<Integer, Job> over = new TreeMap<>();

  private final IntPredicate named;
  private VirtualClusterView view;

  /**
   * Dependencies in a cluster in which no job is known yet.
   *
   * @param named whether jobs that are still to come may name a job
   */
  DependencyTracker(VirtualClusterView view, IntPredicate named) {
    this.view = view;
    this.named = named;
  }

  /** The same in a cluster that goes on otherwise. */
  DependencyTracker(DependencyTracker before, VirtualClusterView view, IntPredicate named) {
    this.view = view;
    this.named = named;
    before.byEnd.forEach((job, waiting) -> byEnd.put(job, new TreeSet<>(waiting)));
    before.byStart.forEach((job, waiting) -> byStart.put(job, new TreeSet<>(waiting)));
    before.byName.forEach((name, ranks) -> byName.put(name, new TreeSet<>(ranks)));
    counterparts.addAll(before.counterparts);
    again.addAll(before.again);
    waking.addAll(before.waking);
    over.putAll(before.over);
  }

  @Override
  public @Nullable Job job(int id) {
    Job job = view.job(id);
    Job past = job == null ? over.get(id) : null;
    return job != null ? job : past != null ? past : view.ended().get(id);
  }

  @Override
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    return view.arrayTasks(arrayJobId);
  }

  /** The dependencies of a job are remembered; whether they hold is asked with the next release. */
  void know(Job job) {
    if (!(job.state() instanceof JobState.Pending pending)) {
      return;
    }
    for (Dependency condition : pending.waitingFor()) {
      if (condition.type() == DependencyType.SINGLETON) {
        TreeSet<Long> ranks = byName.computeIfAbsent(name(job), _ -> new TreeSet<>());
        ranks.add(rank(job));
        if (rank(job) < behindFirst(ranks)) {
          again.add(job.id());
        }
      } else {
        boolean start = condition.type() == DependencyType.AFTER;
        (start ? byStart : byEnd)
            .computeIfAbsent(condition.jobId(), _ -> new TreeSet<>())
            .add(job.id());
        again.add(job.id());
      }
    }
    DependencyResolver.ofTasks(job).forEach(condition -> counterparts.add(condition.jobId()));
  }

  /** Above the ranks of the first and all that belongs to it: none behind is alone before it. */
  private static long behindFirst(SortedSet<Long> ranks) {
    return ((ranks.first() >> Integer.SIZE) + 1) << Integer.SIZE;
  }

  private static String name(Job job) {
    return job.owner().uid() + "/" + job.spec().name();
  }

  private static long rank(Job job) {
    return (long) job.baseId() << Integer.SIZE | job.id();
  }

  /** A job has started: those that wait for that are to be looked at. */
  void started(Job job) {
    lookAt(byStart, job);
  }

  private void lookAt(SortedMap<Integer, Set<Integer>> waiting, Job job) {
    if (!waiting.isEmpty()) {
      again.addAll(waiting.getOrDefault(job.id(), NONE));
      again.addAll(waiting.getOrDefault(job.baseId(), NONE));
    }
  }

  /**
   * A job is over: those that wait for it are to be looked at.
   *
   * @param start when it began, null if it never ran
   */
  void ended(Job job, @Nullable Instant start, Instant end, JobOutcome outcome) {
    if (named.test(job.id()) || isAskedFor(job.id()) || isAskedFor(job.baseId())) {
      over.put(job.id(), job.withState(new JobState.Ended(null, start, end, outcome, null)));
    }
    lookAt(byStart, job);
    forgetName(job);
    returned(job);
  }

  /** A job has left what it held, for good or for the queue. */
  void returned(Job job) {
    lookAt(byEnd, job);
    TreeSet<Long> ranks = byName.isEmpty() ? null : byName.get(name(job));
    if (ranks != null && !ranks.isEmpty()) {
      ranks.headSet(behindFirst(ranks)).forEach(rank -> again.add((int) (long) rank));
    }
  }

  private boolean isAskedFor(int id) {
    return !byEnd.isEmpty() && byEnd.containsKey(id)
        || !byStart.isEmpty() && byStart.containsKey(id)
        || !counterparts.isEmpty() && counterparts.contains(id);
  }

  private void forgetName(Job job) {
    TreeSet<Long> ranks = byName.isEmpty() ? null : byName.get(name(job));
    if (ranks != null) {
      ranks.remove(rank(job));
    }
  }

  /**
   * Frees the jobs whose dependencies hold, and drops those whose dependencies can never hold,
   * where these do not stay.
   *
   * @param wakes takes seconds in which this has to be asked again
   */
  void release(PendingQueue queue, Instant now, LongConsumer wakes) {
    if (again.isEmpty()) {
      return;
    }
    view = queue.view();
    DependencyResolver.DependencyContext others =
        new DependencyResolver.DependencyContext(this, new SingletonIndex(view));
    // What follows from these follows with the next tick.
    List<Integer> looked = List.copyOf(again);
    again.clear();
    for (int id : looked) {
      Job job = view.pending().get(id);
      if (job == null
          || !(job.state() instanceof JobState.Pending pending)
          || pending.waitingFor().isEmpty()) {
        continue;
      }
      DependencyResolver.Resolved left = DependencyResolver.resolve(others, job, now);
      if (left.failed() && DependencyResolver.cancelsOnInvalidDependency(job, view.settings())) {
        queue.drop(job, new JobOutcome.Cancelled(ExitStatus.OK, 0), now);
        view = queue.view();
        continue;
      }
      if (left.failed() != pending.dependencyFailed()
          || !left.waitingFor().equals(pending.waitingFor())) {
        Job next = job.withState(pending.waiting(left.waitingFor(), left.failed()));
        boolean begins =
            next.eligibleTime() == null && JobReadiness.blockingVerdict(next, now) == null;
        queue.update(begins ? next.withEligibleTime(now) : next);
        view = queue.view();
      }
      if (left.waitingFor().isEmpty()) {
        forgetName(job);
      }
      for (Dependency condition : left.waitingFor()) {
        Instant due = DependencyResolver.due(this, condition);
        if (due != null && due.isAfter(now)) {
          wakes.accept(PlannerTime.second(due));
          waking.add(id);
        }
      }
    }
  }

  /** Whether a job is to be looked at. */
  boolean areOpen() {
    return !again.isEmpty();
  }

  /** Time has passed. */
  void passed() {
    again.addAll(waking);
    waking.clear();
  }

  /** Whether a task of an array may start as far as tasks of another are concerned. */
  boolean mayStart(VirtualClusterView from, Job waiting, int index) {
    view = from;
    return DependencyResolver.taskMayStart(this, waiting, index);
  }
}
