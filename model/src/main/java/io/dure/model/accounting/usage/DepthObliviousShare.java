package io.dure.model.accounting.usage;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import java.time.Instant;
import java.util.List;

/**
 * Fair share by the ratio of use to share at each level, in which how deep in the tree somebody
 * stands does not matter ({@code DEPTH_OBLIVIOUS}): the ratio of the account above, times the own
 * ratio to that of the siblings, of which less counts where the two go apart.
 */
public final class DepthObliviousShare {
  private static final double STEEPNESS = 5;

  private final AccountingTree tree;
  private final UsageLedger book;
  private final Instant now;
  private final UsageDecay decay;
  private final double dampening;
  private final FairShareTable shares;
  private final double whole;

  private DepthObliviousShare(
      AccountingTree tree, UsageLedger book, Instant now, UsageDecay decay, double dampening) {
    this.tree = tree;
    this.book = book;
    this.now = now;
    this.decay = decay;
    this.dampening = dampening;
    shares = new FairShareTable(tree.nextAssociation());
    Association root = tree.association(AccountingTree.ROOT, null, null);
    whole = root == null ? 0 : used(root);
  }

  /** The fair shares at a time. */
  public static FairShareTable of(
      AccountingTree tree, UsageLedger book, Instant now, UsageDecay decay, long dampening) {
    DepthObliviousShare oblivious = new DepthObliviousShare(tree, book, now, decay, dampening);
    Association root = tree.association(AccountingTree.ROOT, null, null);
    if (root != null) {
      oblivious.shares.put(root, 1, 1, 1, Double.POSITIVE_INFINITY);
      oblivious.below(root);
    }
    return oblivious.shares;
  }

  private double used(Association association) {
    return book.of(association, now, decay).raw();
  }

  private double norm(Association association) {
    return whole == 0 ? 0 : used(association) / whole;
  }

  private void below(Association account) {
    List<Association> children = tree.children(account.account());
    double sum = 0;
    double used = 0;
    for (Association child : children) {
      sum += child.shares() == null ? 0 : child.shares();
      used += child.shares() == null ? 0 : norm(child);
    }
    for (Association child : children) {
      if (child.shares() == null) {
        shares.put(
            child,
            shares.normShares(account),
            norm(child),
            shares.effectiveUsage(account),
            Double.POSITIVE_INFINITY);
      } else {
        double own = sum == 0 ? 0 : shares.normShares(account) * child.shares() / sum;
        double effective = effective(account, child, own, used);
        double level = effective == 0 ? Double.POSITIVE_INFINITY : own / effective;
        shares.put(child, own, norm(child), effective, level);
      }
      shares.factor(child, factor(child));
      if (child.user() == null) {
        below(child);
      }
    }
  }

  private double effective(Association account, Association child, double own, double siblings) {
    double shareAbove = shares.normShares(account);
    double above = shareAbove == 0 ? 0 : shares.effectiveUsage(account) / shareAbove;
    double together = shareAbove == 0 ? 0 : siblings / shareAbove;
    double local = own == 0 || together == 0 ? 0 : norm(child) / own / together;
    double part = weight(above, local);
    return above * StrictMath.pow(local, part) * own;
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

  private double factor(Association child) {
    double own = shares.normShares(child);
    return own <= 0 ? 0 : StrictMath.pow(2, -(shares.effectiveUsage(child) / own / dampening));
  }
}
