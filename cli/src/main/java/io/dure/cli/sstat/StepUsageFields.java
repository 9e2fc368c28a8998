package io.dure.cli.sstat;

import io.dure.cli.sstat.StepUsageRow.Amount;
import io.dure.cli.sstat.StepUsageRow.NodeTask;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.print.ElapsedTimeFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The columns of the listing. */
final class StepUsageFields {
  private static final String UNITS = "KMGTPE";
  private static final String NODE_KIND = "Node";
  private static final String TASK_KIND = "Task";
  private static final long THOUSAND = 1000;
  private static final long MICROS = 1_000_000;

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

  private static List<AccountingField<StepUsageRow>> all() {
    List<AccountingField<StepUsageRow>> all = new ArrayList<>();
    all.add(field("AveCPU", 10, row -> time(row.average(Amount.CPU))));
    all.add(field("AveCPUFreq", 10, StepUsageFields::frequency));
    all.add(field("AveDiskRead", 12, row -> disk(row, row.average(Amount.READ))));
    all.add(field("AveDiskWrite", 12, row -> disk(row, row.average(Amount.WRITTEN))));
    all.add(field("AvePages", 10, row -> Long.toString(row.average(Amount.PAGES))));
    all.add(field("AveRSS", 10, row -> size(row, row.average(Amount.MEMORY))));
    all.add(field("AveVMSize", 10, row -> size(row, row.average(Amount.SPACE))));
    all.add(field("ConsumedEnergy", 14, StepUsageFields::energy));
    all.add(field("ConsumedEnergyRaw", 17, row -> Long.toString(row.total(Amount.ENERGY))));
    all.add(field("JobID", -12, StepUsageRow::id));
    most(all, "MaxDiskRead", 12, 15, 15, Amount.READ);
    most(all, "MaxDiskWrite", 12, 16, 16, Amount.WRITTEN);
    most(all, "MaxPages", 8, 12, 14, Amount.PAGES);
    most(all, "MaxRSS", 10, 10, 10, Amount.MEMORY);
    most(all, "MaxVMSize", 10, 14, 14, Amount.SPACE);
    all.add(field("MinCPU", 10, row -> time(Amount.CPU.of(row.least(Amount.CPU)))));
    all.add(field("MinCPUNode", 10, row -> row.least(Amount.CPU).node()));
    all.add(field("MinCPUTask", 10, row -> rank(row.least(Amount.CPU))));
    all.add(field("Nodelist", 20, StepUsageRow::nodeList));
    all.add(field("NTasks", 8, row -> Integer.toString(row.tasks().size())));
    all.add(field("Pids", 20, StepUsageFields::pids));
    for (String name : List.of("ReqCPUFreq", "ReqCPUFreqMin", "ReqCPUFreqMax", "ReqCPUFreqGov")) {
      all.add(field(name, 13, _ -> "Unknown"));
    }
    resources(all, true, "TRESUsageIn", 14, 18);
    resources(all, false, "TRESUsageOut", 15, 19);
    return List.copyOf(all);
  }

  private static AccountingField<StepUsageRow> field(
      String header, int width, Function<StepUsageRow, String> value) {
    return new AccountingField<>(header, List.of(header.toLowerCase(Locale.ROOT)), width, value);
  }

  private static void most(
      List<AccountingField<StepUsageRow>> all,
      String name,
      int width,
      int nodeWidth,
      int taskWidth,
      Amount amount) {
    all.add(field(name, width, row -> amount(row, amount, amount.of(row.most(amount)))));
    all.add(field(name + NODE_KIND, nodeWidth, row -> row.most(amount).node()));
    all.add(field(name + TASK_KIND, taskWidth, row -> rank(row.most(amount))));
  }

  private static void resources(
      List<AccountingField<StepUsageRow>> all, boolean in, String name, int width, int placeWidth) {
    all.add(field(name + "Ave", width, row -> amounts(row, in, row::average)));
    all.add(field(name + "Max", width, row -> amounts(row, in, one -> one.of(row.most(one)))));
    all.add(field(name + "MaxNode", placeWidth, row -> nodes(row, in, row::most)));
    all.add(field(name + "MaxTask", placeWidth, row -> ranks(row, in, row::most)));
    all.add(field(name + "Min", width, row -> amounts(row, in, one -> one.of(row.least(one)))));
    all.add(field(name + "MinNode", placeWidth, row -> nodes(row, in, row::least)));
    all.add(field(name + "MinTask", placeWidth, row -> ranks(row, in, row::least)));
    all.add(field(name + "Tot", width, row -> amounts(row, in, row::total)));
  }

  private static String amounts(StepUsageRow row, boolean in, Function<Amount, Long> value) {
    if (!in) {
      return "energy=0,fs/disk=" + value.apply(Amount.WRITTEN);
    }
    return "cpu="
        + time(value.apply(Amount.CPU))
        + ",energy="
        + value.apply(Amount.ENERGY)
        + ",fs/disk="
        + value.apply(Amount.READ)
        + gpus(row, value.andThen(bytes -> size(row, bytes)), value.andThen(String::valueOf))
        + ",mem="
        + size(row, value.apply(Amount.MEMORY))
        + ",pages="
        + value.apply(Amount.PAGES)
        + ",vmem="
        + size(row, value.apply(Amount.SPACE));
  }

  /** Only where there are any, as in Slurm. */
  private static String gpus(
      StepUsageRow row, Function<Amount, String> memory, Function<Amount, String> percent) {
    return row.hasGpus()
        ? ",gres/gpumem="
            + memory.apply(Amount.GPU_MEMORY)
            + ",gres/gpuutil="
            + percent.apply(Amount.GPU_PERCENT)
        : "";
  }

  private static String nodes(StepUsageRow row, boolean in, Function<Amount, NodeTask> which) {
    Amount energetic = row.total(Amount.ENERGY) == 0 ? Amount.CPU : Amount.ENERGY;
    String energy = "energy=" + which.apply(energetic).node();
    return in
        ? "cpu="
            + which.apply(Amount.CPU).node()
            + ","
            + energy
            + places(row, which, NodeTask::node)
        : energy + ",fs/disk=" + which.apply(Amount.WRITTEN).node();
  }

  private static String ranks(StepUsageRow row, boolean in, Function<Amount, NodeTask> which) {
    return in
        // Slurm prints this task's number as a time.
        ? "cpu="
            + ElapsedTimeFormat.full(which.apply(Amount.CPU).figures().rank())
            + places(row, which, StepUsageFields::rank)
        : "fs/disk=" + rank(which.apply(Amount.WRITTEN));
  }

  private static String places(
      StepUsageRow row, Function<Amount, NodeTask> which, Function<NodeTask, String> place) {
    Function<Amount, String> of = which.andThen(place);
    return ",fs/disk="
        + of.apply(Amount.READ)
        + gpus(row, of, of)
        + ",mem="
        + of.apply(Amount.MEMORY)
        + ",pages="
        + of.apply(Amount.PAGES)
        + ",vmem="
        + of.apply(Amount.SPACE);
  }

  private static String rank(NodeTask task) {
    return Integer.toString(task.figures().rank());
  }

  private static String pids(StepUsageRow row) {
    return row.pids().stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String time(long micros) {
    return ElapsedTimeFormat.full(micros / MICROS);
  }

  /** Joules, shortened by thousands. */
  private static String energy(StepUsageRow row) {
    double joules = row.total(Amount.ENERGY);
    int unit = -1;
    while (!row.plain() && joules >= THOUSAND && unit < UNITS.length() - 1) {
      joules /= THOUSAND;
      unit++;
    }
    return unit < 0
        ? Long.toString((long) joules)
        : String.format(Locale.ROOT, "%.2f", joules) + UNITS.substring(unit, unit + 1);
  }

  /** Slurm counts it in thousands that it takes for kilohertz. */
  private static String frequency(StepUsageRow row) {
    long megahertz = 0;
    for (NodeTask task : row.tasks()) {
      megahertz += task.figures().megahertz();
    }
    megahertz = row.tasks().isEmpty() ? 0 : megahertz / row.tasks().size();
    return megahertz == 0
        ? "0"
        : row.plain() || megahertz < THOUSAND
            ? megahertz + "K"
            : String.format(Locale.ROOT, "%.2fM", megahertz / (double) THOUSAND);
  }

  private static String amount(StepUsageRow row, Amount amount, long value) {
    return switch (amount) {
      case READ, WRITTEN -> disk(row, value);
      case MEMORY, SPACE, GPU_MEMORY -> size(row, value);
      case CPU -> time(value);
      case PAGES, GPU_PERCENT, ENERGY -> Long.toString(value);
    };
  }

  /** Slurm takes one byte for a part of a megabyte. */
  private static String disk(StepUsageRow row, long bytes) {
    return bytes == 1 ? "1.00M" : size(row, bytes);
  }

  /** Shortened as long as nothing is lost by it. */
  private static String size(StepUsageRow row, long bytes) {
    long value = bytes;
    int unit = -1;
    while (!row.plain() && value > 0 && value % 1024 == 0 && unit < UNITS.length() - 1) {
      value /= 1024;
      unit++;
    }
    return unit < 0 ? Long.toString(value) : value + UNITS.substring(unit, unit + 1);
  }
}
