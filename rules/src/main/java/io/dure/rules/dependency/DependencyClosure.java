package io.dure.rules.dependency;

import io.dure.model.collection.IntMap;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The jobs that others wait for, and that wait themselves. One thread. */
public final class DependencyClosure {
  private final JobLookup jobs;
  private final IntMap<Job> pending;
  private final TreeSet<Integer> all = new TreeSet<>();
  private final ArrayDeque<Job> left = new ArrayDeque<>();
  private final TreeSet<Integer> followed = new TreeSet<>();

  /** By name, then by base id; jobs that have been looked at are not in it any more. */
  private @Nullable Map<String, NavigableMap<Integer, List<Job>>> byName;

  private DependencyClosure(JobLookup jobs, IntMap<Job> pending) {
    this.jobs = jobs;
    this.pending = pending;
  }

  /**
   * These, with all in the queue that one of them waits for, or one of those, and so on.
   *
   * @param pending the queue, by id
   */
  public static List<Integer> with(JobLookup jobs, IntMap<Job> pending, List<Integer> ids) {
    DependencyClosure awaited = new DependencyClosure(jobs, pending);
    ids.forEach(awaited::add);
    for (Job job = awaited.left.poll(); job != null; job = awaited.left.poll()) {
      awaited.follow(job);
    }
    return List.copyOf(awaited.all);
  }

  private void add(int id) {
    Job job = pending.get(id);
    HetComponent het = job == null ? null : job.het();
    int last = het == null ? id : het.last();
    for (int one = het == null ? id : het.leader(); one <= last; one++) {
      Job component = pending.get(one);
      if (component != null && all.add(one)) {
        left.add(component);
      }
    }
  }

  private void follow(Job job) {
    if (!(job.state() instanceof JobState.Pending waits)) {
      return;
    }
    List<Dependency> conditions = new ArrayList<>(waits.waitingFor());
    conditions.addAll(DependencyResolver.ofTasks(job));
    for (Dependency condition : conditions) {
      if (condition.type() == DependencyType.SINGLETON) {
        NavigableMap<Integer, List<Job>> before =
            Objects.requireNonNull(named().get(name(job))).headMap(job.baseId(), false);
        before.values().forEach(same -> same.forEach(other -> add(other.id())));
        before.clear();
      } else if (followed.add(condition.jobId())) {
        DependencyResolver.targets(jobs, condition.jobId(), null)
            .forEach(target -> add(target.id()));
      }
    }
  }

  private Map<String, NavigableMap<Integer, List<Job>>> named() {
    Map<String, NavigableMap<Integer, List<Job>>> names = byName;
    if (names == null) {
      names = new TreeMap<>();
      for (Job job : pending.values()) {
        names
            .computeIfAbsent(name(job), _ -> new TreeMap<>())
            .computeIfAbsent(job.baseId(), _ -> new ArrayList<>())
            .add(job);
      }
      byName = names;
    }
    return names;
  }

  private static String name(Job job) {
    return job.owner().uid() + "/" + job.spec().name();
  }
}
