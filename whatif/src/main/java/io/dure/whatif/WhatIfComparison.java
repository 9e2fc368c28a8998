package io.dure.whatif;

import io.dure.twin.trace.SkippedRecords;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How it is, beside how it would be. Compared are the jobs that waited at the begin or came later;
 * who was refused in one of them counts in none.
 *
 * @param heading what is looked at
 * @param zone the time zone of its times
 * @param outcomes how it is, then each supposition
 * @param places the jobs that are compared
 * @param running how many jobs ran at the begin
 * @param waiting how many waited then
 * @param left what was left out, by cause
 */
record WhatIfComparison(
    Heading heading,
    ZoneId zone,
    List<ScenarioResult> outcomes,
    List<Integer> places,
    int running,
    int waiting,
    List<SkippedRecords> left) {
  /** Nobody notices a minute. */
  static final long NOTICED = 60;

  WhatIfComparison {
    outcomes = List.copyOf(outcomes);
    places = List.copyOf(places);
    left = List.copyOf(left);
  }

  /**
   * What is looked at.
   *
   * @param name what it was read from
   * @param moment the log, the cluster now, its own past
   * @param runTimes how long jobs run
   */
  record Heading(String name, String moment, String runTimes) {}

  /**
   * Figures of the jobs that have something in common.
   *
   * @param name what they have in common
   * @param figures of each outcome
   */
  record Group(String name, List<WaitStatistics> figures) {
    Group {
      figures = List.copyOf(figures);
    }

    /** By how much the mean wait is longer than in the first, seconds. */
    double longer(int outcome) {
      return figures.get(outcome).mean() - figures.getFirst().mean();
    }

    /** The largest sum of waits that come or go by any of them. */
    double weight() {
      double most = 0;
      for (int i = 1; i < figures.size(); i++) {
        most = Math.max(most, Math.abs(longer(i)) * figures.get(i).jobs());
      }
      return most;
    }
  }

  /**
   * How many jobs fare otherwise than they do.
   *
   * @param earlier how many start earlier, by a minute or more
   * @param later how many start later, by a minute or more
   * @param gained the seconds that the former gain together
   * @param lost the seconds that the latter lose together
   * @param hardest the jobs that lose most, at most a few, as places
   */
  record ShiftedJobs(int earlier, int later, double gained, double lost, List<Integer> hardest) {}

  ScenarioResult base() {
    return outcomes.getFirst();
  }

  /** What stands over the figures of an outcome: its number where there are several. */
  String head(int outcome) {
    String title = outcomes.get(outcome).title();
    return outcome == 0 || outcomes.size() <= 2 ? title : "(" + outcome + ")";
  }

  /** Figures of all compared jobs. */
  Group total() {
    return group("all", places);
  }

  private Group group(String name, List<Integer> some) {
    List<WaitStatistics> figures = new ArrayList<>();
    for (ScenarioResult outcome : outcomes) {
      figures.add(WaitStatistics.of(outcome.at(some), outcome.end()));
    }
    return new Group(name, figures);
  }

  private List<Group> groups(Function<WhatIfJobResult.JobOwnerFacts, String> by) {
    List<Group> groups = new ArrayList<>();
    Map<String, List<Integer>> some = ScenarioResult.grouped(places, base().fates(), by);
    some.forEach((name, its) -> groups.add(group(name, its)));
    return groups;
  }

  /** By account or by user, those first for whom most is otherwise. */
  List<Group> people(Function<WhatIfJobResult.JobOwnerFacts, String> by) {
    List<Group> groups = new ArrayList<>(groups(by));
    groups.sort(Comparator.comparingDouble(Group::weight).reversed().thenComparing(Group::name));
    return List.copyOf(groups);
  }

  /** By size, the smallest first. */
  List<Group> sizes(Function<WhatIfJobResult.JobOwnerFacts, Long> size) {
    List<Group> groups = new ArrayList<>(groups(who -> Long.toString(least(size.apply(who)))));
    groups.sort(Comparator.comparingLong(group -> Long.parseLong(group.name())));
    return groups.stream().map(group -> new Group(range(group.name()), group.figures())).toList();
  }

  private static long least(long count) {
    return count <= 0 ? 0 : Long.highestOneBit(count);
  }

  private static String range(String least) {
    long from = Long.parseLong(least);
    return from < 2 ? least : from + "-" + (2 * from - 1);
  }

  /** Who starts at another time than in the first outcome; the running ones among them. */
  ShiftedJobs moved(int outcome) {
    ScenarioResult other = outcomes.get(outcome);
    int earlier = 0;
    int later = 0;
    double gained = 0;
    double lost = 0;
    List<Integer> hardest = new ArrayList<>();
    for (int place = 0; place < other.fates().size(); place++) {
      double more = later(outcome, place);
      if (more >= NOTICED) {
        later++;
        lost += more;
        hardest.add(place);
      } else if (more <= -NOTICED) {
        earlier++;
        gained -= more;
      }
    }
    hardest.sort(
        Comparator.comparingDouble((Integer place) -> -later(outcome, place))
            .thenComparing(Comparator.naturalOrder()));
    return new ShiftedJobs(
        earlier, later, gained, lost, List.copyOf(hardest.subList(0, Math.min(5, hardest.size()))));
  }

  /** By how many seconds a job starts later; who does not start counts as if it did at the end. */
  double later(int outcome, int place) {
    ScenarioResult other = outcomes.get(outcome);
    WhatIfJobResult is = base().fates().get(place);
    WhatIfJobResult would = other.fates().get(place);
    return is.refused() != null || would.refused() != null
        ? 0
        : (double) (start(would, other.end()) - start(is, base().end()));
  }

  private static long start(WhatIfJobResult fate, long end) {
    Long start = fate.start();
    return start == null || start > end ? Math.max(end, fate.submit()) : start;
  }

  /** What is said of the time at which something starts, null if it does not. */
  @Nullable String time(@Nullable Long second) {
    return second == null ? null : TimeWindow.text(Instant.ofEpochSecond(second), zone);
  }
}
