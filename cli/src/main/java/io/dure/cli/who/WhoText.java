package io.dure.cli.who;

import io.dure.model.gres.License;
import io.dure.model.report.CapacitySummary;
import io.dure.model.report.ClusterHoldings;
import io.dure.model.report.ResourceAmounts;
import io.dure.model.report.ResourceHolder;
import io.dure.model.report.ShareHolder;
import io.dure.protocol.Response;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.language.ScreenText;
import io.dure.surface.language.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The holders of the cluster's resources as a screen of text. Used once. */
final class WhoText extends ScreenText {
  private static final int MOST_NOTES = 4;

  private final WhoArguments call;

  WhoText(LocalizedPhrases phrases, ZoneId zone, WhoArguments call) {
    super(phrases, zone);
    this.call = call;
  }

  /** The screen. */
  String of(Response.Holders answer) {
    ClusterHoldings holdings = answer.holdings();
    if (call.gpus() && holdings.all().gpus().isEmpty()) {
      return phrases.text("no-gpus") + "\n";
    }
    String title = call.partition() == null ? "title" : "title-of-partition";
    String partition = Objects.requireNonNullElse(call.partition(), "");
    line(phrases.text(title, answer.clusterName(), time(answer.now()), partition));
    line("");
    CapacitySummary supply = holdings.supply();
    if (supply == null) {
      line(phrases.text("hidden"));
    } else {
      supply(supply);
    }
    closed(holdings.closed());
    kept(holdings.kept(), answer.now());
    line("");
    List<ResourceHolder> holders = WhoTree.of(holdings, call);
    if (holders.isEmpty()) {
      line(phrases.text(call.namesSome() ? "nobody-named" : "nobody"));
    } else {
      holders(holdings, holders);
    }
    return text.toString();
  }

  private void supply(CapacitySummary supply) {
    List<List<String>> rows = new ArrayList<>();
    List<ResourceAmounts> parts =
        List.of(
            supply.all(),
            supply.inUse(),
            supply.free(),
            supply.useless(),
            supply.reserved(),
            supply.closed());
    List<String> header = new ArrayList<>(List.of(""));
    header.addAll(phrases("all", "in-use", "free", "useless", "reserved", "closed"));
    rows.add(header);
    if (!call.gpus()) {
      rows.add(row(phrases.text("cpus"), parts, part -> Long.toString(part.cpus())));
    }
    for (ResourceAmounts.Gpus one : supply.all().gpus()) {
      String name =
          one.type().isEmpty() ? phrases.text("gpus") : phrases.text("gpus-of", one.type());
      rows.add(row(name, parts, part -> TextTable.gpus(part.gpuMilli(one.type()))));
    }
    if (!call.gpus()) {
      for (License one : supply.all().licenses()) {
        String name = phrases.text("licence", one.name());
        rows.add(row(name, parts, part -> licences(part, one.name())));
      }
    }
    table(rows);
    if (supply.useless().cpus() > 0 && !call.gpus()) {
      line(phrases.text("useless-cpus", supply.useless().cpus()));
    }
    if (supply.useless().gpuMilli() > 0) {
      line(phrases.text("useless-gpus"));
    }
  }

  private static String licences(ResourceAmounts part, String name) {
    return Integer.toString(License.count(part.licenses(), name));
  }

  private static List<String> row(
      String name, List<ResourceAmounts> parts, Function<ResourceAmounts, String> value) {
    List<String> row = new ArrayList<>(List.of(name));
    parts.forEach(part -> row.add(value.apply(part)));
    return row;
  }

  private void closed(List<ClusterHoldings.Closed> closed) {
    int left = 0;
    for (int i = 0; i < closed.size(); i++) {
      ClusterHoldings.Closed one = closed.get(i);
      if (i >= MOST_NOTES) {
        left += one.count();
        continue;
      }
      String why = phrases.text("why-" + one.why().name().toLowerCase(Locale.ROOT));
      line(
          one.reason().isEmpty()
              ? phrases.text("closed-nodes", one.nodes(), why)
              : phrases.text("closed-nodes-because", one.nodes(), why, one.reason()));
    }
    if (left > 0) {
      line(phrases.text("more-closed", left));
    }
  }

  private void kept(List<ClusterHoldings.ReservationSummary> kept, Instant now) {
    for (ClusterHoldings.ReservationSummary one :
        kept.subList(0, Math.min(MOST_NOTES, kept.size()))) {
      List<String> names = new ArrayList<>(one.users());
      names.addAll(one.accounts());
      String what =
          one.maintenance()
              ? phrases.text("for-maintenance")
              : names.isEmpty()
                  ? phrases.text("reservation", one.name())
                  : phrases.text("for-somebody", String.join(", ", names));
      line(
          one.start().isAfter(now)
              ? phrases.text(
                  "reserved-later", one.nodes(), time(one.start()), time(one.end()), what)
              : phrases.text("reserved-now", one.nodes(), time(one.end()), what));
    }
    if (kept.size() > MOST_NOTES) {
      line(phrases.text("more-reserved", kept.size() - MOST_NOTES));
    }
  }

  /** A column: its header, and what it says of a holder. */
  private record Column(String header, Function<ResourceHolder, String> value) {}

  private void holders(ClusterHoldings holdings, List<ResourceHolder> holders) {
    List<Column> columns = columns(holdings);
    List<List<String>> table = new ArrayList<>();
    List<String> header =
        new ArrayList<>(List.of(phrases.text(holdings.accounts() ? "account" : "user")));
    columns.forEach(column -> header.add(column.header()));
    table.add(header);
    for (WhoTree.Row row : WhoTree.rows(holders, call.everybody() || call.namesSome())) {
      List<String> cells = new ArrayList<>();
      cells.add("  ".repeat(row.holder().depth()) + name(row));
      columns.forEach(column -> cells.add(column.value().apply(row.holder())));
      table.add(cells);
    }
    table(table);
    line("");
    boolean gpus = !holdings.all().gpus().isEmpty();
    line(
        phrases.text(call.gpus() ? "means-holds-gpus" : gpus ? "means-holds" : "means-holds-cpus"));
    if (holdings.accounts()) {
      Duration half = holdings.halfLife();
      line(phrases.text("means-share", half == null ? "" : phrases.text("fades", duration(half))));
    }
    line(phrases.text(gpus ? "means-waiting-gpus" : "means-waiting"));
    long later = 0;
    for (ResourceHolder one : holders) {
      later += one.depth() == 0 ? one.waiting().later() : 0;
    }
    if (later > 0 && !call.namesSome()) {
      line(phrases.text("later", later));
    }
    elsewhere(holdings);
  }

  private List<Column> columns(ClusterHoldings holdings) {
    ResourceAmounts all = holdings.all();
    List<Column> columns = new ArrayList<>();
    if (call.gpus()) {
      for (ResourceAmounts.Gpus type : all.gpus()) {
        columns.add(
            new Column(
                type.type().isEmpty() ? phrases.text("untyped") : type.type(),
                one -> TextTable.gpus(one.held().gpuMilli(type.type()))));
      }
    } else {
      columns.add(new Column(phrases.text("held-cpus"), one -> Long.toString(one.held().cpus())));
      if (!all.gpus().isEmpty()) {
        columns.add(new Column(phrases.text("held-gpus"), one -> gpus(one.held(), "untyped")));
      }
      if (!all.licenses().isEmpty()) {
        columns.add(new Column(phrases.text("held-licences"), WhoText::licences));
      }
    }
    columns.add(new Column(phrases.text("holds"), one -> percent(part(one.held(), all))));
    if (holdings.accounts()) {
      columns.add(
          new Column(phrases.text("share"), one -> share(one, ResourceHolder.Share::entitled)));
      columns.add(new Column(phrases.text("used"), one -> share(one, ResourceHolder.Share::used)));
    }
    columns.add(new Column(phrases.text("running"), one -> Long.toString(one.running())));
    columns.add(new Column(phrases.text("waiting"), one -> Long.toString(one.waiting().jobs())));
    if (!call.gpus()) {
      columns.add(
          new Column(
              phrases.text("asked-cpus"), one -> Long.toString(one.waiting().asked().cpus())));
    }
    if (!all.gpus().isEmpty()) {
      columns.add(
          new Column(
              phrases.text("asked-gpus"),
              one ->
                  call.gpus()
                      ? gpus(one.waiting().asked(), "any")
                      : TextTable.gpus(one.waiting().asked().gpuMilli())));
    }
    return columns;
  }

  private double part(ResourceAmounts held, ResourceAmounts all) {
    return call.gpus() ? (double) held.gpuMilli() / all.gpuMilli() : held.partOf(all);
  }

  private String gpus(ResourceAmounts amounts, String untyped) {
    List<String> parts = new ArrayList<>();
    boolean alone = amounts.gpus().size() == 1 && untyped.equals("untyped");
    for (ResourceAmounts.Gpus one : amounts.gpus()) {
      String number = TextTable.gpus(one.milli());
      String type = one.type().isEmpty() ? alone ? "" : phrases.text(untyped) : one.type();
      parts.add(type.isEmpty() ? number : number + " " + type);
    }
    return parts.isEmpty() ? "0" : String.join(", ", parts);
  }

  private static String licences(ResourceHolder one) {
    List<String> parts = new ArrayList<>();
    for (License some : one.held().licenses()) {
      parts.add(some.count() + " " + some.name());
    }
    return parts.isEmpty() ? "0" : String.join(", ", parts);
  }

  private static String share(ResourceHolder one, Function<ResourceHolder.Share, Double> value) {
    ResourceHolder.Share share = one.share();
    return share == null ? "-" : percent(value.apply(share));
  }

  private static String percent(double part) {
    long percent = Math.round(part * 100);
    return percent == 0 && part > 0 ? "<1%" : percent + "%";
  }

  private String name(WhoTree.Row row) {
    if (row.together() > 0) {
      return phrases.text("others", row.together());
    }
    return switch (row.holder().who()) {
      case ShareHolder.Account(String name) -> name;
      case ShareHolder.User(String name, _) -> name;
      case ShareHolder.Others _ -> phrases.text("others-hidden");
    };
  }

  /** What jobs of other partitions hold of a partition's nodes. */
  private void elsewhere(ClusterHoldings holdings) {
    CapacitySummary supply = holdings.supply();
    if (call.partition() == null || supply == null) {
      return;
    }
    ResourceAmounts held = ResourceAmounts.NONE;
    for (ResourceHolder one : holdings.holders()) {
      held = one.depth() == 0 ? held.plus(one.held()) : held;
    }
    long cpus = call.gpus() ? 0 : supply.inUse().cpus() - held.cpus();
    long milli = supply.inUse().gpuMilli() - held.gpuMilli();
    String ofCpus = cpus <= 0 ? null : phrases.text("elsewhere-cpus", cpus);
    String ofGpus = milli <= 0 ? null : phrases.text("elsewhere-gpus", TextTable.gpus(milli));
    String both = both(ofCpus, ofGpus);
    if (both != null) {
      line(phrases.text("elsewhere", both));
    }
  }

  private @Nullable String both(@Nullable String one, @Nullable String other) {
    return one == null ? other : other == null ? one : phrases.text("and", one, other);
  }

  private String duration(Duration time) {
    long minutes = time.toMinutes();
    long days = minutes / (24 * 60);
    if (days > 0 && minutes % (24 * 60) == 0) {
      return phrases.text(days == 1 ? "day" : "days", days);
    }
    return minutes % 60 == 0 && minutes > 0
        ? phrases.text("hours", minutes / 60)
        : phrases.text("minutes", minutes);
  }
}
