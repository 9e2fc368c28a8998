package io.dure.model.accounting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who may change what of the accounts. All functions are pure. */
public final class AccountingRights {
  private static final SortedSet<String> NOBODY = Collections.emptySortedSet();

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
    if (known != null && known.adminLevel() == AdminLevel.OPERATOR) {
      return changes.stream().allMatch(change -> asOperator(tree, change));
    }
    Batch all = new Batch(tree, changes);
    return changes.stream().allMatch(change -> within(tree, user, change, all));
  }

  /**
   * The changes without those to the records of users that a coordinator leaves as they are: one
   * that it may not see, and therefore takes to be new, and one that has accounts already. Such a
   * user gets associations and keeps its default account; and one that keeps associations elsewhere
   * stays, which a coordinator that does not see these takes to be gone, as does one that
   * coordinates accounts which this one does not.
   */
  public static List<AccountingChange> within(
      AccountingTree tree, String user, List<AccountingChange> changes) {
    if (level(tree, user) != AdminLevel.NONE) {
      return changes;
    }
    Batch all = new Batch(tree, changes);
    SortedSet<String> needed = all.removesUsers() ? coordinatorsBeyond(tree, user, all) : NOBODY;
    return changes.stream()
        .filter(change ->
            !(change instanceof AccountingChange.UserSet(AccountUser next))
                || tree.user(next.name()) == null
                || maySet(tree, user, next, all))
        .filter(change ->
            !(change instanceof AccountingChange.UserRemoved(String name))
                || !needed.contains(name) && tree.of(name).stream().allMatch(all::removes))
        .toList();
  }

  /** The coordinators of accounts that a user does not coordinate. */
  private static SortedSet<String> coordinatorsBeyond(AccountingTree tree, String user, Batch all) {
    SortedSet<String> found = new TreeSet<>();
    for (Account one : tree.accounts()) {
      if (!one.coordinators().isEmpty()
          && !all.removesAccount(one.name())
          && !tree.isCoordinator(user, one.name())) {
        found.addAll(one.coordinators());
      }
    }
    return found;
  }

  /** What changes that are made at once do, as each of them is judged by the others. */
  private static final class Batch {
    private final SortedSet<Integer> removed = new TreeSet<>();
    private final SortedSet<String> accountsRemoved = new TreeSet<>();
    private final SortedSet<String> placed = new TreeSet<>();

    /** Where accounts are put, by their names. */
    private final SortedMap<String, List<String>> parents = new TreeMap<>();

    private boolean removesUsers;

    Batch(AccountingTree tree, List<AccountingChange> changes) {
      for (AccountingChange change : changes) {
        switch (change) {
          case AccountingChange.AssociationRemoved(int id) -> removed.add(id);
          case AccountingChange.AccountRemoved(String name) -> accountsRemoved.add(name);
          case AccountingChange.UserRemoved _ -> removesUsers = true;
          case AccountingChange.AssociationSet(Association next) -> {
            String user = next.user();
            String parent = next.parent();
            if (user != null && tree.associations().get(next.id()) == null) {
              placed.add(user);
            } else if (user == null && parent != null) {
              parents.computeIfAbsent(next.account(), _ -> new ArrayList<>()).add(parent);
            }
          }
          case AccountingChange.AccountSet _,
              AccountingChange.UserSet _,
              AccountingChange.QosSet _,
              AccountingChange.QosRemoved _,
              AccountingChange.UsageCleared _,
              AccountingChange.QosUsageCleared _,
              AccountingChange.ResourceSet _,
              AccountingChange.ResourceRemoved _,
              AccountingChange.FederationsSet _ -> {}
        }
      }
    }

    boolean removes(Association one) {
      return removed.contains(one.id());
    }

    boolean removesAccount(String name) {
      return accountsRemoved.contains(name);
    }

    boolean removesUsers() {
      return removesUsers;
    }

    /** Whether a user gets an association. */
    boolean places(String user) {
      return placed.contains(user);
    }

    /** Above which an account is put, in the order of the changes. */
    List<String> parents(String account) {
      return parents.getOrDefault(account, List.of());
    }
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
      AccountingTree tree, String user, AccountingChange change, Batch all) {
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
                  || all.places(next.name()));
      // With its last association; what it may do otherwise is not theirs to take.
      case AccountingChange.UserRemoved(String name) ->
          level(tree, name) == AdminLevel.NONE && tree.of(name).stream().anyMatch(all::removes);
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
  private static boolean maySet(AccountingTree tree, String user, AccountUser next, Batch all) {
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
            .allMatch(all::removes);
    return left && (!its.isEmpty() || leads(tree, user, next.defaultAccount(), all));
  }

  /** Coordinators give no QOS that the account above does not have. */
  private static boolean hasQos(
      AccountingTree tree, @Nullable Association before, Association next, Batch all) {
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
    for (String over : above == null ? List.<String>of() : all.parents(above)) {
      place = place == null ? tree.association(over, null, null) : place;
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
      AccountingTree tree, String user, @Nullable String account, Batch all) {
    if (account == null) {
      return false;
    }
    if (tree.account(account) != null) {
      return tree.isCoordinator(user, account);
    }
    for (String parent : all.parents(account)) {
      if (!parent.equals(account)) {
        return tree.account(parent) != null && tree.isCoordinator(user, parent);
      }
    }
    return false;
  }
}
