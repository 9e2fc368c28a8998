package io.dure.faults.accounts;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.federation.FederatedCluster;
import io.dure.model.federation.Membership;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of accounts, users, associations and QOS at any time, worked out from the records
 * alone: nothing here asks the code that changes them.
 */
final class AccountsInvariants {
  private static final int LONGEST_NAME = 1024;

  private final AccountingRecords records;
  private final TreeMap<String, Account> accounts = new TreeMap<>();
  private final TreeMap<String, AccountUser> users = new TreeMap<>();
  private final TreeMap<String, Association> places = new TreeMap<>();
  private final TreeMap<String, Qos> qos = new TreeMap<>();

  private AccountsInvariants(AccountingRecords records) {
    this.records = records;
  }

  /**
   * Checks all of it.
   *
   * @throws AssertionError at the first that does not hold
   */
  static void check(AccountingRecords before, AccountingTree tree) {
    AccountingRecords records = tree.records();
    AccountsInvariants found = new AccountsInvariants(records);
    found.check();
    // Who is new may have a default QOS that it is still to be given.
    AccountsInvariants known = new AccountsInvariants(before);
    known.check();
    for (Association one : records.associations()) {
      String chosen = one.defaultQos();
      before.associations().stream()
          .filter(was -> was.id() == one.id())
          .filter(was -> !known.isParted(was) || !Objects.equals(was.defaultQos(), chosen))
          .filter(was -> chosen != null && !found.allowed(one).contains(chosen))
          .forEach(was -> require(false, "parted from its default QOS: " + one));
    }
    sameIndexes(tree, AccountingTree.of(records));
  }

  /** What a tree that grew change by change finds is what one finds that was read at once. */
  private static void sameIndexes(AccountingTree grown, AccountingTree read) {
    require(grown.walk().equals(read.walk()), "the walk is another after a reload");
    require(grown.walk().size() == grown.records().associations().size(), "some cannot be reached");
    for (AccountUser user : grown.users()) {
      require(grown.of(user.name()).equals(read.of(user.name())), "associations of " + user);
    }
    for (Association one : grown.records().associations()) {
      require(
          one.equals(grown.association(one.account(), one.user(), one.partition())),
          "not found by its names: " + one);
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what.length() > 2000 ? what.substring(0, 2000) : what);
    }
  }

  private void check() {
    records.accounts().forEach(one -> once(accounts.put(one.name(), one), one));
    records.users().forEach(one -> once(users.put(one.name(), one), one));
    records.qos().forEach(one -> once(qos.put(one.name(), one), one));
    numbers(records.associations().stream().map(Association::id).toList(), nextOf(true));
    numbers(records.qos().stream().map(Qos::id).toList(), nextOf(false));
    TreeSet<String> taken = new TreeSet<>();
    TreeSet<String> federated = new TreeSet<>();
    for (FederatedCluster one : records.federations().clusters()) {
      require(federated.add(one.name()), "twice: " + one);
      Membership place = one.membership();
      if (place != null) {
        require(records.federations().names().contains(place.federation()), "nowhere: " + one);
        require(taken.add(place.federation() + "|" + place.id()), "an id twice: " + one);
        require(place.id() >= 1 && place.id() <= 63, "id: " + one);
      }
    }
    TreeSet<String> keys = new TreeSet<>();
    for (Association one : records.associations()) {
      String key = one.account() + "|" + quoted(one.user()) + "|" + quoted(one.partition());
      require(keys.add(key), "twice: " + one);
      if (one.user() == null) {
        places.put(one.account(), one);
      }
    }
    require(places.keySet().equals(accounts.keySet()), "accounts without a place, or the reverse");
    accounts.values().forEach(this::account);
    users.values().forEach(this::user);
    records.associations().forEach(this::association);
    qos.values().forEach(this::qos);
    require(!qos.isEmpty(), "no QOS is left");
  }

  private static String quoted(@Nullable String name) {
    return name == null ? "" : "'" + name + "'";
  }

  private int nextOf(boolean associations) {
    return associations ? records.nextAssociation() : records.nextQos();
  }

  private static void once(@Nullable Object before, Object now) {
    require(before == null, "twice: " + now);
  }

  private static void numbers(List<Integer> ids, int next) {
    require(new TreeSet<>(ids).size() == ids.size(), "a number twice: " + ids);
    require(
        ids.stream().allMatch(id -> id > 0 && id < next), "numbers beyond " + next + ": " + ids);
  }

  private static void name(String what, String name) {
    boolean clean =
        !name.isBlank()
            && name.length() <= LONGEST_NAME
            && name.equals(name.strip())
            && name.codePoints().noneMatch(AccountsInvariants::isOdd);
    require(clean, "the name of " + what + ": " + visible(name));
  }

  private static void text(String what, @Nullable String text) {
    require(
        text == null || text.codePoints().noneMatch(AccountsInvariants::isUnprintable),
        what + ": " + (text == null ? "" : visible(text)));
  }

  private static boolean isOdd(int c) {
    return isUnprintable(c) || Character.isSpaceChar(c) || "\"'`,|".indexOf(c) >= 0;
  }

  private static boolean isUnprintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  /** The text with what cannot be seen as its number. */
  static String visible(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(c -> {
          if (isUnprintable(c)) {
            out.append(String.format("\\u%04x", c));
          } else {
            out.appendCodePoint(c);
          }
        });
    return out.length() > 300 ? out.substring(0, 300) + "(" + text.length() + ")" : out.toString();
  }

  private void account(Account one) {
    name("an account", one.name());
    text("description of " + one.name(), one.description());
    text("organization of " + one.name(), one.organization());
    sorted("coordinators of " + one.name(), one.coordinators());
    one.coordinators()
        .forEach(user -> require(users.containsKey(user), "coordinates, but is no user: " + user));
    path(one.name());
  }

  private static void sorted(String what, List<String> names) {
    require(List.copyOf(new TreeSet<>(names)).equals(names), what + ": " + names);
  }

  /** The accounts from one up to root. */
  private List<String> path(String account) {
    List<String> path = new ArrayList<>();
    String at = account;
    while (at != null) {
      require(path.size() <= accounts.size(), "above itself: " + account);
      path.add(at);
      Association place = places.get(at);
      require(place != null, "no place in the tree: " + at);
      at = Objects.requireNonNull(place).parent();
    }
    require(path.getLast().equals(Account.ROOT), "does not stand below root: " + path);
    return path;
  }

  private void user(AccountUser one) {
    name("a user", one.name());
    List<String> its =
        records.associations().stream()
            .filter(a -> one.name().equals(a.user()))
            .map(Association::account)
            .toList();
    require(
        its.isEmpty() || its.contains(one.defaultAccount()),
        one + " does not have its default account, but " + its);
    require(
        !its.isEmpty()
            || one.defaultAccount().isEmpty()
            || accounts.containsKey(one.defaultAccount()),
        one + " has no account");
  }

  private void association(Association one) {
    require(accounts.containsKey(one.account()), "no such account: " + one);
    require(one.user() == null || users.containsKey(one.user()), "no such user: " + one);
    require(one.user() != null || one.partition() == null, "an account in a partition: " + one);
    require(one.user() == null || one.parent() == null, "a user below another account: " + one);
    if (one.partition() != null) {
      name("a partition", one.partition());
    }
    require(one.shares() == null || one.shares() >= 0, "shares: " + one);
    require(one.priority() == null || one.priority() >= 0, "priority: " + one);
    text("comment of " + one.id(), one.comment());
    limits(one.limits(), one);
    sorted("QOS of " + one.id(), one.qos());
    require(qos.keySet().containsAll(one.qos()), "no such QOS: " + one);
    String chosen = one.defaultQos();
    require(chosen == null || qos.containsKey(chosen), "no such default QOS: " + one);
  }

  /** The QOS that an association's jobs may have. */
  private Collection<String> allowed(Association one) {
    if (!one.qos().isEmpty()) {
      return one.qos();
    }
    for (String above : path(one.account())) {
      Association place = Objects.requireNonNull(places.get(above));
      if (!place.qos().isEmpty()) {
        return place.qos();
      }
    }
    return List.of();
  }

  private boolean isParted(Association one) {
    return one.defaultQos() != null && !allowed(one).contains(one.defaultQos());
  }

  private static void limits(AccountingLimits limits, Object of) {
    TreeSet<String> keys = new TreeSet<>();
    for (AccountingLimits.Bound bound : limits.bounds()) {
      require(bound.most() >= 0, "a limit below zero: " + of);
      require(keys.add(bound.limit() + " " + bound.tres()), "a limit twice: " + of);
      require(bound.limit().isOfTres() == (bound.tres() != null), "a limit of nothing: " + of);
      text("a resource", bound.tres());
    }
  }

  private void qos(Qos one) {
    name("a QOS", one.name());
    text("description of QOS " + one.name(), one.description());
    require(one.priority() >= 0, "priority: " + one);
    require(!one.graceTime().isNegative(), "grace time: " + one);
    require(one.usageFactor() >= 0 && Double.isFinite(one.usageFactor()), "factor: " + one);
    limits(one.limits(), one);
    sorted("preempted by " + one.name(), one.preempt());
    require(qos.keySet().containsAll(one.preempt()), "preempts what is not there: " + one);
  }
}
