package io.dure.insight.holdings;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.usage.FairShareCalculation;
import io.dure.model.accounting.usage.FairShareTable;
import io.dure.model.report.ResourceAmounts;
import io.dure.model.report.ResourceHolder;
import io.dure.model.report.ShareHolder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts owners under their accounts, and accounts under those above them. Lives within one
 * calculation; one thread.
 */
final class AccountRollup {
  private static final ResourceHolder.Waiting NOTHING =
      new ResourceHolder.Waiting(0, 0, ResourceAmounts.NONE);

  private final AccountingTree tree;
  private final FairShareTable shares;
  private final boolean ofWhole;
  private final HoldingsVisibility sight;
  private final ResourceAmounts whole;
  private final Map<String, Branch> branches = new TreeMap<>();
  private final Map<ShareHolder, Branch> top = new LinkedHashMap<>();

  /** A holder and what stands below it. */
  private static final class Branch {
    ResourceHolder holder;
    final Map<ShareHolder, Branch> below = new LinkedHashMap<>();

    Branch(ResourceHolder holder) {
      this.holder = holder;
    }
  }

  AccountRollup(ClusterState state, HoldingsVisibility sight, ResourceAmounts whole, Instant now) {
    tree = state.accounts();
    this.sight = sight;
    this.whole = whole;
    PrioritySettings settings = state.settings().priority();
    shares = FairShareCalculation.of(settings, tree, state.usage(), now);
    ofWhole =
        settings.has(PrioritySettings.Flag.NO_FAIR_TREE)
            || settings.has(PrioritySettings.Flag.DEPTH_OBLIVIOUS);
  }

  /** All users that have a share, also those that hold nothing. */
  void everybody() {
    for (Association one : tree.walk()) {
      if (one.user() == null) {
        if (!one.account().equals(AccountingTree.ROOT) && sight.ofAccount(one.account())) {
          branch(one.account());
        }
      } else if (one.partition() == null) {
        add(new OwnerTotals.Owner(one.account(), one.user()), idle(one.user(), one.account()));
      }
    }
  }

  private static ResourceHolder idle(String user, String account) {
    return new ResourceHolder(
        new ShareHolder.User(user, account), 0, ResourceAmounts.NONE, 0, NOTHING, null);
  }

  /** Adds an owner. */
  void add(OwnerTotals.Owner owner, ResourceHolder holder) {
    String account = owner.account();
    String shown = account != null && sight.ofAccount(account) ? account : null;
    Branch above = shown == null ? null : branch(shown);
    Map<ShareHolder, Branch> siblings = above == null ? top : above.below;
    ResourceHolder seen =
        sight.of(owner.user(), account)
            ? holder
                .with()
                .depth(above == null ? 0 : above.holder.depth() + 1)
                .share(share(account, owner.user()))
                .build()
            : holder
                .with()
                .who(new ShareHolder.Others(shown))
                .depth(above == null ? 0 : above.holder.depth() + 1)
                .share(null)
                .build();
    Branch same = siblings.putIfAbsent(seen.who(), new Branch(seen));
    if (same != null) {
      same.holder = sum(same.holder, seen);
    }
    for (Branch at = above; at != null; at = above(at)) {
      at.holder = sum(at.holder, seen);
    }
  }

  private static ResourceHolder sum(ResourceHolder one, ResourceHolder other) {
    return one.with()
        .held(one.held().plus(other.held()))
        .running(one.running() + other.running())
        .waiting(one.waiting().plus(other.waiting()))
        .build();
  }

  /** The branch of an account, with those above it; made where it is not there yet. */
  private Branch branch(String account) {
    Branch known = branches.get(account);
    if (known != null) {
      return known;
    }
    String above = parent(account);
    Branch parent = above == null ? null : branch(above);
    int depth = parent == null ? 0 : parent.holder.depth() + 1;
    ShareHolder who = new ShareHolder.Account(account);
    Branch made =
        new Branch(
            new ResourceHolder(who, depth, ResourceAmounts.NONE, 0, NOTHING, share(account, null)));
    branches.put(account, made);
    (parent == null ? top : parent.below).put(who, made);
    return made;
  }

  private @Nullable Branch above(Branch branch) {
    return branch.holder.who() instanceof ShareHolder.Account(String name) && parent(name) != null
        ? branches.get(parent(name))
        : null;
  }

  /** The account above, null below the root account, which is all, and for those not known. */
  private @Nullable String parent(String account) {
    Association own = tree.association(account, null, null);
    String above = own == null ? null : own.parent();
    return above == null || above.equals(AccountingTree.ROOT) || !sight.ofAccount(above)
        ? null
        : above;
  }

  private ResourceHolder.@Nullable Share share(@Nullable String account, @Nullable String user) {
    if (account == null || user == null && account.equals(AccountingTree.ROOT)) {
      return null;
    }
    Association own = tree.association(account, user, null);
    if (own == null || !sight.ofUsage(user, account)) {
      return null;
    }
    double entitled = 1;
    for (Association at = own; at != null; at = tree.parent(at)) {
      // Whose share is its parent's stands where its parent stands; the root has all.
      if (at.shares() != null && tree.parent(at) != null) {
        entitled *= shares.normShares(at);
        if (ofWhole) {
          break;
        }
      }
    }
    return new ResourceHolder.Share(entitled, shares.normUsage(own), shares.factor(own));
  }

  /** All, with those below an account behind it, among equals the biggest holder first. */
  List<ResourceHolder> rows() {
    List<ResourceHolder> rows = new ArrayList<>();
    write(top, rows);
    return rows;
  }

  private void write(Map<ShareHolder, Branch> among, List<ResourceHolder> rows) {
    List<Branch> siblings = new ArrayList<>(among.values());
    siblings.sort(
        Comparator.comparing(
            (Branch one) -> one.holder,
            Comparator.comparingDouble((ResourceHolder one) -> -one.held().partOf(whole))
                .thenComparingDouble(one -> -one.waiting().asked().partOf(whole))
                .thenComparingLong(one -> -one.waiting().jobs())
                .thenComparing(AccountRollup::name)));
    for (Branch one : siblings) {
      rows.add(one.holder);
      write(one.below, rows);
    }
  }

  private static String name(ResourceHolder holder) {
    return switch (holder.who()) {
      case ShareHolder.Account(String name) -> name;
      case ShareHolder.User(String name, _) -> name;
      case ShareHolder.Others _ -> "";
    };
  }
}
