package io.dure.virtual;

import io.dure.model.collection.IntMap;
import io.dure.model.job.Job;
import io.dure.rules.JobReadiness;
import io.dure.rules.PlannerTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the passing of time alone brings. One thread. */
final class WakeupSchedule {
  private final TreeSet<Long> wakes = new TreeSet<>();

  /** What comes again and again, and would for ever. */
  private final TreeSet<Long> repeats = new TreeSet<>();

  /** Jobs whose begin times come. */
  private final TreeMap<Long, List<Integer>> beginning = new TreeMap<>();

  /** Jobs whose deadlines cannot be met from that second on. */
  private final TreeMap<Long, List<Integer>> missing = new TreeMap<>();

  /** Nothing is due yet. */
  WakeupSchedule() {}

  /** The same. */
  WakeupSchedule(WakeupSchedule before) {
    wakes.addAll(before.wakes);
    repeats.addAll(before.repeats);
    before.beginning.forEach((second, jobs) -> beginning.put(second, new ArrayList<>(jobs)));
    before.missing.forEach((second, jobs) -> missing.put(second, new ArrayList<>(jobs)));
  }

  /** Something is due then, if that is later than a time. */
  void wake(@Nullable Instant at, Instant from) {
    if (at != null && at.isAfter(from)) {
      wakes.add(PlannerTime.second(at));
    }
  }

  /** Something is due in that second. */
  void wake(long second) {
    wakes.add(second);
  }

  /** Something that comes again and again is due in that second. */
  void repeat(long second) {
    repeats.add(second);
  }

  /** When a job that waits may begin, and when it is too late, is noted. */
  void note(Job job, Instant from) {
    Instant begins = JobReadiness.notBefore(job);
    wake(begins, from);
    if (!begins.isBefore(from)) {
      beginning.computeIfAbsent(PlannerTime.second(begins), _ -> new ArrayList<>()).add(job.id());
    }
    Instant latest = JobReadiness.latestStart(job.spec());
    if (latest != null) {
      long late = Math.max(PlannerTime.second(from), PlannerTime.second(latest.plusSeconds(1)));
      missing.computeIfAbsent(late, _ -> new ArrayList<>()).add(job.id());
    }
  }

  /** The first second in which something is due, {@link PlannerTime#NEVER} for none. */
  long next() {
    return wakes.isEmpty() ? PlannerTime.NEVER : wakes.first();
  }

  /** The same of what comes again and again. */
  long nextRepeat() {
    return repeats.isEmpty() ? PlannerTime.NEVER : repeats.first();
  }

  /** The first second in which one of these jobs will miss its deadline. */
  long nextLate(IntMap<Job> pending) {
    while (!missing.isEmpty()) {
      if (missing.firstEntry().getValue().stream().anyMatch(pending::contains)) {
        return missing.firstKey();
      }
      missing.pollFirstEntry();
    }
    return PlannerTime.NEVER;
  }

  /** That second has come: nothing is due up to it. */
  void passed(long second) {
    while (!wakes.isEmpty() && wakes.first() <= second) {
      wakes.pollFirst();
    }
    repeats.headSet(second, true).clear();
  }

  /** Jobs whose begin times have come since this was last asked. */
  List<Integer> begun(long second) {
    return take(beginning, second);
  }

  /** Jobs that have become too late since this was last asked. */
  List<Integer> late(long second) {
    return take(missing, second);
  }

  private static List<Integer> take(NavigableMap<Long, List<Integer>> from, long second) {
    if (from.isEmpty() || from.firstKey() > second) {
      return List.of();
    }
    NavigableMap<Long, List<Integer>> due = from.headMap(second, true);
    List<Integer> jobs = due.values().stream().flatMap(List::stream).sorted().toList();
    due.clear();
    return jobs;
  }
}
