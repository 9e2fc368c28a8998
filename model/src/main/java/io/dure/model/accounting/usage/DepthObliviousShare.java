package io.dure.model.accounting.usage;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import java.time.Instant;
import java.util.List;

/**
 * Fair share by the ratio of use to share at each level, in which the depth of a place in the tree
 * does not matter ({@code DEPTH_OBLIVIOUS}): the ratio of the account above, times the own ratio to
 * that of the siblings, of which less counts where the two go apart.
 */
public final class DepthObliviousShare extends ClassicFairShare {
  private static final double STEEPNESS = 5;

  private DepthObliviousShare(
      AccountingTree tree, UsageLedger book, Instant now, UsageDecay decay, double dampening) {
    super(tree, book, now, decay, dampening);
  }

  /** The fair shares at a time. */
  public static FairShareTable of(
      AccountingTree tree, UsageLedger book, Instant now, UsageDecay decay, long dampening) {
    return new DepthObliviousShare(tree, book, now, decay, dampening).table();
  }

  @Override
  double siblings(List<Association> children) {
    double used = 0;
    for (Association child : children) {
      used += child.shares() == null ? 0 : norm(child);
    }
    return used;
  }

  @Override
  double own(Association account, double part, double sum) {
    return sum == 0 ? 0 : shares.normShares(account) * part / sum;
  }

  @Override
  double effective(Association account, double norm, double own, double part, double siblings) {
    double shareAbove = shares.normShares(account);
    double above = shareAbove == 0 ? 0 : shares.effectiveUsage(account) / shareAbove;
    double together = shareAbove == 0 ? 0 : siblings / shareAbove;
    double local = own == 0 || together == 0 ? 0 : norm / own / together;
    return above * StrictMath.pow(local, weight(above, local)) * own;
  }

  /** How much the ratio among siblings counts. */
  private static double weight(double above, double local) {
    if (above == 0 || local == 0) {
      return 1;
    }
    double distance = StrictMath.log(above);
    if (distance * StrictMath.log(local) >= 0) {
      return 1;
    }
    double steep = STEEPNESS * distance;
    return 1 / (1 + steep * steep);
  }
}
