package io.dure.model.accounting.usage;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.PrioritySettings.Flag;
import java.time.Instant;

/** Fair shares as the configuration wants them. All functions are pure. */
public final class FairShareCalculation {
  private FairShareCalculation() {}

  /** The fair shares of all associations at a time. */
  public static FairShareTable of(
      PrioritySettings settings, AccountingTree tree, UsageLedger book, Instant now) {
    UsageDecay decay = UsageDecay.of(settings.halfLife());
    if (settings.has(Flag.DEPTH_OBLIVIOUS)) {
      return DepthObliviousShare.of(tree, book, now, decay, settings.dampening());
    }
    return settings.has(Flag.NO_FAIR_TREE)
        ? ClassicFairShare.of(tree, book, now, decay, settings.dampening())
        : FairTree.of(tree, book, now, decay);
  }
}
