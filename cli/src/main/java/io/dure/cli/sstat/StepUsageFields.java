package io.dure.cli.sstat;

import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.StepUsageColumns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The columns of the listing. */
final class StepUsageFields {
  static final List<AccountingField<StepUsageRow>> ALL = all();

  /** What is listed where no columns are asked for. */
  static final String USUAL =
      "jobid,maxvmsize,maxvmsizenode,maxvmsizetask,avevmsize,maxrss,maxrssnode,maxrsstask,averss,"
          + "maxpages,maxpagesnode,maxpagestask,avepages,mincpu,mincpunode,mincputask,avecpu,"
          + "ntasks,avecpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,consumedenergy,"
          + "maxdiskread,maxdiskreadnode,maxdiskreadtask,avediskread,"
          + "maxdiskwrite,maxdiskwritenode,maxdiskwritetask,avediskwrite,"
          + tres("in")
          + ","
          + tres("out");

  static final String PROCESSES = "jobid,nodelist,pids";

  private StepUsageFields() {}

  private static String tres(String direction) {
    return List.of("ave", "max", "maxnode", "maxtask", "min", "minnode", "mintask", "tot").stream()
        .map(kind -> "tresusage" + direction + kind)
        .collect(Collectors.joining(","));
  }

  /** In the order of their names, but for the requested frequencies, which Slurm sorts by kind. */
  private static List<AccountingField<StepUsageRow>> all() {
    List<AccountingField<StepUsageRow>> all = new ArrayList<>();
    all.add(field("JobID", -12, StepUsageRow::id));
    all.add(field("Nodelist", 20, StepUsageRow::nodeList));
    all.add(field("NTasks", 8, row -> Integer.toString(row.tasks().size())));
    all.add(field("Pids", 20, StepUsageFields::pids));
    all.addAll(StepUsageColumns.of(StepUsageRow::figures));
    all.sort(Comparator.comparing(StepUsageFields::place));
    return List.copyOf(all);
  }

  private static String place(AccountingField<StepUsageRow> field) {
    String name = field.names().getFirst();
    return name.startsWith("reqcpufreq")
        ? "reqcpufreq"
        : name.startsWith("tresusage") ? "tresusage" : name;
  }

  private static AccountingField<StepUsageRow> field(
      String header, int width, Function<StepUsageRow, String> value) {
    return new AccountingField<>(header, List.of(header.toLowerCase(Locale.ROOT)), width, value);
  }

  private static String pids(StepUsageRow row) {
    return row.pids().stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
