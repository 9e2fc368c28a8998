package io.dure.surface.sacct;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepName;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.surface.facts.GresFormat;
import java.util.List;

/** What a row asked for and had, as amounts. */
final class RowResources {
  private RowResources() {}

  /** What it had; nothing before it began. */
  static TresAmounts allocated(SacctRow row) {
    Allocation held = row.job().allocation();
    if (held == null) {
      return TresAmounts.NONE;
    }
    RecordedStep step = row.step();
    if (step == null || step.step() == StepName.ExternStep.NUMBER) {
      List<GresShare> shares =
          held.shares().stream().flatMap(share -> share.gres().stream()).toList();
      TresAmounts all =
          usual(row.job().cpus(), row.job().memoryMib(), row.job().nodeCount())
              .with(TresAmounts.BILLING, held.billed());
      return licensed(and(all, row, GresFormat.counts(shares)), row, held.licenses());
    }
    LaunchedStep launched = step.launched();
    TresAmounts all = usual(row.cpus(), row.memoryMib(), row.nodeCount());
    return launched == null
        ? all
        : and(
            all,
            row,
            GresFormat.counts(
                launched.shares().stream().flatMap(share -> share.gres().stream()).toList()));
  }

  /** What the job of a row asked for. */
  static TresAmounts requested(SacctRow row) {
    int cpus = row.job().spec().resources().neededCpus();
    Long billing = row.recorded().askedBilling();
    TresAmounts all =
        usual(cpus, row.job().askedMemoryMib(), row.job().spec().resources().minNodes())
            .with(TresAmounts.BILLING, billing == null ? cpus : billing);
    return licensed(
        and(all, row, row.job().spec().resources().totalGres()), row, row.job().askedLicenses());
  }

  /** With those licences that the cluster counts. */
  private static TresAmounts licensed(TresAmounts usual, SacctRow row, List<License> licenses) {
    return usual.and(
        licenses.stream().filter(one -> row.style().tres().contains(one.tres())).toList());
  }

  private static TresAmounts usual(int cpus, long memoryMib, int nodes) {
    TresAmounts cpu = TresAmounts.NONE.with(TresAmounts.CPU, cpus);
    TresAmounts both = memoryMib == 0 ? cpu : cpu.with(TresAmounts.MEMORY, memoryMib);
    return both.with(TresAmounts.NODE, nodes);
  }

  /** With those generic resources that the cluster counts. */
  private static TresAmounts and(TresAmounts usual, SacctRow row, List<GresCount> counts) {
    TresAmounts all = usual;
    for (String word : GresFormat.tres(row.style().tres(), counts).split(",", -1)) {
      int equals = word.lastIndexOf('=');
      if (equals > 0) {
        all = all.with(word.substring(0, equals), Long.parseLong(word.substring(equals + 1)));
      }
    }
    return all;
  }
}
