package io.dure.core.accounting.usage;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.PrioritySettings;
import io.dure.core.accounting.PrioritySettings.Flag;
import java.time.Instant;

/** Fair shares as the configuration wants them. All functions are pure. */
public final class FairShares {
  private FairShares() {}

  /** The fair shares of all associations at a time. */
  public static Shares of(
      PrioritySettings settings, AccountingTree tree, UsageBook book, Instant now) {
    Decay decay = Decay.of(settings.halfLife());
    if (settings.has(Flag.DEPTH_OBLIVIOUS)) {
      return ObliviousShare.of(tree, book, now, decay, settings.dampening());
    }
    return settings.has(Flag.NO_FAIR_TREE)
        ? ClassicShare.of(tree, book, now, decay, settings.dampening())
        : FairTree.of(tree, book, now, decay);
  }
}
