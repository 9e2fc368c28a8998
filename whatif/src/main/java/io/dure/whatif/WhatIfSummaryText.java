package io.dure.whatif;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** What would be different, in sentences. */
final class WhatIfSummaryText {
  private static final long MINUTE = 60;
  private static final long HOUR = 3600;
  private static final long DAY = 86_400;

  private WhatIfSummaryText() {}

  /** What is looked at. */
  static List<String> heading(WhatIfComparison comparison) {
    WhatIfComparison.Heading heading = comparison.heading();
    int came = comparison.places().size() - comparison.waiting();
    List<String> lines = new ArrayList<>();
    lines.add(
        heading.moment()
            + ": "
            + heading.name()
            + ", "
            + comparison.base().window().text(comparison.zone()));
    lines.add(
        jobs(comparison.running(), "runs", "run")
            + " at the begin, "
            + comparison.waiting()
            + (comparison.waiting() == 1 ? " waits, " : " wait, ")
            + (came == 1 ? "1 comes" : came + " come")
            + " after it; "
            + heading.runTimes()
            + ".");
    return lines;
  }

  private static String jobs(int count, String one, String many) {
    return count == 1 ? "1 job " + one : count + " jobs " + many;
  }

  /** What one supposition changes. */
  static List<String> of(WhatIfComparison comparison, int outcome) {
    ScenarioResult other = comparison.outcomes().get(outcome);
    List<String> lines = new ArrayList<>();
    String number = comparison.outcomes().size() > 2 ? " (" + outcome + ")" : "";
    lines.add("What if" + number + ": " + other.title());
    if (other.digest().equals(comparison.base().digest()) && other.submitted().isEmpty()) {
      lines.add("  Every job starts when and where it does: nothing is different.");
    } else {
      waits(lines, comparison, outcome);
    }
    submitted(lines, comparison, other);
    other.remarks().forEach(remark -> lines.add("  " + remark));
    other
        .refused(all(other))
        .forEach((why, count) -> {
          int before = comparison.base().refused(all(other)).getOrDefault(why, 0);
          if (count != before) {
            lines.add("  " + count + " jobs are refused instead of " + before + ": " + why);
          }
        });
    return lines;
  }

  private static List<Integer> all(ScenarioResult outcome) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < outcome.fates().size(); i++) {
      all.add(i);
    }
    return all;
  }

  private static void waits(List<String> lines, WhatIfComparison comparison, int outcome) {
    WhatIfComparison.Group total = comparison.total();
    WaitStatistics is = total.figures().getFirst();
    WaitStatistics would = total.figures().get(outcome);
    lines.add(
        "  The mean wait is %s instead of %s%s; %s"
            .formatted(
                time(would.mean()),
                time(is.mean()),
                share(is.mean(), would.mean()),
                started(would.started() - is.started())));
    WhatIfComparison.ShiftedJobs moved = comparison.moved(outcome);
    if (moved.earlier() + moved.later() == 0) {
      lines.set(lines.size() - 1, "  No other job starts a minute earlier or later.");
      return;
    }
    lines.add(
        "  %s earlier (%s in all), %s later (%s)."
            .formatted(
                jobs(moved.earlier(), "starts", "start"),
                time(moved.gained()),
                moved.later(),
                time(moved.lost())));
    people(lines, comparison, outcome, "Account", WhatIfJobResult.JobOwnerFacts::account);
    people(lines, comparison, outcome, "User", WhatIfJobResult.JobOwnerFacts::user);
    if (!moved.hardest().isEmpty() && !comparison.outcomes().get(outcome).submitted().isEmpty()) {
      List<String> names = new ArrayList<>();
      for (int place : moved.hardest()) {
        WhatIfJobResult.JobOwnerFacts who = comparison.base().fates().get(place).who();
        names.add(
            who.name() + " of " + who.user() + " by " + time(comparison.later(outcome, place)));
      }
      lines.add("  Delayed most: " + String.join(", ", names) + ".");
    }
  }

  private static String share(double is, double would) {
    if (is < 1) {
      return "";
    }
    long percent = Math.round(100 * (would - is) / is);
    return " (" + (percent > 0 ? "+" : "") + percent + "%)";
  }

  private static String started(int more) {
    return more == 0
        ? "as many jobs start in that time."
        : Math.abs(more)
            + (more > 0 ? " more" : " fewer")
            + (Math.abs(more) == 1 ? " job starts in that time." : " jobs start in that time.");
  }

  /** Who gains most and who loses most. */
  private static void people(
      List<String> lines,
      WhatIfComparison comparison,
      int outcome,
      String kind,
      Function<WhatIfJobResult.JobOwnerFacts, String> by) {
    List<WhatIfComparison.Group> groups = comparison.people(by);
    WhatIfComparison.Group gains = null;
    WhatIfComparison.Group loses = null;
    double least = -WhatIfComparison.NOTICED;
    double most = WhatIfComparison.NOTICED;
    for (WhatIfComparison.Group group : groups) {
      double sum = group.longer(outcome) * group.figures().getFirst().jobs();
      if (sum <= least) {
        least = sum;
        gains = group;
      }
      if (sum >= most) {
        most = sum;
        loses = group;
      }
    }
    if (groups.size() < 2 || gains == null && loses == null) {
      return;
    }
    List<String> parts = new ArrayList<>();
    if (gains != null) {
      parts.add(named(gains) + " gains most, " + change(gains, outcome));
    }
    if (loses != null) {
      parts.add(named(loses) + " loses most, " + change(loses, outcome));
    }
    lines.add("  " + kind + " " + String.join("; ", parts) + ".");
  }

  private static String named(WhatIfComparison.Group group) {
    return group.name().isEmpty() ? "(none)" : group.name();
  }

  private static String change(WhatIfComparison.Group group, int outcome) {
    return signed(group.longer(outcome))
        + " on the mean of "
        + jobs(group.figures().getFirst().jobs(), "", "").strip();
  }

  private static void submitted(
      List<String> lines, WhatIfComparison comparison, ScenarioResult other) {
    Map<String, Integer> more = new TreeMap<>();
    int shown = 0;
    for (WhatIfJobResult fate : other.submitted()) {
      String name = "  " + fate.who().name() + " (" + size(fate.who()) + ")";
      if (fate.refused() != null) {
        more.merge("would be refused: " + fate.refused(), 1, Integer::sum);
        lines.add(name + " would be refused: " + fate.refused());
      } else if (shown++ < 5) {
        Long start = fate.start();
        lines.add(
            start == null
                ? name + " would not start within 30 days: it waits for " + fate.waitsFor() + "."
                : name
                    + " would start "
                    + comparison.time(start)
                    + ", after "
                    + time((double) (start - fate.submit()))
                    + ", and run for "
                    + time(fate.run())
                    + ".");
      }
    }
    if (shown > 5) {
      lines.add("  and " + (shown - 5) + " more of the submitted jobs (--json)");
    }
  }

  private static String size(WhatIfJobResult.JobOwnerFacts who) {
    String size = who.cpus() == 1 ? "1 CPU" : who.cpus() + " CPUs";
    size += who.nodes() > 1 ? " on " + who.nodes() + " nodes" : "";
    return who.gpus() == 0 ? size : size + ", " + who.gpus() + (who.gpus() == 1 ? " GPU" : " GPUs");
  }

  /** A time as people say it: {@code 2 d 3 h}, {@code 1 h 5 min}, {@code 12 min}, {@code 40 s}. */
  static String time(double seconds) {
    long whole = Math.round(seconds);
    if (whole >= DAY) {
      return whole / DAY + " d " + whole % DAY / HOUR + " h";
    }
    if (whole >= HOUR) {
      return whole / HOUR + " h " + whole % HOUR / MINUTE + " min";
    }
    return whole >= 2 * MINUTE ? whole / MINUTE + " min" : whole + " s";
  }

  /** A time that is more or less. */
  static String signed(double seconds) {
    long whole = Math.round(seconds);
    return whole == 0 ? "0 s" : (whole > 0 ? "+" : "-") + time((double) Math.abs(whole));
  }
}
