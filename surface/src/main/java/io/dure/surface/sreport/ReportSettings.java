package io.dure.surface.sreport;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.gres.License;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.message.CommandException;
import java.util.List;
import java.util.Locale;

/**
 * How reports are printed.
 *
 * @param style between what the columns of a table stand
 * @param header whether there are headings
 * @param unit of what times are given
 * @param tres the resources that were named; empty for CPUs alone
 * @param everyTres whether all resources are reported
 */
public record ReportSettings(
    AccountingTable.Style style,
    boolean header,
    ReportUnit unit,
    List<String> tres,
    boolean everyTres) {

  /** As usual. */
  public static final ReportSettings USUAL =
      new ReportSettings(AccountingTable.Style.COLUMNS, true, ReportUnit.MINUTES, List.of(), false);

  /** The same in another style. */
  public ReportSettings withStyle(AccountingTable.Style next) {
    return new ReportSettings(next, header, unit, tres, everyTres);
  }

  /** The same without headings. */
  public ReportSettings withoutHeader() {
    return new ReportSettings(style, false, unit, tres, everyTres);
  }

  /** The same in another unit. */
  public ReportSettings withUnit(ReportUnit next) {
    return new ReportSettings(style, header, next, tres, everyTres);
  }

  /**
   * The same of these resources, {@code ALL} for all of them. Names that no resource can have are
   * left out.
   *
   * @throws CommandException if none is left
   */
  public ReportSettings withTres(List<String> asked) throws CommandException {
    boolean all = asked.stream().anyMatch(name -> name.equalsIgnoreCase("all"));
    List<String> names =
        asked.stream()
            .map(name -> isOfSite(name) ? name : name.toLowerCase(Locale.ROOT))
            .filter(name -> TresAmounts.USUAL.contains(name) || isOfSite(name))
            .toList();
    if (!all && names.isEmpty()) {
      throw CommandException.fatal("No valid TRES given");
    }
    return new ReportSettings(style, header, unit, all ? List.of() : names, all);
  }

  private static boolean isOfSite(String name) {
    return name.startsWith("gres/") || name.startsWith(License.TRES);
  }

  /** Whether a row says of which resource it is. */
  boolean namesTres() {
    return everyTres || !tres.isEmpty();
  }

  /** What a question asks for; empty for all resources. */
  List<String> asked() {
    return namesTres() ? tres : List.of(TresAmounts.CPU);
  }

  /** The line that says what the amounts are. */
  String unitLine() {
    return unitLine(namesTres() ? "TRES " : "CPU ");
  }

  /** The same of a report that names resources in any case. */
  String tresUnitLine() {
    return unitLine("TRES ");
  }

  private String unitLine(String of) {
    return "Usage reported in " + (unit == ReportUnit.PERCENT ? "" : of) + unit.words();
  }

  /** How many lines stand above the rows of a report. */
  public int headerLines() {
    return header ? SreportInterpreter.TITLE_LINES + table().headerLines() : 0;
  }

  AccountingTable table() {
    return new AccountingTable(style, header);
  }
}
