package io.dure.surface.accounts;

import io.dure.model.step.StepConsumption.OfTask;
import io.dure.surface.accounts.StepUsageFigures.Amount;
import io.dure.surface.print.ElapsedTimeFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of what steps use, which {@code sstat} and {@code sacct} share.
 *
 * @param <R> a row
 */
public final class StepUsageColumns<R> {
  private static final String UNITS = "KMGTPE";
  private static final String NODE_KIND = "Node";
  private static final String TASK_KIND = "Task";
  private static final long THOUSAND = 1000;
  private static final long MICROS = 1_000_000;

  private final Function<R, @Nullable StepUsageFigures> figures;
  private final List<AccountingField<R>> all = new ArrayList<>();

  private StepUsageColumns(Function<R, @Nullable StepUsageFigures> figures) {
    this.figures = figures;
  }

  /**
   * The columns.
   *
   * @param figures those of a row, null for one that shows nothing in any of them
   */
  public static <R> List<AccountingField<R>> of(Function<R, @Nullable StepUsageFigures> figures) {
    StepUsageColumns<R> columns = new StepUsageColumns<>(figures);
    columns.add();
    return columns.all;
  }

  private void add() {
    add("AveCPU", 10, row -> time(row.average(Amount.CPU)));
    add("AveCPUFreq", 10, StepUsageColumns::frequency);
    add("AveDiskRead", 12, row -> disk(row, row.average(Amount.READ)));
    add("AveDiskWrite", 12, row -> disk(row, row.average(Amount.WRITTEN)));
    add("AvePages", 10, row -> Long.toString(row.average(Amount.PAGES)));
    add("AveRSS", 10, row -> size(row, row.average(Amount.MEMORY)));
    add("AveVMSize", 10, row -> size(row, row.average(Amount.SPACE)));
    add("ConsumedEnergy", 14, StepUsageColumns::energy);
    add("ConsumedEnergyRaw", 17, row -> Long.toString(row.of(Amount.ENERGY).total()));
    most("MaxDiskRead", 12, 15, 15, Amount.READ);
    most("MaxDiskWrite", 12, 16, 16, Amount.WRITTEN);
    most("MaxPages", 8, 12, 14, Amount.PAGES);
    most("MaxRSS", 10, 10, 10, Amount.MEMORY);
    most("MaxVMSize", 10, 14, 14, Amount.SPACE);
    add("MinCPU", 10, row -> time(row.of(Amount.CPU).least().amount()));
    add("MinCPUNode", 10, row -> row.of(Amount.CPU).least().node());
    add("MinCPUTask", 10, row -> rank(row.of(Amount.CPU).least()));
    for (String name : List.of("ReqCPUFreq", "ReqCPUFreqMin", "ReqCPUFreqMax", "ReqCPUFreqGov")) {
      add(name, 13, _ -> "Unknown");
    }
    resources(true, "TRESUsageIn", 14, 18);
    resources(false, "TRESUsageOut", 15, 19);
  }

  private void add(String header, int width, Function<StepUsageFigures, String> value) {
    all.add(
        new AccountingField<>(
            header,
            List.of(header.toLowerCase(Locale.ROOT)),
            width,
            row -> {
              StepUsageFigures known = figures.apply(row);
              return known == null ? "" : value.apply(known);
            }));
  }

  private void most(String name, int width, int nodeWidth, int taskWidth, Amount amount) {
    add(name, width, row -> amount(row, amount, row.of(amount).most().amount()));
    add(name + NODE_KIND, nodeWidth, row -> row.of(amount).most().node());
    add(name + TASK_KIND, taskWidth, row -> rank(row.of(amount).most()));
  }

  private void resources(boolean in, String name, int width, int placeWidth) {
    add(name + "Ave", width, row -> amounts(row, in, row::average));
    add(name + "Max", width, row -> amounts(row, in, one -> row.of(one).most().amount()));
    add(name + "MaxNode", placeWidth, row -> nodes(row, in, one -> row.of(one).most()));
    add(name + "MaxTask", placeWidth, row -> ranks(row, in, one -> row.of(one).most()));
    add(name + "Min", width, row -> amounts(row, in, one -> row.of(one).least().amount()));
    add(name + "MinNode", placeWidth, row -> nodes(row, in, one -> row.of(one).least()));
    add(name + "MinTask", placeWidth, row -> ranks(row, in, one -> row.of(one).least()));
    add(name + "Tot", width, row -> amounts(row, in, one -> row.of(one).total()));
  }

  private static String amounts(StepUsageFigures row, boolean in, Function<Amount, Long> value) {
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
      StepUsageFigures row, Function<Amount, String> memory, Function<Amount, String> percent) {
    return row.hasGpus()
        ? ",gres/gpumem="
            + memory.apply(Amount.GPU_MEMORY)
            + ",gres/gpuutil="
            + percent.apply(Amount.GPU_PERCENT)
        : "";
  }

  private static String nodes(StepUsageFigures row, boolean in, Function<Amount, OfTask> which) {
    Amount energetic = row.of(Amount.ENERGY).total() == 0 ? Amount.CPU : Amount.ENERGY;
    String energy = "energy=" + which.apply(energetic).node();
    return in
        ? "cpu=" + which.apply(Amount.CPU).node() + "," + energy + places(row, which, OfTask::node)
        : energy + ",fs/disk=" + which.apply(Amount.WRITTEN).node();
  }

  private static String ranks(StepUsageFigures row, boolean in, Function<Amount, OfTask> which) {
    return in
        // Slurm prints this task's number as a time.
        ? "cpu="
            + ElapsedTimeFormat.full(which.apply(Amount.CPU).task())
            + places(row, which, StepUsageColumns::rank)
        : "fs/disk=" + rank(which.apply(Amount.WRITTEN));
  }

  private static String places(
      StepUsageFigures row, Function<Amount, OfTask> which, Function<OfTask, String> place) {
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

  private static String rank(OfTask task) {
    return Integer.toString(task.task());
  }

  private static String time(long micros) {
    return ElapsedTimeFormat.full(micros / MICROS);
  }

  /** Joules, shortened by thousands. */
  private static String energy(StepUsageFigures row) {
    double joules = row.of(Amount.ENERGY).total();
    int unit = -1;
    while (!row.units().plain() && joules >= THOUSAND && unit < UNITS.length() - 1) {
      joules /= THOUSAND;
      unit++;
    }
    return unit < 0
        ? Long.toString((long) joules)
        : String.format(Locale.ROOT, "%.2f", joules) + UNITS.substring(unit, unit + 1);
  }

  /** Slurm counts it in thousands that it takes for kilohertz. */
  private static String frequency(StepUsageFigures row) {
    long megahertz = row.megahertz();
    return megahertz == 0
        ? "0"
        : row.units().plain() || megahertz < THOUSAND
            ? megahertz + "K"
            : String.format(Locale.ROOT, "%.2fM", megahertz / (double) THOUSAND);
  }

  private static String amount(StepUsageFigures row, Amount amount, long value) {
    return switch (amount) {
      case READ, WRITTEN -> disk(row, value);
      case MEMORY, SPACE, GPU_MEMORY -> size(row, value);
      case CPU -> time(value);
      case PAGES, GPU_PERCENT, ENERGY -> Long.toString(value);
    };
  }

  /** Slurm takes one byte for a part of a megabyte. */
  private static String disk(StepUsageFigures row, long bytes) {
    return bytes == 1 && row.units().unit() == null ? "1.00M" : size(row, bytes);
  }

  private static String size(StepUsageFigures row, long bytes) {
    return row.units().bytes(bytes);
  }
}
