package io.dure.twin.report;

import io.dure.twin.result.JobResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A replay's time in equal parts, and what happened in each. */
final class ReplayTimeline {
  private static final int SECONDS_A_DAY = 86_400;

  private final List<JobInterval> spans;
  private final long first;
  private final long last;

  ReplayTimeline(List<JobInterval> spans) {
    this.spans = spans;
    first = spans.stream().mapToLong(JobInterval::submit).min().orElse(0);
    last = Math.max(first + 1, spans.stream().mapToLong(JobInterval::end).max().orElse(0));
  }

  /** How long it is. */
  double days() {
    return (double) (last - first) / SECONDS_A_DAY;
  }

  /** Part of the CPUs in use, 0 to 1. */
  double[] utilization(int parts, int cpus) {
    double[] sums = new double[parts];
    for (JobInterval span : spans) {
      add(sums, span.start(), span.end(), span.cpus());
      for (JobResult.Pause pause : span.pauses()) {
        add(sums, pause.from(), pause.to(), -span.cpus());
      }
    }
    return mean(sums, cpus);
  }

  /** How many jobs wait. */
  double[] queueLength(int parts) {
    double[] sums = new double[parts];
    for (JobInterval span : spans) {
      add(sums, span.submit(), span.start(), 1);
    }
    return mean(sums, 1);
  }

  /**
   * How alike users fare: Jain's index of their mean bounded slowdowns, of jobs that came in each
   * part; 1 if all fare alike, 1/n if one of n has it all.
   */
  double[] fairness(int parts) {
    List<Map<String, double[]>> users = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      users.add(new TreeMap<>());
    }
    for (JobInterval span : spans) {
      int part = (int) Math.min(parts - 1, (span.submit() - first) * parts / (last - first));
      double[] sum = users.get(part).computeIfAbsent(span.user(), _ -> new double[2]);
      sum[0] += span.boundedSlowdown();
      sum[1]++;
    }
    double[] index = new double[parts];
    for (int i = 0; i < parts; i++) {
      index[i] = jain(users.get(i));
    }
    return index;
  }

  private static double jain(Map<String, double[]> users) {
    if (users.size() < 2) {
      return Double.NaN;
    }
    double sum = 0;
    double squares = 0;
    for (double[] user : users.values()) {
      double mean = user[0] / user[1];
      sum += mean;
      squares += mean * mean;
    }
    return sum * sum / (users.size() * squares);
  }

  private void add(double[] sums, long from, long to, double weight) {
    double width = (double) (last - first) / sums.length;
    int at = (int) ((from - first) / width);
    for (int i = Math.max(0, at); i < sums.length && first + i * width < to; i++) {
      double begin = Math.max((double) from, first + i * width);
      double end = Math.min((double) to, first + (i + 1) * width);
      sums[i] += Math.max(0, end - begin) * weight;
    }
  }

  private double[] mean(double[] sums, double whole) {
    double width = (double) (last - first) / sums.length;
    return Arrays.stream(sums).map(sum -> sum / width / whole).toArray();
  }
}
