package io.dure.surface.sreport;

import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.accounts.AccountingField;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A row of what became of a resource of a cluster.
 *
 * @param seconds how long the reported time is
 */
record UtilizationRow(String cluster, UsageReport.ClusterUse use, long seconds) {

  /** The columns that such rows have. */
  static List<AccountingField<UtilizationRow>> fields(ReportUnit unit, List<UtilizationRow> rows) {
    return List.of(
        new AccountingField<>("Cluster", List.of("cluster"), 9, UtilizationRow::cluster),
        new AccountingField<>("TRES Name", List.of("tresname"), 14, row -> row.use().tres()),
        new AccountingField<>(
            "TRES Count",
            List.of("count", "trescount"),
            10,
            row -> String.valueOf(row.use().count())),
        time(unit, rows, "Allocated", "allocated", UsageReport.ClusterUse::allocated),
        time(unit, rows, "Down", "down", UsageReport.ClusterUse::down),
        time(unit, rows, "PLND Down", "plannddown", UsageReport.ClusterUse::plannedDown),
        time(unit, rows, "PLND Down", "planneddown", UsageReport.ClusterUse::plannedDown),
        time(unit, rows, "Idle", "idle", UsageReport.ClusterUse::idle),
        time(unit, rows, "Planned", "planned", UsageReport.ClusterUse::planned),
        time(unit, rows, "Planned", "reserved", UsageReport.ClusterUse::planned),
        time(unit, rows, "Over Comm", "overcommitted", UsageReport.ClusterUse::over),
        new AccountingField<>(
            "Reported",
            List.of("reported"),
            width(unit, rows, UsageReport.ClusterUse::reported),
            row ->
                unit.text(
                    (double) row.use().reported(), (double) row.use().count() * row.seconds())));
  }

  private static AccountingField<UtilizationRow> time(
      ReportUnit unit,
      List<UtilizationRow> rows,
      String header,
      String name,
      ToLongFunction<UsageReport.ClusterUse> amount) {
    return new AccountingField<>(
        header,
        List.of(name),
        width(unit, rows, amount),
        row -> unit.text((double) amount.applyAsLong(row.use()), (double) row.use().reported()));
  }

  private static int width(
      ReportUnit unit, List<UtilizationRow> rows, ToLongFunction<UsageReport.ClusterUse> amount) {
    return unit.width(
        rows.stream().mapToDouble(row -> (double) amount.applyAsLong(row.use())).max().orElse(0));
  }
}
