package io.dure.twin.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Mean waits of jobs by a category, for several replays side by side. */
final class WaitBreakdown {
  private static final double SECONDS_AN_HOUR = 3600;

  private final List<String> categories;
  private final List<PlotCurve> hours;

  private WaitBreakdown(List<String> categories, List<PlotCurve> hours) {
    this.categories = categories;
    this.hours = hours;
  }

  List<String> categories() {
    return categories;
  }

  /** Of each replay the mean wait in each category, in hours. */
  List<PlotCurve> hours() {
    return hours;
  }

  /** By size, in powers of two. */
  static WaitBreakdown bySize(List<String> names, List<List<JobInterval>> replays) {
    TreeSet<Integer> classes = new TreeSet<>();
    for (List<JobInterval> spans : replays) {
      spans.forEach(span -> classes.add(least(span)));
    }
    return of(
        classes.stream().map(WaitBreakdown::sizes).toList(),
        span -> sizes(least(span)),
        names,
        replays);
  }

  private static int least(JobInterval span) {
    return Integer.highestOneBit(Math.max(1, span.cpus()));
  }

  private static String sizes(int least) {
    return least == 1 ? "1" : least + "-" + (2L * least - 1);
  }

  /** By user: those who used most in the first replay, most first. */
  static WaitBreakdown byUser(List<String> names, List<List<JobInterval>> replays, int most) {
    Map<String, Double> used = new TreeMap<>();
    for (JobInterval span : replays.getFirst()) {
      used.merge(span.user(), span.runSeconds() * span.cpus(), Double::sum);
    }
    List<String> users =
        used.entrySet().stream()
            .sorted(
                Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(most)
            .map(Map.Entry::getKey)
            .toList();
    return of(users, JobInterval::user, names, replays);
  }

  private static WaitBreakdown of(
      List<String> categories,
      Function<JobInterval, String> category,
      List<String> names,
      List<List<JobInterval>> replays) {
    Map<String, Integer> positions = new TreeMap<>();
    categories.forEach(one -> positions.put(one, positions.size()));
    List<PlotCurve> curves = new ArrayList<>();
    for (int r = 0; r < replays.size(); r++) {
      double[] sums = new double[categories.size()];
      int[] counts = new int[categories.size()];
      for (JobInterval span : replays.get(r)) {
        Integer at = positions.get(category.apply(span));
        if (at != null) {
          sums[at] += span.waitSeconds() / SECONDS_AN_HOUR;
          counts[at]++;
        }
      }
      for (int i = 0; i < sums.length; i++) {
        sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
      }
      curves.add(PlotCurve.of(names.get(r), sums));
    }
    return new WaitBreakdown(categories, curves);
  }
}
