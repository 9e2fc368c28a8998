package io.dure.surface.sreport;

import io.dure.surface.accounts.AccountingField;
import java.util.List;
import java.util.function.Function;

/**
 * A row of what an account or a user used.
 *
 * @param account the account, or several, set apart by commas
 * @param depth how deep the account is in the tree
 * @param login empty for an account
 * @param tres the resource
 * @param used of it, times seconds
 * @param whole what the cluster had of it, times seconds
 * @param count how much the cluster has of it
 * @param energy joules
 */
record UseRow(
    String cluster,
    String account,
    int depth,
    String login,
    String realName,
    String wckey,
    String tres,
    double used,
    double whole,
    long count,
    double energy) {

  /** The columns that such rows have. */
  static List<AccountingField<UseRow>> fields(ReportUnit unit, boolean tree, List<UseRow> rows) {
    int room = unit.width(rows.stream().mapToDouble(UseRow::used).max().orElse(0));
    return List.of(
        field("Cluster", 9, UseRow::cluster, "cluster"),
        tree
            ? field("Account", -20, row -> " ".repeat(row.depth()) + row.account(), "accounts")
            : field("Account", 15, UseRow::account, "accounts"),
        field("Login", 9, UseRow::login, "login"),
        field("Proper Name", 15, UseRow::realName, "proper"),
        field("WCKey", 15, UseRow::wckey, "wckey"),
        field("TRES Name", 14, UseRow::tres, "tresname"),
        field("TRES Count", 10, row -> String.valueOf(row.count()), "count", "trescount"),
        field("Used", room, row -> unit.text(row.used(), row.whole()), "used"),
        field("Energy", unit.width(0), row -> unit.text(row.energy(), 0), "energy"));
  }

  private static AccountingField<UseRow> field(
      String header, int width, Function<UseRow, String> value, String... names) {
    return new AccountingField<>(header, List.of(names), width, value);
  }
}
