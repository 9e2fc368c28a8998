package io.dure.model.accounting.usage;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import java.time.Instant;
import java.util.List;

/** Fair share by distance from the share, each level above weighing in: before there were ranks. */
public class ClassicFairShare {
  private final AccountingTree tree;
  private final UsageLedger book;
  private final Instant now;
  private final UsageDecay decay;
  private final double dampening;
  private final double whole;
  final FairShareTable shares;

  ClassicFairShare(
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
    return new ClassicFairShare(tree, book, now, decay, dampening).table();
  }

  final FairShareTable table() {
    Association root = tree.association(AccountingTree.ROOT, null, null);
    if (root != null) {
      shares.put(root, 1, 1, 1, Double.POSITIVE_INFINITY);
      below(root);
    }
    return shares;
  }

  private double used(Association association) {
    return book.of(association, now, decay).raw();
  }

  /** Its part of all usage. */
  final double norm(Association association) {
    return whole == 0 ? 0 : used(association) / whole;
  }

  private void below(Association account) {
    List<Association> children = tree.children(account.account());
    double sum = 0;
    for (Association child : children) {
      sum += child.shares() == null ? 0 : child.shares();
    }
    double siblings = siblings(children);
    for (Association child : children) {
      place(account, child, sum, siblings);
      shares.factor(child, factor(child));
      if (child.user() == null) {
        below(child);
      }
    }
  }

  private void place(Association account, Association child, double sum, double siblings) {
    double norm = norm(child);
    if (child.shares() == null) {
      shares.put(
          child,
          shares.normShares(account),
          norm,
          shares.effectiveUsage(account),
          Double.POSITIVE_INFINITY);
      return;
    }
    double own = own(account, child.shares(), sum);
    double effective = effective(account, norm, own, sum == 0 ? 0 : child.shares() / sum, siblings);
    double level = effective == 0 ? Double.POSITIVE_INFINITY : own / effective;
    shares.put(child, own, norm, effective, level);
  }

  private double factor(Association child) {
    double own = shares.normShares(child);
    return own <= 0 ? 0 : StrictMath.pow(2, -(shares.effectiveUsage(child) / own / dampening));
  }

  /** What of all usage counts for the effective usage of each sibling. */
  double siblings(List<Association> children) {
    return 0;
  }

  /** The part of the whole that so many of the siblings' shares are. */
  double own(Association account, double part, double sum) {
    return sum == 0 ? 0 : shares.normShares(account) * (part / sum);
  }

  /**
   * The usage that is held against a child.
   *
   * @param norm its part of all usage
   * @param own its part of the whole
   * @param part its part of the siblings' shares
   * @param siblings as {@link #siblings} says
   */
  double effective(Association account, double norm, double own, double part, double siblings) {
    boolean top = account.parent() == null;
    return top ? norm : norm + (shares.effectiveUsage(account) - norm) * part;
  }
}
