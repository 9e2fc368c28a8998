package io.dure.model.accounting.usage;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import java.time.Instant;

/** Fair share by distance from the share, each level above weighing in: before there were ranks. */
public final class ClassicFairShare {
  private final AccountingTree tree;
  private final UsageLedger book;
  private final Instant now;
  private final UsageDecay decay;
  private final double dampening;
  private final FairShareTable shares;
  private final double whole;

  private ClassicFairShare(
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
    ClassicFairShare classic = new ClassicFairShare(tree, book, now, decay, dampening);
    Association root = tree.association(AccountingTree.ROOT, null, null);
    if (root != null) {
      classic.shares.put(root, 1, 1, 1, Double.POSITIVE_INFINITY);
      classic.below(root);
    }
    return classic.shares;
  }

  private double used(Association association) {
    return book.of(association, now, decay).raw();
  }

  private void below(Association account) {
    double sum = 0;
    for (Association child : tree.children(account.account())) {
      sum += child.shares() == null ? 0 : child.shares();
    }
    for (Association child : tree.children(account.account())) {
      place(account, child, sum);
      shares.factor(child, factor(child));
      if (child.user() == null) {
        below(child);
      }
    }
  }

  private void place(Association account, Association child, double sum) {
    double norm = whole == 0 ? 0 : used(child) / whole;
    if (child.shares() == null) {
      shares.put(
          child,
          shares.normShares(account),
          norm,
          shares.effectiveUsage(account),
          Double.POSITIVE_INFINITY);
      return;
    }
    double part = sum == 0 ? 0 : child.shares() / sum;
    boolean top = account.parent() == null;
    double effective = top ? norm : norm + (shares.effectiveUsage(account) - norm) * part;
    double own = shares.normShares(account) * part;
    shares.put(
        child, own, norm, effective, effective == 0 ? Double.POSITIVE_INFINITY : own / effective);
  }

  private double factor(Association child) {
    double own = shares.normShares(child);
    return own <= 0 ? 0 : StrictMath.pow(2, -(shares.effectiveUsage(child) / own / dampening));
  }
}
