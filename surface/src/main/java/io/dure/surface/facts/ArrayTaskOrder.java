package io.dure.surface.facts;

import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.protocol.JobInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which jobs stand that were asked for by their numbers: of an array the record with
 * its number first, then the tasks that left it, the last one first.
 */
public final class ArrayTaskOrder {
  private static final Comparator<JobInfo> LAST_FIRST =
      Comparator.comparingInt((JobInfo info) -> info.job().id() == info.job().baseId() ? 0 : 1)
          .thenComparing(Comparator.comparingInt((JobInfo info) -> info.job().id()).reversed());

  private static final Comparator<JobInfo> BASE_LAST =
      Comparator.comparingInt((JobInfo info) -> info.job().baseId())
          .thenComparing(ArrayTaskOrder::isLastTask)
          .thenComparingInt(info -> info.job().id());

  private ArrayTaskOrder() {}

  /**
   * All jobs, which are in the order of their numbers: the task that has the number of its array
   * left it last.
   */
  public static List<JobInfo> ofAll(List<JobInfo> jobs) {
    return jobs.stream().anyMatch(ArrayTaskOrder::isLastTask)
        ? jobs.stream().sorted(BASE_LAST).toList()
        : jobs;
  }

  private static boolean isLastTask(JobInfo info) {
    return info.job().array() instanceof ArrayPart.Task && info.job().id() == info.job().baseId();
  }

  /** The same jobs in that order. */
  public static List<JobInfo> of(List<JobInfo> jobs) {
    Map<Integer, List<JobInfo>> byBase = new LinkedHashMap<>();
    for (JobInfo info : jobs) {
      byBase.computeIfAbsent(info.job().baseId(), _ -> new ArrayList<>()).add(info);
    }
    List<JobInfo> ordered = new ArrayList<>(jobs.size());
    for (List<JobInfo> some : byBase.values()) {
      if (isArray(some.getFirst().job())) {
        some.sort(LAST_FIRST);
      }
      ordered.addAll(some);
    }
    return ordered;
  }

  private static boolean isArray(Job job) {
    return job.array() != null;
  }
}
