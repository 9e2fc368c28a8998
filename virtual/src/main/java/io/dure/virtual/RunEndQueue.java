package io.dure.virtual;

import io.dure.model.Job;
import io.dure.model.JobState;
import io.dure.rules.PlannerTime;
import io.dure.rules.RunEndTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** When those who hold resources give them back. One thread. */
final class RunEndQueue {
  private final RunTimeModel lifetimes;
  private final PriorityQueue<QueuedEnd> queue = new PriorityQueue<>();
  private final TreeMap<Integer, Long> at = new TreeMap<>();

  /** Seconds that those who stand still have left. */
  private final TreeMap<Integer, Long> left = new TreeMap<>();

  /** When a run ends unless something else becomes of it before. */
  record QueuedEnd(long second, int job) implements Comparable<QueuedEnd> {
    @Override
    public int compareTo(QueuedEnd other) {
      int byTime = Long.compare(second, other.second);
      return byTime == 0 ? Integer.compare(job, other.job) : byTime;
    }
  }

  RunEndQueue(RunTimeModel lifetimes) {
    this.lifetimes = lifetimes;
  }

  /** When the next run ends; {@link PlannerTime#NEVER} if none does. */
  long next() {
    for (QueuedEnd end = queue.peek(); end != null; end = queue.peek()) {
      if (Long.valueOf(end.second()).equals(at.get(end.job()))) {
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
    Long known = at.get(job);
    if (known == null || second < known) {
      put(job, second);
    }
  }

  private void put(int job, long second) {
    if (second < PlannerTime.NEVER) {
      at.put(job, second);
      queue.add(new QueuedEnd(second, job));
    } else {
      at.remove(job);
    }
  }

  /** A job holds resources from now on, or is found to. */
  void take(VirtualClusterView view, Job job, long now) {
    switch (job.state()) {
      case JobState.Running running -> put(job.id(), Math.max(now, end(view, job, running)));
      case JobState.Suspended suspended -> {
        long end = end(view, job, suspended.run());
        switch (suspended.cause()) {
          // Turns are none of planning's business: who waits for his holds his cores.
          case TIME_SLICE -> put(job.id(), Math.max(now, end));
          case OPERATOR -> {}
          case PREEMPTION ->
              left.put(
                  job.id(),
                  end >= PlannerTime.NEVER
                      ? end
                      : Math.max(0, end - PlannerTime.second(suspended.since())));
        }
      }
      case JobState.Completing _ -> put(job.id(), now + 1);
      case JobState.Pending _, JobState.Ended _ -> {}
    }
  }

  private long end(VirtualClusterView view, Job job, JobState.Running run) {
    Instant limit = run.end();
    Duration grace = RunEndTime.grace(view, run.allocation().partition());
    Instant killed = limit == null || grace == null ? null : limit.plus(grace);
    // Who was told to make room gets no more time on top of his grace.
    Instant told = run.notice() == null ? null : run.notice().killAt();
    Instant bound = RunEndTime.earlier(RunEndTime.earlier(killed, told), job.spec().deadline());
    return Math.min(lifetimes.end(job, run), PlannerTime.second(bound));
  }

  /** The job stands still. */
  void pause(int job, long now) {
    Long end = at.get(job);
    left.put(job, end == null ? PlannerTime.NEVER : Math.max(0, end - now));
    at.remove(job);
  }

  /** The job goes on, until then at the latest; who has no time left is ended a second later. */
  void resume(int job, long now, long latest) {
    Long rest = left.remove(job);
    long end = rest == null || rest >= PlannerTime.NEVER ? PlannerTime.NEVER : now + rest;
    put(job, Math.max(now + 1, Math.min(latest, end)));
  }

  /** Those who stand still until their cores are free. */
  List<Integer> paused() {
    return List.copyOf(left.keySet());
  }

  /** Whether somebody does. */
  boolean anyPaused() {
    return !left.isEmpty();
  }
}
