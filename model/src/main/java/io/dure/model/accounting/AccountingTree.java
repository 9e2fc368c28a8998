package io.dure.model.accounting;

import io.dure.model.collection.IntMap;
import io.dure.model.federation.Federations;
import io.dure.model.gres.License;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SequencedCollection;
import org.jspecify.annotations.Nullable;

/**
 * The tree of accounts with users at its ends, and the QOS. Immutable: each change gives a new
 * tree, so any thread may read any version.
 */
public final class AccountingTree {
  /** The account above all. */
  public static final String ROOT = Account.ROOT;

  private final TreeParts parts;

  /** What the cluster gets of them; asked for in each plan. */
  private final List<License> licenses;

  private AccountingTree(TreeParts parts) {
    this.parts = parts;
    licenses =
        parts.resources().values().stream()
            .filter(one -> one.allowed() != null)
            .map(ServerResource::granted)
            .toList();
  }

  /** Licences of servers, by name. */
  public SequencedCollection<ServerResource> resources() {
    return Collections.unmodifiableSequencedCollection(parts.resources().sequencedValues());
  }

  /** Those that jobs name so, null for none. */
  public @Nullable ServerResource resource(String place) {
    return parts.resources().get(place);
  }

  /** A number for the next licences of a server. */
  public int nextResource() {
    return 1 + parts.resources().values().stream().mapToInt(ServerResource::id).max().orElse(0);
  }

  /** The licences of servers that the cluster gets. */
  public List<License> licenses() {
    return licenses;
  }

  /** The federations, and the clusters in them. */
  public Federations federations() {
    return parts.federations();
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
        version(),
        List.copyOf(parts.accounts().values()),
        List.copyOf(parts.users().values()),
        parts.associations().values(),
        qosByNumber(),
        nextAssociation(),
        nextQos(),
        List.copyOf(parts.resources().values()),
        parts.federations());
  }

  /** How often it was changed. */
  public long version() {
    return parts.version();
  }

  /** Whether nothing was recorded yet. */
  public boolean isUntouched() {
    return version() == 0;
  }

  /** The number of the next association. */
  public int nextAssociation() {
    return parts.nextAssociation();
  }

  /** The number of the next QOS. */
  public int nextQos() {
    return parts.nextQos();
  }

  /** A number for the next workload key. */
  public int nextWckey() {
    int last = 0;
    for (AccountUser user : parts.users().values()) {
      for (Wckey key : user.wckeys()) {
        last = Math.max(last, key.id());
      }
    }
    return last + 1;
  }

  /** All accounts, by name. */
  public SequencedCollection<Account> accounts() {
    return Collections.unmodifiableSequencedCollection(parts.accounts().sequencedValues());
  }

  /** The account of that name, null for none. */
  public @Nullable Account account(String name) {
    return parts.accounts().get(name);
  }

  /** All users, by name. */
  public SequencedCollection<AccountUser> users() {
    return Collections.unmodifiableSequencedCollection(parts.users().sequencedValues());
  }

  /** The user of that name, null for none. */
  public @Nullable AccountUser user(String name) {
    return parts.users().get(name);
  }

  /** All associations, by number. */
  public IntMap<Association> associations() {
    return parts.associations();
  }

  /** All QOS, by number. */
  public List<Qos> qosByNumber() {
    List<Qos> all = new ArrayList<>(parts.qos().values());
    all.sort(Comparator.comparingInt(Qos::id));
    return all;
  }

  /** The QOS of that name, null for none. */
  public @Nullable Qos qos(String name) {
    return parts.qos().get(name);
  }

  /** The QOS of that number, null for none. */
  public @Nullable Qos qosOf(int id) {
    for (Qos one : parts.qos().values()) {
      if (one.id() == id) {
        return one;
      }
    }
    return null;
  }

  /** The association of an account, or of a user of one; null for none. */
  public @Nullable Association association(
      String account, @Nullable String user, @Nullable String partition) {
    Integer id = parts.ids().get(new TreeParts.Key(account, user, partition));
    return id == null ? null : parts.associations().get(id);
  }

  /** What a job of that user would be charged to: that for the partition, or that for all. */
  public @Nullable Association charged(String account, String user, @Nullable String partition) {
    Association own = partition == null ? null : association(account, user, partition);
    return own == null ? association(account, user, null) : own;
  }

  /** Users of an account first, by name and partition, then the accounts below, by name. */
  public List<Association> children(String account) {
    List<Association> found = new ArrayList<>();
    for (int id : parts.children().getOrDefault(account, List.of())) {
      found.add(parts.associations().require(id));
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
    return walk(ROOT);
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
    return parts.ofUser().getOrDefault(user, List.of()).stream()
        .map(parts.associations()::require)
        .toList();
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
      Account record = parts.accounts().get(at);
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
    AccountingTreeEditor growth = new AccountingTreeEditor(parts);
    for (AccountingChange change : changes) {
      growth.apply(change);
    }
    growth.check();
    return new AccountingTree(growth.grown());
  }
}
