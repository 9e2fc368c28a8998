package io.dure.core.accounting.usage;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Association;
import java.time.Instant;

/** Fair share by distance from the share, each level above weighing in: before there were ranks. */
public final class ClassicShare {
  private final AccountingTree tree;
  private final UsageBook book;
  private final Instant now;
  private final Decay decay;
  private final double dampening;
  private final Shares shares;
  private final double whole;

  private ClassicShare(
      AccountingTree tree, UsageBook book, Instant now, Decay decay, double dampening) {
    this.tree = tree;
    this.book = book;
    this.now = now;
    this.decay = decay;
    this.dampening = dampening;
    shares = new Shares(tree.nextAssociation());
    Association root = tree.association(AccountingTree.ROOT, null, null);
    whole = root == null ? 0 : used(root);
  }

  /** The fair shares at a time. */
  public static Shares of(
      AccountingTree tree, UsageBook book, Instant now, Decay decay, long dampening) {
    ClassicShare classic = new ClassicShare(tree, book, now, decay, dampening);
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
