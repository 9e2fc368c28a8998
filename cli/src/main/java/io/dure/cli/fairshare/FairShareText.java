package io.dure.cli.fairshare;

import io.dure.model.accounting.PrioritySettings;
import io.dure.protocol.Response;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import io.dure.surface.language.TextTable;
import io.dure.surface.print.ElapsedTimeFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Fair shares as text and as a document. */
final class FairShareText {
  private static final int MOST_SIBLINGS = 10;
  private static final double PERCENT = 100;
  private static final double HOUR = 3600;

  private final StringBuilder text = new StringBuilder();
  private final boolean all;

  /**
   * An empty text.
   *
   * @param all whether all siblings are shown, not only the first and its own
   */
  FairShareText(boolean all) {
    this.all = all;
  }

  private void line(String line) {
    text.append(TextTable.lines(List.of(List.of(line))).getFirst()).append('\n');
  }

  /** One place. */
  String of(FairShareReport report) {
    Response.Share place = report.place();
    line(
        (place.association().user() == null ? "Account " : "User ")
            + FairShareReport.name(place)
            + ": root > "
            + report.path().stream().map(FairShareReport::name).collect(Collectors.joining(" > ")));
    factor(report);
    for (int i = 0; i < report.path().size(); i++) {
      level(report, i);
    }
    days(report);
    return text.toString();
  }

  private void factor(FairShareReport report) {
    Response.Share place = report.place();
    long weight = report.settings().weights().fairShare();
    boolean none = report.ranks() && place.association().user() == null;
    if (none) {
      line("An account has no factor of its own: it is the users below that are ranked.");
    } else {
      line(
          String.format(
              Locale.ROOT,
              "Factor %.6f, %s.",
              place.factor(),
              report.ranks()
                  ? "by rank: 1 for the first of all users, less for each that comes before"
                  : "2 to the power of -(use held against it / its share / "
                      + report.settings().dampening()
                      + ")"));
    }
    if (!report.weighs()) {
      line(
          "Jobs are not ordered by priorities in this cluster (PriorityType), so it counts for"
              + " nothing.");
    } else if (weight == 0) {
      line("PriorityWeightFairshare is 0, so it counts for nothing.");
    } else if (!none) {
      long points = Math.round(place.factor() * weight);
      line("It gives " + points + " of the " + weight + " points of PriorityWeightFairshare.");
    }
  }

  private void level(FairShareReport report, int depth) {
    Response.Share own = report.path().get(depth);
    List<Response.Share> siblings = report.levels().get(depth);
    String above = depth == 0 ? "root" : FairShareReport.name(report.path().get(depth - 1));
    int before = FairShareReport.before(own, siblings);
    line("");
    line("Below " + above + ", " + FairShareReport.name(own) + " is compared with:");
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "shares", "share", "used", "share / used", "used, faded"));
    int shown = 0;
    for (Response.Share one : siblings) {
      boolean mine = one.association().id() == own.association().id();
      if (all || mine || shown < MOST_SIBLINGS) {
        rows.add(row(one, mine));
        shown++;
      }
    }
    TextTable.lines(rows).forEach(row -> text.append(row).append('\n'));
    if (shown < siblings.size()) {
      line("  and " + (siblings.size() - shown) + " more (--all)");
    }
    if (own.association().shares() == null) {
      line("  It has no share of its own (parent): it counts with what is above.");
    } else if (report.ranks()) {
      line(
          before == 0
              ? "  None has a larger ratio, so it comes first here."
              : "  It comes behind "
                  + before
                  + " here: all that is below one with a larger ratio comes first.");
    }
  }

  private static List<String> row(Response.Share one, boolean mine) {
    Long shares = one.association().shares();
    return List.of(
        (mine ? "* " : "  ") + FairShareReport.name(one),
        shares == null ? "parent" : shares.toString(),
        percent(one.normShares()),
        percent(one.effectiveUsage()),
        Double.isInfinite(one.level()) ? "unused" : number(one.level(), 2),
        number(one.rawUsage(), 0));
  }

  private void days(FairShareReport report) {
    Duration half = report.settings().halfLife();
    line("");
    line(
        half == null
            ? "What was used does not fade (PriorityDecayHalfLife=0)."
            : "What was used counts half after "
                + ElapsedTimeFormat.full(half.toSeconds())
                + " (PriorityDecayHalfLife).");
    if (report.settings().reset() != PrioritySettings.Reset.NONE) {
      line("All of it is forgotten " + report.settings().reset() + " (PriorityUsageResetPeriod).");
    }
    double counted = report.days().stream().mapToDouble(DayUse::counted).sum();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("day", "counts", "CPU-hours", "of which count", "part"));
    for (DayUse one : report.days()) {
      rows.add(
          List.of(
              one.day().toString(),
              percent(one.weight()),
              number(one.cpuSeconds() / HOUR, 1),
              number(one.counted() / HOUR, 1),
              counted == 0 ? "-" : percent(one.counted() / counted)));
    }
    TextTable.lines(rows).forEach(row -> text.append(row).append('\n'));
    line(
        "CPU-hours of the books that you may see; the share is held against billing (used, faded).");
  }

  private static String percent(double part) {
    return number(PERCENT * part, 1) + " %";
  }

  private static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** Places as a document. */
  static void json(JsonTarget target, String cluster, List<FairShareReport> reports) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().list("places");
      for (FairShareReport report : reports) {
        json.object()
            .text("account", report.place().association().account())
            .text("user", report.place().association().user())
            .fraction("factor", report.place().factor())
            .flag("ranks", report.ranks())
            .number("weight", report.settings().weights().fairShare())
            .list("levels");
        for (int i = 0; i < report.path().size(); i++) {
          json.object().text("place", FairShareReport.name(report.path().get(i)));
          json.number(
              "before", FairShareReport.before(report.path().get(i), report.levels().get(i)));
          json.list("siblings");
          report.levels().get(i).forEach(one -> sibling(json, one));
          json.endList().endObject();
        }
        json.endList().list("days");
        for (DayUse one : report.days()) {
          json.object()
              .text("day", one.day().toString())
              .fraction("weight", one.weight())
              .number("cpu_seconds", one.cpuSeconds())
              .endObject();
        }
        json.endList().endObject();
      }
      json.endList();
      JsonEnvelope.end(json, cluster);
    }
  }

  private static void sibling(SlurmJsonWriter json, Response.Share one) {
    json.object()
        .text("name", FairShareReport.name(one))
        .bound("shares", one.association().shares())
        .fraction("share", one.normShares())
        .fraction("used", one.effectiveUsage())
        .decimal("share_over_used", one.level())
        .fraction("used_faded", one.rawUsage())
        .endObject();
  }
}
