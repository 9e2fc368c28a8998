package io.dure.core.controller.decide;

import io.dure.core.collection.IntMap;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a name of a user, for {@code --dependency=singleton}. A single question looks through
 * the jobs; from the second on they are counted once for all. The tasks of an array are one job
 * here.
 */
final class Singletons {
  /** What holds a name: two active jobs at most matter, and the first pending one. */
  private static final class Holders {
    int active = Integer.MAX_VALUE;
    boolean several;
    int firstPending = Integer.MAX_VALUE;
  }

  private final ClusterState state;
  private boolean asked;
  private @Nullable Map<Integer, Map<String, Holders>> index;

  Singletons(ClusterState state) {
    this.state = state;
  }

  /** The state that is looked at. */
  ClusterState state() {
    return state;
  }

  /** True if no other job of that user and name is running, or pending with a lower id. */
  boolean free(int uid, String name, int baseId) {
    if (!asked) {
      asked = true;
      return !anyActive(uid, name, baseId) && !anyPending(uid, name, baseId);
    }
    Map<Integer, Map<String, Holders>> counted = index == null ? count() : index;
    Holders holders = counted.getOrDefault(uid, Map.of()).get(name);
    if (holders == null) {
      return true;
    }
    boolean idle = holders.active == Integer.MAX_VALUE || holders.active == baseId;
    return idle && !holders.several && holders.firstPending >= baseId;
  }

  private boolean anyActive(int uid, String name, int baseId) {
    for (Job job : state.active().values()) {
      if (same(job, uid, name) && job.baseId() != baseId) {
        return true;
      }
    }
    return false;
  }

  private boolean anyPending(int uid, String name, int baseId) {
    IntMap<Job> pending = state.pending();
    for (Job job : pending.values()) {
      if (same(job, uid, name) && job.baseId() < baseId) {
        return true;
      }
    }
    return false;
  }

  private static boolean same(Job job, int uid, String name) {
    return job.owner().uid() == uid && job.spec().name().equals(name);
  }

  private Map<Integer, Map<String, Holders>> count() {
    Map<Integer, Map<String, Holders>> counted = new TreeMap<>();
    for (Job job : state.active().values()) {
      Holders holders = holders(counted, job);
      holders.several |= holders.active != Integer.MAX_VALUE && holders.active != job.baseId();
      holders.active = job.baseId();
    }
    for (Job job : state.pending().values()) {
      Holders holders = holders(counted, job);
      holders.firstPending = Math.min(holders.firstPending, job.baseId());
    }
    index = counted;
    return counted;
  }

  private static Holders holders(Map<Integer, Map<String, Holders>> counted, Job job) {
    return counted
        .computeIfAbsent(job.owner().uid(), _ -> new TreeMap<>())
        .computeIfAbsent(job.spec().name(), _ -> new Holders());
  }
}
