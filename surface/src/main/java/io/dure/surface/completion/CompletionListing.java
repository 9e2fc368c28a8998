package io.dure.surface.completion;

import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AccountingTable;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code sacct -c} lists: columns, and the text. */
public final class CompletionListing {
  /** What is listed where no columns are asked for. */
  public static final String USUAL = "jobid,uid,jobname,partition,nnodes,nodelist,state,end";

  /** What {@code -b} lists. */
  public static final String BRIEF = "jobid,state,exitcode";

  private static final int TIME = 19;

  private static final List<AccountingField<CompletionRow>> ALL =
      List.of(
          field("JobID", -12, CompletionRow::jobId),
          field("JobIDRaw", -12, CompletionRow::jobId),
          field("JobName", 10, CompletionRow::name),
          field("Partition", 10, CompletionRow::partition),
          field("Account", 10, row -> row.value("Account", "account")),
          field("AllocCPUS", 10, row -> row.value("ProcCnt", "total_cpus")),
          field("NCPUS", 10, row -> row.value("ProcCnt", "total_cpus")),
          field("AllocNodes", 10, row -> row.value("NodeCnt", "total_nodes")),
          field("NNodes", 8, row -> row.value("NodeCnt", "total_nodes")),
          field("NodeList", 15, row -> row.value("NodeList", "nodes")),
          field("State", 10, CompletionRow::state),
          field("ExitCode", 8, row -> row.value("ExitCode", "exit_code")),
          field("DerivedExitCode", 15, row -> row.value("DerivedExitCode", "derived_ec")),
          field("Start", TIME, row -> row.value("StartTime", "@start")),
          field("End", TIME, CompletionRow::end),
          field("Submit", TIME, row -> row.value("SubmitTime", "@submit")),
          field("Eligible", TIME, row -> row.value("EligibleTime", "@eligible")),
          field("Timelimit", 10, row -> row.value("TimeLimit", "time_limit")),
          field("UID", 6, CompletionRow::uid),
          field("User", 9, CompletionRow::user),
          field("GID", 6, CompletionRow::gid),
          field("Group", 9, CompletionRow::group),
          field("QOS", 10, row -> row.value("QOS", "qos")),
          field("WCKey", 10, row -> row.value("WcKey", "wc_key")),
          field("Cluster", 10, row -> row.value("Cluster", "cluster")),
          field("WorkDir", 20, row -> row.value("WorkDir", "work_dir")),
          field("Reservation", 20, row -> row.value("ReservationName", "reservation_name")),
          field("AllocTRES", 10, row -> row.value("Tres", "tres_alloc")));

  private final List<AccountingField<CompletionRow>> fields;
  private final AccountingTable table;

  private CompletionListing(List<AccountingField<CompletionRow>> fields, AccountingTable table) {
    this.fields = fields;
    this.table = table;
  }

  private static AccountingField<CompletionRow> field(
      String header, int width, Function<CompletionRow, String> value) {
    return new AccountingField<>(header, List.of(header.toLowerCase(Locale.ROOT)), width, value);
  }

  /**
   * The listing with the columns that a list names.
   *
   * @return null with the first unknown name in {@code unknown}
   */
  public static @Nullable CompletionListing of(
      String list, AccountingTable table, List<String> unknown) {
    List<AccountingField<CompletionRow>> fields = AccountingField.parse(ALL, list, unknown);
    return fields == null ? null : new CompletionListing(fields, table);
  }

  /** The table. */
  public String text(List<CompletionRow> rows) {
    return table.text(fields, rows);
  }
}
