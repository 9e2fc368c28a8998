package io.dure.virtual;

import io.dure.model.Dependency;
import io.dure.model.DependencyType;
import io.dure.model.ExitStatus;
import io.dure.model.Job;
import io.dure.model.JobOutcome;
import io.dure.model.JobState;
import io.dure.model.collection.IntMap;
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
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Who waits for whom, by the cluster's own rules. One thread. */
final class DependencyTracker implements JobLookup {
  private static final Set<Integer> NOBODY = Set.of();

  /** Who waits for an end, and who for a start. */
  private final TreeMap<Integer, Set<Integer>> byEnd = new TreeMap<>();

  private final TreeMap<Integer, Set<Integer>> byStart = new TreeMap<>();

  /** Whose tasks' ends the scheduler asks for, one by one. */
  private final TreeSet<Integer> counterparts = new TreeSet<>();

  /** Who waits for his namesakes, in the order in which they are let go: by base id, then id. */
  private final TreeMap<String, TreeSet<Long>> byName = new TreeMap<>();

  private final TreeSet<Integer> again = new TreeSet<>();

  /** Those whom time frees. */
  private final TreeSet<Integer> waking = new TreeSet<>();

  /** Those who are over and whom somebody waited for. */
  private final TreeMap<Integer, Job> over = new TreeMap<>();

  private VirtualClusterView view;

  /** Conditions in a cluster in which nobody is known yet. */
  DependencyTracker(VirtualClusterView view) {
    this.view = view;
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

  /** Whom a job waits for is remembered; whether it still does is asked with the next release. */
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

  /** Above the ranks of the first and all that belongs to it: nobody behind is alone before it. */
  private static long behindFirst(SortedSet<Long> ranks) {
    return ((ranks.first() >> Integer.SIZE) + 1) << Integer.SIZE;
  }

  private static String name(Job job) {
    return job.owner().uid() + "/" + job.spec().name();
  }

  private static long rank(Job job) {
    return (long) job.baseId() << Integer.SIZE | job.id();
  }

  /** A job has started: those who wait for that are to be looked at. */
  void started(Job job) {
    lookAt(byStart, job);
  }

  private void lookAt(SortedMap<Integer, Set<Integer>> waiting, Job job) {
    if (!waiting.isEmpty()) {
      again.addAll(waiting.getOrDefault(job.id(), NOBODY));
      again.addAll(waiting.getOrDefault(job.baseId(), NOBODY));
    }
  }

  /**
   * A job is over: those who wait for it are to be looked at.
   *
   * @param start when it began, null if it never ran
   */
  void ended(Job job, @Nullable Instant start, Instant end, JobOutcome outcome) {
    if (isAskedFor(job.id()) || isAskedFor(job.baseId())) {
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
    return byEnd.containsKey(id) || byStart.containsKey(id) || counterparts.contains(id);
  }

  private void forgetName(Job job) {
    TreeSet<Long> ranks = byName.isEmpty() ? null : byName.get(name(job));
    if (ranks != null) {
      ranks.remove(rank(job));
    }
  }

  /** The cluster without a job that leaves the queue, and all that would have started with it. */
  VirtualClusterView drop(VirtualClusterView from, Job job, JobOutcome outcome, Instant now) {
    VirtualClusterView next = from;
    int first = job.het() == null ? job.id() : job.het().leader();
    int last = job.het() == null ? job.id() : job.het().last();
    for (int id = first; id <= last; id++) {
      Job one = next.pending().get(id);
      if (one != null) {
        next = next.withdraw(id);
        ended(one, null, now, outcome);
      }
    }
    return next;
  }

  /**
   * The cluster with those freed who wait for nobody any more, and without those whose conditions
   * can never hold, where these do not stay.
   *
   * @param wakes takes seconds in which this has to be asked again
   */
  VirtualClusterView release(VirtualClusterView from, Instant now, LongConsumer wakes) {
    view = from;
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
        view = drop(view, job, new JobOutcome.Cancelled(ExitStatus.OK, 0), now);
        continue;
      }
      if (left.failed() != pending.dependencyFailed()
          || !left.waitingFor().equals(pending.waitingFor())) {
        Job next = job.withState(pending.waiting(left.waitingFor(), left.failed()));
        boolean begins =
            next.eligibleTime() == null && JobReadiness.blockingVerdict(next, now) == null;
        view = view.queue(begins ? next.withEligibleTime(now) : next);
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
    return view;
  }

  /** Whether somebody is to be looked at. */
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
