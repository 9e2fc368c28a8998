package io.dure.rules.dependency;

import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that hold a job name of a user, for {@code --dependency=singleton}: the first question
 * is answered by looking for one such job, from the second on they are counted once for all. The
 * tasks of an array are one job here. One thread.
 */
public final class SingletonIndex {
  private final SchedulerView view;
  private boolean asked;
  private @Nullable Map<String, Set<Integer>> active;
  private final TreeMap<String, Integer> firstPending = new TreeMap<>();

  /** Those of a cluster as it is then. */
  public SingletonIndex(SchedulerView view) {
    this.view = view;
  }

  /** True if no other job of that user and name is running, or pending with a lower id. */
  public boolean isAlone(int uid, String name, int baseId) {
    if (!asked) {
      asked = true;
      return !view.active().any(job -> same(job, uid, name) && job.baseId() != baseId)
          && !view.pending().any(job -> same(job, uid, name) && job.baseId() < baseId);
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
    for (Job job : view.active().values()) {
      running.computeIfAbsent(key(job), _ -> new TreeSet<>()).add(job.baseId());
    }
    for (Job job : view.pending().values()) {
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
