package io.dure.core.rollout;

import io.dure.core.model.ArrayPart;
import io.dure.core.model.Dependency;
import io.dure.core.model.DependencyType;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom. Every job that is over was successful: what waits for a success goes on, what
 * waits for a failure never does. One thread.
 */
final class Conditions {
  private final TreeMap<Integer, TreeSet<Integer>> byTarget = new TreeMap<>();
  private final TreeMap<String, TreeSet<Integer>> byName = new TreeMap<>();
  private final TreeSet<Integer> again = new TreeSet<>();

  /** Whom a job waits for is remembered. */
  void know(Job job) {
    if (!(job.state() instanceof JobState.Pending pending) || pending.dependencyFailed()) {
      return;
    }
    for (Dependency condition : pending.waitingFor()) {
      if (condition.type() == DependencyType.SINGLETON) {
        byName.computeIfAbsent(name(job), _ -> new TreeSet<>()).add(job.id());
      } else {
        byTarget.computeIfAbsent(condition.jobId(), _ -> new TreeSet<>()).add(job.id());
      }
    }
  }

  private static String name(Job job) {
    return job.owner().uid() + "/" + job.spec().name();
  }

  /** Whether anybody waits for it. */
  boolean isAwaited(Job job) {
    return byTarget.containsKey(job.id())
        || byTarget.containsKey(job.baseId())
        || byName.containsKey(name(job));
  }

  /** Something became of a job: those who wait for it are to be looked at. */
  void changed(Job job) {
    if (byTarget.isEmpty() && byName.isEmpty()) {
      return;
    }
    TreeSet<Integer> own = byTarget.get(job.id());
    if (own != null) {
      again.addAll(own);
    }
    TreeSet<Integer> ofAll = job.baseId() == job.id() ? null : byTarget.get(job.baseId());
    if (ofAll != null) {
      again.addAll(ofAll);
    }
    TreeSet<Integer> namesakes = byName.isEmpty() ? null : byName.get(name(job));
    if (namesakes != null && !namesakes.isEmpty()) {
      again.add(namesakes.first());
    }
  }

  /**
   * The cluster with those freed who wait for nobody any more.
   *
   * @param wakes takes seconds in which this has to be asked again
   */
  Imagined release(Imagined view, Instant now, LongConsumer wakes) {
    Imagined next = view;
    for (Integer id = again.pollFirst(); id != null; id = again.pollFirst()) {
      Job job = next.pending().get(id);
      if (job == null || !(job.state() instanceof JobState.Pending pending)) {
        continue;
      }
      List<Dependency> left = new ArrayList<>();
      boolean one = false;
      for (Dependency condition : pending.waitingFor()) {
        boolean met = isMet(next, job, condition, now, wakes);
        one |= met;
        if (!met) {
          left.add(condition);
        }
      }
      if (job.spec().dependency().any() && one) {
        left.clear();
      }
      if (left.size() < pending.waitingFor().size()) {
        Job freed = job.withState(pending.waiting(List.copyOf(left), false));
        boolean since = left.isEmpty() && freed.eligibleTime() == null;
        next = next.queue(since ? freed.withEligible(now) : freed);
      }
      if (left.isEmpty() && !byName.isEmpty()) {
        TreeSet<Integer> namesakes = byName.get(name(job));
        if (namesakes != null) {
          namesakes.remove(id);
        }
      }
    }
    return next;
  }

  private boolean isMet(
      Imagined view, Job job, Dependency condition, Instant now, LongConsumer wakes) {
    return switch (condition.type()) {
      case SINGLETON -> isAlone(view, job);
      case AFTER_NOT_OK -> false;
      case AFTER_ANY, AFTER_OK, AFTER_CORR -> targets(view, condition).isEmpty();
      case AFTER -> {
        Duration delay = Duration.ofMinutes(condition.delayMinutes());
        Instant from = Instant.MIN;
        for (Job target : targets(view, condition)) {
          Instant start = start(target);
          if (start == null) {
            yield false;
          }
          from = start.isAfter(from) ? start : from;
        }
        boolean due = from.equals(Instant.MIN) || !now.isBefore(from.plus(delay));
        if (!due) {
          wakes.accept(Times.second(from.plus(delay)));
          byTarget.computeIfAbsent(condition.jobId(), _ -> new TreeSet<>()).add(job.id());
          waking.add(job.id());
        }
        yield due;
      }
    };
  }

  /** Those whom time frees. */
  private final TreeSet<Integer> waking = new TreeSet<>();

  /** Time has passed. */
  void passed() {
    again.addAll(waking);
    waking.clear();
  }

  private static @Nullable Instant start(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.start();
      case JobState.Suspended suspended -> suspended.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Pending _, JobState.Ended _ -> null;
    };
  }

  private static boolean isAlone(Imagined view, Job job) {
    return !view.active().any(other -> same(other, job) && other.baseId() != job.baseId())
        && !view.pending().any(other -> same(other, job) && other.baseId() < job.baseId());
  }

  private static boolean same(Job one, Job other) {
    return one.owner().uid() == other.owner().uid()
        && one.spec().name().equals(other.spec().name());
  }

  /** Those that are meant and not over. */
  private static List<Job> targets(Imagined view, Dependency condition) {
    List<Job> targets = new ArrayList<>();
    Integer index = condition.taskIndex();
    Job own = view.job(condition.jobId());
    if (own != null && means(own, index)) {
      targets.add(own);
    }
    view.arrayTasks(condition.jobId())
        .forEach((task, id) -> {
          Job job = view.job(id);
          if (job != null
              && (own == null || job.id() != own.id())
              && (index == null || index.equals(task))) {
            targets.add(job);
          }
        });
    return targets;
  }

  private static boolean means(Job job, @Nullable Integer index) {
    return index == null
        || switch (job.array()) {
          case ArrayPart.Waiting waiting -> waiting.waiting().contains(index);
          case ArrayPart.Task task -> task.index() == index;
          case null -> true;
        };
  }

  /** Whether a task of an array may start as far as tasks of another are concerned. */
  static boolean mayStart(Imagined view, Job waiting, int index) {
    if (waiting.spec().dependency().any()) {
      return true;
    }
    for (Dependency condition : waiting.spec().dependency().conditions()) {
      if (condition.type() == DependencyType.AFTER_CORR) {
        Dependency ofTask = new Dependency(DependencyType.AFTER_CORR, condition.jobId(), index, 0);
        if (!targets(view, ofTask).isEmpty()) {
          return false;
        }
      }
    }
    return true;
  }
}
