package io.dure.model.accounting;

import io.dure.model.collection.IntMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SequencedCollection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tree of accounts with users at its ends, and the QOS. Immutable: each change gives a new
 * tree, so any thread may read any version.
 */
public final class AccountingTree {
  /** The account above all. */
  public static final String ROOT = Account.ROOT;

  final long version;
  final TreeMap<String, Account> accounts;
  final TreeMap<String, AccountUser> users;
  final IntMap<Association> associations;
  final TreeMap<TreeParts.Key, Integer> ids;
  final TreeMap<String, List<Integer>> children;
  final TreeMap<String, List<Integer>> ofUser;
  final TreeMap<String, Qos> qos;
  final int nextAssociation;
  final int nextQos;

  private AccountingTree(TreeParts grown) {
    version = grown.version();
    accounts = grown.accounts();
    users = grown.users();
    associations = grown.associations();
    ids = grown.ids();
    children = grown.children();
    ofUser = grown.ofUser();
    qos = grown.qos();
    nextAssociation = grown.nextAssociation();
    nextQos = grown.nextQos();
  }

  private TreeParts parts() {
    return new TreeParts(
        version,
        accounts,
        users,
        associations,
        ids,
        children,
        ofUser,
        qos,
        nextAssociation,
        nextQos);
  }

  /** The tree of a cluster without any accounting commands so far. */
  public static AccountingTree initial() {
    return of(AccountingRecords.INITIAL);
  }

  /** The tree that was stored or sent. */
  public static AccountingTree of(AccountingRecords records) {
    return new AccountingTree(new AccountingTreeEditor(records).parts());
  }

  /** The tree to store or send. */
  public AccountingRecords records() {
    return new AccountingRecords(
        version,
        List.copyOf(accounts.values()),
        List.copyOf(users.values()),
        associations.values(),
        qosByNumber(),
        nextAssociation,
        nextQos);
  }

  /** How often it was changed. */
  public long version() {
    return version;
  }

  /** Whether nothing was recorded yet. */
  public boolean isUntouched() {
    return version == 0;
  }

  /** The number of the next association. */
  public int nextAssociation() {
    return nextAssociation;
  }

  /** The number of the next QOS. */
  public int nextQos() {
    return nextQos;
  }

  /** All accounts, by name. */
  public SequencedCollection<Account> accounts() {
    return Collections.unmodifiableSequencedCollection(accounts.sequencedValues());
  }

  /** The account of that name, null for none. */
  public @Nullable Account account(String name) {
    return accounts.get(name);
  }

  /** All users, by name. */
  public SequencedCollection<AccountUser> users() {
    return Collections.unmodifiableSequencedCollection(users.sequencedValues());
  }

  /** The user of that name, null for none. */
  public @Nullable AccountUser user(String name) {
    return users.get(name);
  }

  /** All associations, by number. */
  public IntMap<Association> associations() {
    return associations;
  }

  /** All QOS, by number. */
  public List<Qos> qosByNumber() {
    List<Qos> all = new ArrayList<>(qos.values());
    all.sort(java.util.Comparator.comparingInt(Qos::id));
    return all;
  }

  /** The QOS of that name, null for none. */
  public @Nullable Qos qos(String name) {
    return qos.get(name);
  }

  /** The QOS of that number, null for none. */
  public @Nullable Qos qosOf(int id) {
    for (Qos one : qos.values()) {
      if (one.id() == id) {
        return one;
      }
    }
    return null;
  }

  /** The association of an account, or of a user of one; null for none. */
  public @Nullable Association association(
      String account, @Nullable String user, @Nullable String partition) {
    Integer id = ids.get(new TreeParts.Key(account, user, partition));
    return id == null ? null : associations.get(id);
  }

  /** What a job of that user would be charged to: that for the partition, or that for all. */
  public @Nullable Association charged(String account, String user, @Nullable String partition) {
    Association own = partition == null ? null : association(account, user, partition);
    return own == null ? association(account, user, null) : own;
  }

  /** Users of an account first, by name and partition, then the accounts below, by name. */
  public List<Association> children(String account) {
    List<Association> found = new ArrayList<>();
    for (int id : children.getOrDefault(account, List.of())) {
      found.add(associations.require(id));
    }
    return found;
  }

  /** What stands above, null for the root account. */
  public @Nullable Association parent(Association association) {
    String above = association.user() == null ? association.parent() : association.account();
    return above == null ? null : association(above, null, null);
  }

  /** From the association up to the root account. */
  public List<Association> path(Association association) {
    List<Association> path = new ArrayList<>();
    for (Association at = association; at != null; at = parent(at)) {
      path.add(at);
    }
    return path;
  }

  /** All of it from the root account down: users before accounts, by name. */
  public List<Association> walk() {
    List<Association> all = new ArrayList<>(associations.size());
    walk(ROOT, all);
    return all;
  }

  /** An account and all below it. */
  public List<Association> walk(String account) {
    List<Association> all = new ArrayList<>();
    walk(account, all);
    return all;
  }

  private void walk(String account, Collection<Association> all) {
    Association own = association(account, null, null);
    if (own == null) {
      return;
    }
    all.add(own);
    for (Association child : children(account)) {
      if (child.user() == null) {
        walk(child.account(), all);
      } else {
        all.add(child);
      }
    }
  }

  /** The associations of a user, by number. */
  public List<Association> of(String user) {
    return ofUser.getOrDefault(user, List.of()).stream().map(associations::require).toList();
  }

  /** The association with all that is handed down to it. */
  public Association effective(Association association) {
    Association above = parent(association);
    if (above == null) {
      return association;
    }
    Association handed = effective(above);
    Association whole =
        association.withLimits(association.limits().inheritingFrom(handed.limits()));
    if (whole.qos().isEmpty()) {
      whole = whole.withQos(handed.qos());
    }
    if (whole.defaultQos() == null && handed.defaultQos() != null) {
      whole = whole.withDefaultQos(handed.defaultQos());
    }
    return whole.priority() == null && handed.priority() != null
        ? whole.withPriority(handed.priority())
        : whole;
  }

  /** Whether a user coordinates an account, by itself or by one above it. */
  public boolean isCoordinator(String user, String account) {
    String at = account;
    while (at != null) {
      Account record = accounts.get(at);
      if (record != null && record.coordinators().contains(user)) {
        return true;
      }
      Association own = association(at, null, null);
      at = own == null ? null : own.parent();
    }
    return false;
  }

  /** Whether an account is another or stands below it. */
  public boolean isBelow(String account, String above) {
    String at = account;
    while (at != null) {
      if (at.equals(above)) {
        return true;
      }
      Association own = association(at, null, null);
      at = own == null ? null : own.parent();
    }
    return false;
  }

  /**
   * The tree after the changes.
   *
   * @throws InvalidAccountingException if they make no tree
   */
  public AccountingTree with(List<AccountingChange> changes) throws InvalidAccountingException {
    AccountingTreeEditor growth = new AccountingTreeEditor(parts());
    for (AccountingChange change : changes) {
      growth.apply(change);
    }
    growth.check();
    return new AccountingTree(growth.grown());
  }
}
