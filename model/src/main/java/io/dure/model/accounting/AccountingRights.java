package io.dure.model.accounting;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who may change what of the accounts. All functions are pure. */
public final class AccountingRights {
  private AccountingRights() {}

  /**
   * Whether a user may make all the changes. Administrators may; operators may but for levels, QOS,
   * federations and usage; coordinators may within their accounts.
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
   * The changes without those to the records of users that a coordinator leaves as they are: one
   * that it may not see, and therefore takes to be new, and one that has accounts already. Such a
   * user gets associations and keeps its default account; and one that keeps associations elsewhere
   * stays, which a coordinator that does not see these takes to be gone.
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
                || maySet(tree, user, next, changes))
        .filter(change ->
            !(change instanceof AccountingChange.UserRemoved(String name))
                || tree.of(name).stream().allMatch(one -> isRemoved(one, changes)))
        .toList();
  }

  private static boolean isRemoved(Association one, List<AccountingChange> all) {
    return all.contains(new AccountingChange.AssociationRemoved(one.id()));
  }

  /** What operators leave to administrators: levels, QOS, federations, usage that is forgotten. */
  private static boolean asOperator(AccountingTree tree, AccountingChange change) {
    return switch (change) {
      case AccountingChange.UserSet(AccountUser next) ->
          level(tree, next.name()) == next.adminLevel();
      case AccountingChange.UserRemoved(String name) ->
          level(tree, name) != AdminLevel.ADMINISTRATOR;
      case AccountingChange.FederationsSet _,
          AccountingChange.QosSet _,
          AccountingChange.QosRemoved _,
          AccountingChange.UsageCleared _,
          AccountingChange.QosUsageCleared _ ->
          false;
      case AccountingChange.AccountSet _,
          AccountingChange.AccountRemoved _,
          AccountingChange.ResourceSet _,
          AccountingChange.ResourceRemoved _,
          AccountingChange.AssociationSet _,
          AccountingChange.AssociationRemoved _ ->
          true;
    };
  }

  private static AdminLevel level(AccountingTree tree, String user) {
    AccountUser known = tree.user(user);
    return known == null ? AdminLevel.NONE : known.adminLevel();
  }

  private static List<Wckey> wckeys(AccountingTree tree, String user) {
    AccountUser known = tree.user(user);
    return known == null ? List.of() : known.wckeys();
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
              && wckeys(tree, next.name()).equals(next.wckeys())
              && (tree.user(next.name()) == null
                  || maySet(tree, user, next, all)
                  || isPlaced(tree, next.name(), all));
      // With its last association; what it may do otherwise is not theirs to take.
      case AccountingChange.UserRemoved(String name) ->
          level(tree, name) == AdminLevel.NONE
              && tree.of(name).stream().anyMatch(one -> isRemoved(one, all));
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
        boolean same = before == null || Objects.equals(before.user(), next.user());
        yield from && to && same && hasQos(tree, before, next, all);
      }
      case AccountingChange.AssociationRemoved(int id) -> {
        Association before = tree.associations().get(id);
        yield before != null
            && (before.user() == null
                ? below(tree, user, before.account())
                : tree.isCoordinator(user, before.account()));
      }
      case AccountingChange.FederationsSet _,
          AccountingChange.ResourceSet _,
          AccountingChange.ResourceRemoved _,
          AccountingChange.QosSet _,
          AccountingChange.QosRemoved _,
          AccountingChange.UsageCleared _,
          AccountingChange.QosUsageCleared _ ->
          false;
    };
  }

  /**
   * Whether an ordinary user may set the record of one that exists: its own default account, or, as
   * a coordinator, that of one who has none left.
   */
  private static boolean maySet(
      AccountingTree tree, String user, AccountUser next, List<AccountingChange> all) {
    AccountUser known = tree.user(next.name());
    if (known == null || next.equals(known)) {
      return true;
    }
    List<Association> its = tree.of(next.name());
    if (next.name().equals(user)) {
      return level(tree, user) == next.adminLevel()
          && next.wckeys().equals(known.wckeys())
          && its.stream().anyMatch(one -> one.account().equals(next.defaultAccount()));
    }
    boolean left =
        its.stream()
            .filter(one -> one.account().equals(known.defaultAccount()))
            .allMatch(one -> isRemoved(one, all));
    return left && (!its.isEmpty() || leads(tree, user, next.defaultAccount(), all));
  }

  /** Whether a user gets an association by these changes. */
  private static boolean isPlaced(AccountingTree tree, String name, List<AccountingChange> all) {
    return all.stream()
        .anyMatch(change ->
            change instanceof AccountingChange.AssociationSet(Association next)
                && name.equals(next.user())
                && tree.associations().get(next.id()) == null);
  }

  /** Coordinators give no QOS that the account above does not have. */
  private static boolean hasQos(
      AccountingTree tree,
      @Nullable Association before,
      Association next,
      List<AccountingChange> all) {
    List<String> given = new ArrayList<>(next.qos());
    if (next.defaultQos() != null) {
      given.add(next.defaultQos());
    }
    if (before != null) {
      given.removeAll(before.qos());
      given.removeIf(name -> name.equals(before.defaultQos()));
    }
    if (given.isEmpty()) {
      return true;
    }
    String above = next.user() == null ? next.parent() : next.account();
    Association place = above == null ? null : tree.association(above, null, null);
    for (AccountingChange change : all) {
      if (place == null
          && change instanceof AccountingChange.AssociationSet(Association fresh)
          && fresh.user() == null
          && fresh.parent() != null
          && fresh.account().equals(above)) {
        place = tree.association(fresh.parent(), null, null);
      }
    }
    return place != null && tree.effective(place).qos().containsAll(given);
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
