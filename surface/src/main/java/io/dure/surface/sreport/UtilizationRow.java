package io.dure.surface.sreport;

import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.accounts.AccountingField;
import java.util.List;
import java.util.function.ToLongFunction;

/** A row of what became of a resource of a cluster. */
record UtilizationRow(String cluster, UsageReport.ClusterUse use) {

  /** The columns that such rows have. */
  static List<AccountingField<UtilizationRow>> fields(ReportUnit unit) {
    return List.of(
        new AccountingField<>("Cluster", List.of("cluster"), 9, UtilizationRow::cluster),
        new AccountingField<>("TRES Name", List.of("tresname"), 14, row -> row.use().tres()),
        new AccountingField<>(
            "TRES Count",
            List.of("count", "trescount"),
            10,
            row -> String.valueOf(row.use().count())),
        time(unit, "Allocated", "allocated", UsageReport.ClusterUse::allocated),
        time(unit, "Down", "down", UsageReport.ClusterUse::down),
        time(unit, "PLND Down", "plannddown", UsageReport.ClusterUse::plannedDown),
        time(unit, "PLND Down", "planneddown", UsageReport.ClusterUse::plannedDown),
        time(unit, "Idle", "idle", UsageReport.ClusterUse::idle),
        time(unit, "Planned", "planned", UsageReport.ClusterUse::planned),
        time(unit, "Planned", "reserved", UsageReport.ClusterUse::planned),
        time(unit, "Over Comm", "overcommitted", UsageReport.ClusterUse::over),
        time(unit, "Reported", "reported", UsageReport.ClusterUse::reported));
  }

  private static AccountingField<UtilizationRow> time(
      ReportUnit unit, String header, String name, ToLongFunction<UsageReport.ClusterUse> amount) {
    return new AccountingField<>(
        header,
        List.of(name),
        unit.isBoth() ? 17 : 8,
        row -> unit.text((double) amount.applyAsLong(row.use()), (double) row.use().reported()));
  }
}
