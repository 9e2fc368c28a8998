package io.dure.surface.sacct;

import io.dure.model.job.Job;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AccountingTable;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The listing of {@code sacct}: which columns there are, and its text. */
public final class SacctListing {
  /** What is listed where no columns are asked for. */
  public static final String USUAL = "jobid,jobname,partition,account,alloccpus,state,exitcode";

  /** What {@code -b} lists. */
  public static final String BRIEF = "jobid,state,exitcode";

  /** What {@code -l} lists. */
  public static final String LONG =
      "jobid,jobidraw,jobname,partition,maxvmsize,maxvmsizenode,maxvmsizetask,avevmsize,maxrss,"
          + "maxrssnode,maxrsstask,averss,maxpages,maxpagesnode,maxpagestask,avepages,mincpu,"
          + "mincpunode,mincputask,avecpu,ntasks,alloccpus,elapsed,state,exitcode,avecpufreq,"
          + "reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,reqmem,consumedenergy,maxdiskread,"
          + "maxdiskreadnode,maxdiskreadtask,avediskread,maxdiskwrite,maxdiskwritenode,"
          + "maxdiskwritetask,avediskwrite,reqtres,alloctres,tresusageinave,tresusageinmax,"
          + "tresusageinmaxnode,tresusageinmaxtask,tresusageinmin,tresusageinminnode,"
          + "tresusageinmintask,tresusageintot,tresusageoutmax,tresusageoutmaxnode,"
          + "tresusageoutmaxtask,tresusageoutave,tresusageouttot";

  /** The word for all columns. */
  private static final String EVERY = "all";

  private final List<AccountingField<SacctRow>> fields;
  private final AccountingTable table;

  private SacctListing(List<AccountingField<SacctRow>> fields, AccountingTable table) {
    this.fields = fields;
    this.table = table;
  }

  /**
   * The listing with the columns that a list names, {@code ALL} for all of them.
   *
   * @return null with the first unknown name in {@code unknown}
   */
  public static @Nullable SacctListing of(
      String list, AccountingTable table, List<String> unknown) {
    List<AccountingField<SacctRow>> fields =
        AccountingField.parse(SacctFields.ALL, named(list), unknown);
    return fields == null ? null : new SacctListing(fields, table);
  }

  /** The same list with all columns in place of the word for them. */
  private static String named(String list) {
    StringJoiner names = new StringJoiner(",");
    for (String word : list.split(",", -1)) {
      if (word.strip().equalsIgnoreCase(EVERY)) {
        names().forEach(names::add);
      } else {
        names.add(word);
      }
    }
    return names.toString();
  }

  /** The names of all columns, in order. */
  public static List<String> names() {
    return SacctFields.ALL.stream().map(AccountingField::header).toList();
  }

  /** Which rows are listed. */
  public interface RowFilter {
    /**
     * Whether a row is.
     *
     * @param step the name of the step that it is of, null for the job's own
     */
    boolean lists(Job job, @Nullable String step);
  }

  /**
   * The text.
   *
   * @param filter which rows of each job
   */
  public String text(List<RecordedJob> jobs, SacctStyle style, RowFilter filter) {
    List<SacctRow> all = new ArrayList<>();
    for (RecordedJob job : jobs) {
      for (SacctRow row : SacctRow.of(job, style)) {
        if (filter.lists(job.job(), row.stepName())) {
          all.add(row);
        }
      }
    }
    return table.text(fields, all);
  }
}
