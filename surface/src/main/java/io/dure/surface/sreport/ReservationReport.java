package io.dure.surface.sreport;

import io.dure.model.HostList;
import io.dure.model.accounting.TresAmounts;
import io.dure.protocol.accounting.ReservationUse;
import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.print.ElapsedTimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** What became of what reservations had. */
final class ReservationReport {
  static final String USUAL = "cluster,name,start,end,tresname,allocated,idle";

  private final ReportUnit unit;
  private final Function<Instant, String> times;

  /**
   * A report.
   *
   * @param times how moments are written
   */
  ReservationReport(ReportUnit unit, Function<Instant, String> times) {
    this.unit = unit;
    this.times = times;
  }

  /** A resource of a reservation, and how much of it there was for jobs. */
  record Row(String cluster, ReservationUse of, ReservationUse.Amount amount) {
    long whole() {
      return amount.count() * of.seconds();
    }
  }

  /** The rows of resources that are asked for, of reservations of these names and nodes. */
  static List<Row> rows(UsageReport report, List<String> tres, ReportWords words) {
    Set<String> nodes = new LinkedHashSet<>();
    words.list("nodes").forEach(list -> nodes.addAll(HostList.expand(list)));
    List<String> names = words.list("names");
    List<Row> rows = new ArrayList<>();
    for (ReservationUse one : report.reservations()) {
      boolean named = names.isEmpty() || names.contains(one.name());
      boolean there =
          nodes.isEmpty() || HostList.expand(one.nodes()).stream().anyMatch(nodes::contains);
      for (ReservationUse.Amount amount : one.amounts()) {
        boolean asked =
            tres.isEmpty() ? amount.tres().equals(TresAmounts.CPU) : tres.contains(amount.tres());
        if (named && there && asked) {
          rows.add(new Row(report.clusterName(), one, amount));
        }
      }
    }
    return rows;
  }

  List<AccountingField<Row>> fields() {
    return List.of(
        field("Allocated", "allocated", 20, row -> amount(row, row.amount().used())),
        field("Associations", "associations", 15, ReservationReport::associations),
        field("Cluster", "cluster", 9, Row::cluster),
        field("TRES count", "count", 10, row -> String.valueOf(row.amount().count())),
        field("TRES Time", "cputime", 9, row -> ElapsedTimeFormat.full(row.whole())),
        field("End", "end", 19, row -> times.apply(row.of().end())),
        field("Flags", "flags", 20, row -> row.of().flags()),
        field(
            "Idle", "idle", 20, row -> amount(row, Math.max(0, row.whole() - row.amount().used()))),
        field("Name", "name", 9, row -> row.of().name()),
        field("Nodes", "nodes", 15, row -> row.of().nodes()),
        field("Id", "reservationid", 8, row -> String.valueOf(row.of().id())),
        field("Start", "start", 19, row -> times.apply(row.of().start())),
        field("TotalTime", "totaltime", 9, row -> ElapsedTimeFormat.full(row.of().seconds())),
        field("TRES Name", "tresname", 14, row -> row.amount().tres()));
  }

  private String amount(Row row, long seconds) {
    return unit.text((double) seconds, (double) row.whole());
  }

  /** Who may use it: Slurm has numbers there. */
  private static String associations(Row row) {
    ReservationUse of = row.of();
    return of.users().isEmpty() || of.accounts().isEmpty()
        ? of.users() + of.accounts()
        : of.users() + "," + of.accounts();
  }

  private static AccountingField<Row> field(
      String header, String name, int width, Function<Row, String> value) {
    return new AccountingField<>(header, List.of(name), width, value);
  }
}
