package io.dure.model.accounting;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may change what of the accounts. All functions are pure. */
public final class AccountingRights {
  private AccountingRights() {}

  /**
   * Whether a user may make all the changes. Operators may, but for administrators' levels;
   * coordinators may within their accounts.
   *
   * @param tree before the changes
   * @param superuser true for root and SlurmUser
   */
  public static boolean mayChange(
      AccountingTree tree, String user, boolean superuser, List<AccountingChange> changes) {
    AccountUser known = tree.user(user);
    if (superuser || (known != null && known.adminLevel() == AdminLevel.ADMINISTRATOR)) {
      return true;
    }
    boolean operator = known != null && known.adminLevel() == AdminLevel.OPERATOR;
    return changes.stream()
        .allMatch(
            change -> operator ? asOperator(tree, change) : within(tree, user, change, changes));
  }

  /**
   * The changes without those to the records of users whom the coordinator that asks for them may
   * not see, and therefore takes to be new: such a user gets associations and stays as it is.
   */
  public static List<AccountingChange> within(
      AccountingTree tree, String user, List<AccountingChange> changes) {
    if (level(tree, user) != AdminLevel.NONE) {
      return changes;
    }
    return changes.stream()
        .filter(change ->
            !(change instanceof AccountingChange.UserSet(AccountUser next))
                || tree.user(next.name()) == null
                || tree.of(next.name()).stream()
                    .anyMatch(one -> tree.isCoordinator(user, one.account())))
        .toList();
  }

  private static boolean asOperator(AccountingTree tree, AccountingChange change) {
    return !(change instanceof AccountingChange.UserSet(AccountUser next))
        || level(tree, next.name()) == next.adminLevel();
  }

  private static AdminLevel level(AccountingTree tree, String user) {
    AccountUser known = tree.user(user);
    return known == null ? AdminLevel.NONE : known.adminLevel();
  }

  private static boolean within(
      AccountingTree tree, String user, AccountingChange change, List<AccountingChange> all) {
    return switch (change) {
      case AccountingChange.AccountSet(Account account) ->
          leads(tree, user, account.name(), all)
              && (tree.account(account.name()) != null || account.coordinators().isEmpty());
      case AccountingChange.AccountRemoved(String name) -> below(tree, user, name);
      case AccountingChange.UserSet(AccountUser next) ->
          level(tree, next.name()) == next.adminLevel()
              && (tree.user(next.name()) == null || leads(tree, user, next.defaultAccount(), all));
      case AccountingChange.UserRemoved(String name) ->
          tree.of(name).stream().allMatch(a -> tree.isCoordinator(user, a.account()));
      case AccountingChange.AssociationSet(Association next) -> {
        Association before = tree.associations().get(next.id());
        boolean from =
            before == null
                || (before.user() == null
                    ? below(tree, user, before.account())
                    : tree.isCoordinator(user, before.account()));
        boolean to =
            next.user() == null
                ? next.parent() != null && leads(tree, user, next.parent(), all)
                : leads(tree, user, next.account(), all);
        yield from && to;
      }
      case AccountingChange.AssociationRemoved(int id) -> {
        Association before = tree.associations().get(id);
        yield before != null
            && (before.user() == null
                ? below(tree, user, before.account())
                : tree.isCoordinator(user, before.account()));
      }
      case AccountingChange.QosSet _,
          AccountingChange.QosRemoved _,
          AccountingChange.UsageCleared _,
          AccountingChange.QosUsageCleared _ ->
          false;
    };
  }

  /** Coordinators do not change their own account, but those below it. */
  private static boolean below(AccountingTree tree, String user, String account) {
    Association own = tree.association(account, null, null);
    return own != null && own.parent() != null && tree.isCoordinator(user, own.parent());
  }

  /** Whether a user coordinates an account as it is, or as these changes would have it. */
  private static boolean leads(
      AccountingTree tree, String user, @Nullable String account, List<AccountingChange> all) {
    if (account == null) {
      return false;
    }
    if (tree.account(account) != null) {
      return tree.isCoordinator(user, account);
    }
    for (AccountingChange change : all) {
      if (change instanceof AccountingChange.AssociationSet(Association next)
          && next.user() == null
          && next.account().equals(account)
          && next.parent() != null
          && !next.parent().equals(account)) {
        return tree.account(next.parent()) != null && tree.isCoordinator(user, next.parent());
      }
    }
    return false;
  }
}
