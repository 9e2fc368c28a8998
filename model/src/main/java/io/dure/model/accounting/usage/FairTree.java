package io.dure.model.accounting.usage;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Fair share by rank: users under the account that got least of its share come first, and so on
 * down the tree. Where accounts tie they come one after the other, their users not mixed; users who
 * tie share a rank. Lives within one calculation.
 */
public final class FairTree {
  private final AccountingTree tree;
  private final UsageLedger book;
  private final Instant now;
  private final UsageDecay decay;
  private final FairShareTable shares;
  private final double whole;
  private double total;
  private double rank;
  private double left;

  /**
   * A sibling.
   *
   * @param of the account or user
   * @param used what it has used
   * @param level shares over usage
   */
  private record Sibling(Association of, double used, double level) {}

  private static final Comparator<Sibling> ORDER =
      Comparator.comparingDouble(Sibling::level)
          .reversed()
          .thenComparing(sibling -> sibling.of().user() == null);

  private FairTree(AccountingTree tree, UsageLedger book, Instant now, UsageDecay decay) {
    this.tree = tree;
    this.book = book;
    this.now = now;
    this.decay = decay;
    shares = new FairShareTable(tree.nextAssociation());
    Association root = tree.association(AccountingTree.ROOT, null, null);
    whole = root == null ? 0 : used(root);
  }

  /** The fair shares at a time. */
  public static FairShareTable of(
      AccountingTree tree, UsageLedger book, Instant now, UsageDecay decay) {
    FairTree fair = new FairTree(tree, book, now, decay);
    Association root = tree.association(AccountingTree.ROOT, null, null);
    if (root != null) {
      tree.associations().forEach((_, one) -> fair.total += one.user() == null ? 0 : 1);
      fair.rank = fair.total;
      fair.left = fair.total;
      fair.shares.put(root, 0, 1, 1, Double.POSITIVE_INFINITY);
      fair.walk(root, false);
    }
    return fair.shares;
  }

  private double used(Association association) {
    return book.of(association, now, decay).raw();
  }

  private void walk(Association account, boolean startsTied) {
    List<Association> level = new ArrayList<>();
    gather(account, level);
    List<Sibling> siblings = siblings(level, used(account));
    boolean first = true;
    double before = 0;
    for (Sibling sibling : siblings) {
      boolean tied = first ? startsTied : sibling.level() == before;
      if (sibling.of().user() == null) {
        walk(sibling.of(), tied);
      } else {
        rank = tied ? rank : left;
        shares.factor(sibling.of(), rank / total);
        left--;
      }
      first = false;
      before = sibling.level();
    }
  }

  /** Children; those of an account whose share is its parent's stand in its place. */
  private void gather(Association account, List<Association> level) {
    for (Association child : tree.children(account.account())) {
      if (child.user() == null && child.shares() == null) {
        double used = used(child);
        double above = used(account);
        shares.put(
            child,
            0,
            whole == 0 ? 0 : used / whole,
            above == 0 ? 0 : used / above,
            Double.POSITIVE_INFINITY);
        gather(child, level);
      } else {
        level.add(child);
      }
    }
  }

  private List<Sibling> siblings(List<Association> level, double above) {
    double sum = 0;
    for (Association child : level) {
      sum += child.shares() == null ? 0 : child.shares();
    }
    List<Sibling> siblings = new ArrayList<>(level.size());
    for (Association child : level) {
      double used = used(child);
      double part = child.shares() == null || sum == 0 ? 0 : child.shares() / sum;
      double effective = above == 0 ? 0 : used / above;
      double fair = level(child, part, effective);
      shares.put(child, part, whole == 0 ? 0 : used / whole, effective, fair);
      siblings.add(new Sibling(child, used, fair));
    }
    siblings.sort(ORDER);
    return siblings;
  }

  private static double level(Association child, double part, double effective) {
    if (child.shares() == null) {
      return Double.POSITIVE_INFINITY;
    }
    if (part == 0) {
      return 0;
    }
    return effective == 0 ? Double.POSITIVE_INFINITY : part / effective;
  }
}
