package io.dure.controller.view;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.command.Caller;
import io.dure.model.privacy.CallerSight;
import io.dure.model.reservation.Reservation;
import io.dure.protocol.Response;
import java.util.List;
import java.util.TreeSet;

/**
 * What a user sees of accounts, users, shares and reservations (PrivateData). Whoever coordinates
 * an account sees all of it: a change is made from the whole record.
 */
public final class AccountVisibility {
  private final AccountingTree tree;
  private final Caller.User caller;
  private final List<String> hidden;

  /** The accounts that the caller has, and those above them. */
  private final TreeSet<String> above = new TreeSet<>();

  /** That of a caller. */
  public AccountVisibility(ClusterState state, Caller.User caller) {
    this(state.accounts(), state.settings().controller().privateData(), caller);
  }

  /**
   * That of a caller in a tree.
   *
   * @param privateData what is hidden
   */
  public AccountVisibility(AccountingTree tree, List<String> privateData, Caller.User caller) {
    this.tree = tree;
    this.caller = caller;
    hidden = new CallerSight(tree, privateData, caller).hidden();
    for (Association own : tree.of(name())) {
      tree.path(own).forEach(one -> above.add(one.account()));
    }
    for (Account account : tree.accounts()) {
      Association own = tree.association(account.name(), null, null);
      if (own != null && account.coordinators().contains(name())) {
        tree.path(own).forEach(one -> above.add(one.account()));
      }
    }
  }

  private String name() {
    return caller.identity().userName();
  }

  /** The records without what is hidden; an account that is seen has those above it. */
  public AccountingRecords of(AccountingRecords all) {
    if (!hidden.contains("users") && !hidden.contains("accounts")) {
      return all;
    }
    return new AccountingRecords(
        all.version(),
        all.accounts().stream().filter(this::sees).map(this::shown).toList(),
        all.users().stream().filter(this::sees).toList(),
        all.associations().stream().filter(this::sees).toList(),
        all.qos(),
        all.nextAssociation(),
        all.nextQos(),
        all.resources(),
        all.federations());
  }

  private boolean sees(Account account) {
    return !hidden.contains("accounts") || tree.isCoordinator(name(), account.name());
  }

  private Account shown(Account account) {
    boolean named = !hidden.contains("users") || tree.isCoordinator(name(), account.name());
    return named ? account : account.coordinatedBy(List.of());
  }

  private boolean sees(AccountUser user) {
    return !hidden.contains("users")
        || user.name().equals(name())
        || tree.of(user.name()).stream().anyMatch(one -> tree.isCoordinator(name(), one.account()));
  }

  private boolean sees(Association one) {
    if (tree.isCoordinator(name(), one.account())) {
      return true;
    }
    return one.user() != null && hidden.contains("users")
        ? one.user().equals(name())
        : above.contains(one.account());
  }

  /** Whether it sees shares and usage there. */
  boolean sees(Response.Share share) {
    boolean usage = hidden.contains("usage");
    if (!usage && !hidden.contains("users") && !hidden.contains("accounts")) {
      return true;
    }
    Association one = share.association();
    boolean others = usage && one.user() != null && !one.user().equals(name());
    return sees(one) && (!others || tree.isCoordinator(name(), one.account()));
  }

  /** Whether it sees what a user asked the controller for. */
  public boolean sees(String user) {
    return user.equals(name()) || !hidden.contains("users") && !hidden.contains("jobs");
  }

  /** Whether it sees that there is such a reservation: one that it may use. */
  boolean sees(Reservation reservation) {
    return !hidden.contains("reservations")
        || reservation.access().permits(name(), null, caller.groups())
        || tree.of(name()).stream()
            .anyMatch(its -> reservation.access().permits(name(), its.account(), caller.groups()));
  }
}
