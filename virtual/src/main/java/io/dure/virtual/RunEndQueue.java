package io.dure.virtual;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.rules.PlannerTime;
import io.dure.rules.RunEndTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** When the jobs that hold resources give them back. One thread. */
final class RunEndQueue {
  private static final QueuedEnd NEVER = new QueuedEnd(PlannerTime.NEVER, 0, false);

  private final RunTimeModel lifetimes;
  private final PriorityQueue<QueuedEnd> queue = new PriorityQueue<>();
  private final TreeMap<Integer, QueuedEnd> at = new TreeMap<>();

  /** What suspended jobs have left of their runs: their ends, in seconds from when they go on. */
  private final TreeMap<Integer, QueuedEnd> left = new TreeMap<>();

  /**
   * When a run ends unless something else becomes of it before.
   *
   * @param own whether by itself, and not by a limit or to make room
   */
  record QueuedEnd(long second, int job, boolean own) implements Comparable<QueuedEnd> {
    @Override
    public int compareTo(QueuedEnd other) {
      int byTime = Long.compare(second, other.second);
      return byTime == 0 ? Integer.compare(job, other.job) : byTime;
    }
  }

  /** No run yet. */
  RunEndQueue(RunTimeModel lifetimes) {
    this.lifetimes = lifetimes;
  }

  /** The same ends; runs that begin last otherwise. */
  RunEndQueue(RunEndQueue before, RunTimeModel lifetimes) {
    this.lifetimes = lifetimes;
    queue.addAll(before.queue);
    at.putAll(before.at);
    left.putAll(before.left);
  }

  /** When the next run ends; {@link PlannerTime#NEVER} if none does. */
  long next() {
    for (QueuedEnd end = queue.peek(); end != null; end = queue.peek()) {
      if (end.equals(at.get(end.job()))) {
        return end.second();
      }
      queue.poll();
    }
    return PlannerTime.NEVER;
  }

  /** The next end up to then, null if there is none. It is not asked for again. */
  @Nullable QueuedEnd poll(long second) {
    if (next() > second) {
      return null;
    }
    QueuedEnd end = queue.poll();
    if (end == null) {
      return null;
    }
    forget(end.job());
    return end;
  }

  /** The job holds nothing any more. */
  void forget(int job) {
    at.remove(job);
    left.remove(job);
  }

  /** The job ends then, or before. */
  void atLatest(int job, long second) {
    QueuedEnd known = at.get(job);
    if (known == null || second < known.second()) {
      put(new QueuedEnd(second, job, false));
    }
  }

  private void put(QueuedEnd end) {
    if (end.second() < PlannerTime.NEVER) {
      at.put(end.job(), end);
      queue.add(end);
    } else {
      at.remove(end.job());
    }
  }

  /** A job holds resources from now on, or is found to, or its lifetime is another one now. */
  void take(VirtualClusterView view, Job job, long now) {
    switch (job.state()) {
      case JobState.Running running -> {
        QueuedEnd end = end(view, job, running);
        put(new QueuedEnd(Math.max(now, end.second()), job.id(), end.own()));
      }
      case JobState.Suspended suspended -> {
        QueuedEnd end = end(view, job, suspended.run());
        switch (suspended.cause()) {
          // Time slices are not planned for: a job that waits for its slice keeps its cores.
          case TIME_SLICE -> put(new QueuedEnd(Math.max(now, end.second()), job.id(), end.own()));
          case OPERATOR -> {}
          case PREEMPTION -> left.put(job.id(), from(end, PlannerTime.second(suspended.since())));
        }
      }
      case JobState.Completing _ -> put(new QueuedEnd(now + 1, job.id(), false));
      case JobState.Pending _, JobState.Ended _ -> {}
    }
  }

  private QueuedEnd end(VirtualClusterView view, Job job, JobState.Running run) {
    Instant limit = run.end();
    Duration grace = RunEndTime.grace(view, run.allocation().partition());
    Instant killed = limit == null || grace == null ? null : limit.plus(grace);
    // A job that was told to make room gets no more time on top of its grace.
    Instant told = run.notice() == null ? null : run.notice().killAt();
    Instant bound = RunEndTime.earlier(RunEndTime.earlier(killed, told), job.spec().deadline());
    long own = lifetimes.end(job, run);
    long latest = PlannerTime.second(bound);
    // An estimate may name the end of the grace: such an end is not the run's own.
    boolean withinGrace = told == null || own < PlannerTime.second(told);
    boolean well = own <= latest && withinGrace && lifetimes.endsWell(job, run);
    return new QueuedEnd(Math.min(own, latest), job.id(), well);
  }

  /** An end counted from a second on. */
  private static QueuedEnd from(QueuedEnd end, long second) {
    return end.second() >= PlannerTime.NEVER
        ? end
        : new QueuedEnd(Math.max(0, end.second() - second), end.job(), end.own());
  }

  /** The job is suspended. */
  void pause(int job, long now) {
    QueuedEnd end = at.remove(job);
    left.put(job, end == null ? NEVER : from(end, now));
  }

  /** The job goes on, until then at the latest; one that has no time left ends a second later. */
  void resume(int job, long now, long latest) {
    QueuedEnd rest = left.remove(job);
    if (rest == null || rest.second() >= PlannerTime.NEVER) {
      put(new QueuedEnd(Math.max(now + 1, latest), job, false));
      return;
    }
    long second = now + rest.second();
    put(
        new QueuedEnd(
            Math.max(now + 1, Math.min(latest, second)), job, rest.own() && second <= latest));
  }

  /** The jobs that are suspended until their cores are free. */
  List<Integer> paused() {
    return List.copyOf(left.keySet());
  }

  /** Whether there are any. */
  boolean anyPaused() {
    return !left.isEmpty();
  }
}
