package io.dure.model.accounting;

import io.dure.model.collection.IntMap;
import io.dure.model.federation.Federations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A tree being changed; lives within one change. */
final class AccountingTreeEditor {
  private static final int LONGEST_NAME = 1024;
  private static final int MOST_LEVELS = 100;

  private static final Comparator<Association> ORDER =
      Comparator.<Association, Boolean>comparing(a -> a.user() == null)
          .thenComparing(a -> Objects.requireNonNullElse(a.user(), a.account()))
          .thenComparing(a -> Objects.requireNonNullElse(a.partition(), ""));

  long version;
  final TreeMap<String, Account> accounts;
  final TreeMap<String, AccountUser> users;
  IntMap<Association> associations;
  final TreeMap<TreeParts.Key, Integer> ids;
  final TreeMap<String, List<Integer>> children;
  final TreeMap<String, List<Integer>> ofUser;
  final TreeMap<String, Qos> qos;
  final TreeMap<String, ServerResource> resources;
  Federations federations;
  int nextAssociation;
  int nextQos;

  private final List<Association> touched = new ArrayList<>();
  private final TreeSet<String> touchedUsers = new TreeSet<>();
  private boolean qosLeft;

  AccountingTreeEditor(TreeParts tree) {
    version = tree.version();
    accounts = new TreeMap<>(tree.accounts());
    users = new TreeMap<>(tree.users());
    associations = tree.associations();
    ids = new TreeMap<>(tree.ids());
    children = new TreeMap<>(tree.children());
    ofUser = new TreeMap<>(tree.ofUser());
    qos = new TreeMap<>(tree.qos());
    resources = new TreeMap<>(tree.resources());
    federations = tree.federations();
    nextAssociation = tree.nextAssociation();
    nextQos = tree.nextQos();
  }

  AccountingTreeEditor(AccountingRecords records) {
    version = records.version();
    accounts = new TreeMap<>();
    users = new TreeMap<>();
    associations = IntMap.empty();
    ids = new TreeMap<>();
    children = new TreeMap<>();
    ofUser = new TreeMap<>();
    qos = new TreeMap<>();
    resources = new TreeMap<>();
    records.resources().forEach(one -> resources.put(one.place(), one));
    federations = records.federations();
    records.accounts().forEach(account -> accounts.put(account.name(), account));
    records.users().forEach(user -> users.put(user.name(), user));
    records.qos().forEach(one -> qos.put(one.name(), one));
    TreeMap<String, List<Association>> below = new TreeMap<>();
    TreeMap<String, List<Integer>> theirs = new TreeMap<>();
    for (Association association : records.associations()) {
      associations = associations.with(association.id(), association);
      ids.put(key(association), association.id());
      String user = association.user();
      if (user != null) {
        theirs.computeIfAbsent(user, _ -> new ArrayList<>()).add(association.id());
      }
      String above = above(association);
      if (above != null) {
        below.computeIfAbsent(above, _ -> new ArrayList<>()).add(association);
      }
    }
    below.forEach((above, list) -> {
      list.sort(ORDER);
      children.put(above, list.stream().map(Association::id).toList());
    });
    theirs.forEach((user, list) -> ofUser.put(user, List.copyOf(list)));
    nextAssociation = records.nextAssociation();
    nextQos = records.nextQos();
  }

  private static TreeParts.Key key(String account) {
    return new TreeParts.Key(account, null, null);
  }

  private static TreeParts.Key key(Association association) {
    return new TreeParts.Key(association.account(), association.user(), association.partition());
  }

  private static @Nullable String above(Association association) {
    return association.user() == null ? association.parent() : association.account();
  }

  /** The tree after a change. */
  TreeParts grown() {
    version++;
    return parts();
  }

  /** The tree as it is now. */
  TreeParts parts() {
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
        nextQos,
        resources,
        federations);
  }

  void apply(AccountingChange change) throws InvalidAccountingException {
    switch (change) {
      case AccountingChange.AccountSet(Account account) -> {
        name("account", account.name());
        accounts.put(account.name(), account);
      }
      case AccountingChange.AccountRemoved(String name) -> removeAccount(name);
      case AccountingChange.UserSet(AccountUser user) -> {
        name("user", user.name());
        checkWckeys(user);
        users.put(user.name(), user);
        touchedUsers.add(user.name());
      }
      case AccountingChange.UserRemoved(String name) -> {
        require(users.remove(name) != null, "there is no user " + name);
        touchedUsers.add(name);
      }
      case AccountingChange.AssociationSet(Association association) -> set(association);
      case AccountingChange.AssociationRemoved(int id) -> remove(id);
      case AccountingChange.QosSet(Qos one) -> set(one);
      case AccountingChange.QosRemoved(String name) -> removeQos(name);
      case AccountingChange.ResourceSet(ServerResource one) -> set(one);
      case AccountingChange.ResourceRemoved(String place) ->
          require(resources.remove(place) != null, "there is no resource " + place);
      case AccountingChange.FederationsSet(Federations next) -> set(next);
      case AccountingChange.UsageCleared(int id) ->
          require(associations.contains(id), "there is no association " + id);
      case AccountingChange.QosUsageCleared(String name) ->
          require(qos.containsKey(name), "there is no QOS " + name);
    }
  }

  private static void require(boolean holds, String otherwise) throws InvalidAccountingException {
    if (!holds) {
      throw new InvalidAccountingException(otherwise);
    }
  }

  private static void name(String what, String name) throws InvalidAccountingException {
    boolean plain =
        !name.isEmpty()
            && name.length() <= LONGEST_NAME
            && name.chars().noneMatch(c -> c <= ' ' || c == ',' || c == '|' || c == 0x7f);
    require(plain, "not a name for " + what + ": '" + name + "'");
  }

  private static void checkWckeys(AccountUser user) throws InvalidAccountingException {
    TreeSet<String> names = new TreeSet<>();
    int usual = 0;
    for (Wckey key : user.wckeys()) {
      name("wckey", key.name());
      require(names.add(key.name()), "user " + user.name() + " has wckey " + key.name() + " twice");
      usual += key.usual() ? 1 : 0;
    }
    require(usual <= 1, "user " + user.name() + " has one default wckey");
  }

  private void removeAccount(String name) throws InvalidAccountingException {
    require(!name.equals(Account.ROOT), "the root account stays");
    require(accounts.remove(name) != null, "there is no account " + name);
    boolean used = ids.containsKey(key(name)) || !children.getOrDefault(name, List.of()).isEmpty();
    require(!used, "account " + name + " has associations");
  }

  private void set(Association next) throws InvalidAccountingException {
    Association before = next.id() < 0 ? null : associations.get(next.id());
    if (before == null) {
      require(next.id() == nextAssociation, "the next association is " + nextAssociation);
      nextAssociation++;
    } else {
      unlink(before);
    }
    if (next.partition() != null) {
      name("partition", next.partition());
    }
    require(next.user() != null || next.partition() == null, "an account is for all partitions");
    require(next.user() == null || next.parent() == null, "a user stands below its account");
    require(next.shares() == null || next.shares() >= 0, "shares are not negative");
    require(!ids.containsKey(key(next)), "there is such an association already");
    associations = associations.with(next.id(), next);
    ids.put(key(next), next.id());
    String user = next.user();
    if (user != null) {
      List<Integer> theirs = new ArrayList<>(ofUser.getOrDefault(user, List.of()));
      theirs.add(next.id());
      theirs.sort(Comparator.naturalOrder());
      ofUser.put(user, List.copyOf(theirs));
    }
    String above = above(next);
    if (above != null) {
      List<Association> list = new ArrayList<>();
      children.getOrDefault(above, List.of()).forEach(id -> list.add(associations.require(id)));
      list.add(next);
      list.sort(ORDER);
      children.put(above, list.stream().map(Association::id).toList());
    }
    touched.add(next);
  }

  private void unlink(Association before) {
    ids.remove(key(before));
    drop(children, above(before), before.id());
    drop(ofUser, before.user(), before.id());
    associations = associations.without(before.id());
  }

  private static void drop(Map<String, List<Integer>> lists, @Nullable String key, int id) {
    if (key == null) {
      return;
    }
    List<Integer> left =
        lists.getOrDefault(key, List.of()).stream().filter(other -> other != id).toList();
    if (left.isEmpty()) {
      lists.remove(key);
    } else {
      lists.put(key, left);
    }
  }

  private void remove(int id) throws InvalidAccountingException {
    Association before = id < 0 ? null : associations.get(id);
    require(before != null, "there is no association " + id);
    if (before == null) {
      return;
    }
    boolean root = before.user() == null && before.account().equals(Account.ROOT);
    require(!root, "the root account stays");
    unlink(before);
    if (before.user() != null) {
      touchedUsers.add(before.user());
    } else {
      require(
          children.getOrDefault(before.account(), List.of()).isEmpty(),
          "account " + before.account() + " is not empty");
    }
  }

  private void set(Qos next) throws InvalidAccountingException {
    name("QOS", next.name());
    Qos before = qos.get(next.name());
    if (before == null) {
      require(next.id() == nextQos, "the next QOS is " + nextQos);
      nextQos++;
    } else {
      require(next.id() == before.id(), "QOS " + next.name() + " has number " + before.id());
    }
    require(Double.isFinite(next.usageFactor()) && next.usageFactor() >= 0, "not a usage factor");
    qos.put(next.name(), next);
    for (String other : next.preempt()) {
      require(qos.containsKey(other), "there is no QOS " + other);
    }
  }

  private void set(ServerResource next) throws InvalidAccountingException {
    name("resource", next.name());
    name("server", next.server());
    require(next.count() >= 0, "a count is not negative");
    Integer allowed = next.allowed();
    int most = next.absolute() ? next.count() : 100;
    require(
        allowed == null || allowed >= 0 && allowed <= most,
        "a cluster gets at most " + most + " of " + next.place());
    resources.put(next.place(), next);
  }

  private void set(Federations next) throws InvalidAccountingException {
    for (String one : next.names()) {
      name("federation", one);
    }
    String problem = next.problem();
    require(problem == null, Objects.requireNonNullElse(problem, ""));
    federations = next;
  }

  private void removeQos(String name) throws InvalidAccountingException {
    require(qos.remove(name) != null, "there is no QOS " + name);
    for (Qos other : List.copyOf(qos.values())) {
      if (other.preempt().contains(name)) {
        qos.put(other.name(), other.withPreempt(without(other.preempt(), name)));
      }
    }
    List<Association> having = new ArrayList<>();
    associations.forEach((_, association) -> {
      if (association.qos().contains(name) || name.equals(association.defaultQos())) {
        having.add(association);
      }
    });
    for (Association association : having) {
      Association next = association.withQos(without(association.qos(), name));
      associations =
          associations.with(
              next.id(), name.equals(next.defaultQos()) ? next.withDefaultQos(null) : next);
    }
    qosLeft = true;
  }

  private static List<String> without(List<String> names, String name) {
    return names.stream().filter(other -> !other.equals(name)).toList();
  }

  /** What must hold of the whole once all changes are made. */
  void check() throws InvalidAccountingException {
    require(accounts.containsKey(Account.ROOT), "the root account stays");
    require(!qosLeft || !qos.isEmpty(), "one QOS stays");
    for (Association association : touched) {
      if (associations.contains(association.id())) {
        check(association);
      }
    }
    for (String user : touchedUsers) {
      checkUser(user);
    }
  }

  private void check(Association association) throws InvalidAccountingException {
    require(
        accounts.containsKey(association.account()),
        "there is no account " + association.account());
    if (association.user() == null) {
      checkAccount(association);
    } else {
      require(users.containsKey(association.user()), "there is no user " + association.user());
      require(
          ids.containsKey(key(association.account())),
          "account " + association.account() + " has no place in the tree");
    }
    for (String name : association.qos()) {
      require(qos.containsKey(name), "there is no QOS " + name);
    }
    String chosen = association.defaultQos();
    require(chosen == null || qos.containsKey(chosen), "there is no QOS " + chosen);
  }

  private void checkAccount(Association association) throws InvalidAccountingException {
    boolean root = association.account().equals(Account.ROOT);
    require(root == (association.parent() == null), "only the root account has none above it");
    String at = association.account();
    for (int level = 0; !at.equals(Account.ROOT); level++) {
      require(level < MOST_LEVELS, "account " + association.account() + " would be its own parent");
      Integer id = ids.get(key(at));
      Association own = id == null ? null : associations.get(id);
      String above = own == null ? null : own.parent();
      require(above != null, "there is no account " + at);
      at = Objects.requireNonNull(above);
    }
  }

  private void checkUser(String name) throws InvalidAccountingException {
    AccountUser user = users.get(name);
    List<Integer> theirs = ofUser.getOrDefault(name, List.of());
    boolean has = !theirs.isEmpty();
    boolean hasDefault =
        user != null
            && theirs.stream()
                .anyMatch(id -> associations.require(id).account().equals(user.defaultAccount()));
    if (user == null) {
      require(!has, "user " + name + " has associations");
      for (Account account : List.copyOf(accounts.values())) {
        if (account.coordinators().contains(name)) {
          accounts.put(
              account.name(), account.coordinatedBy(without(account.coordinators(), name)));
        }
      }
    } else {
      require(
          hasDefault || !has || user.defaultAccount().isEmpty(),
          "user " + name + " has no association with account " + user.defaultAccount());
    }
  }
}
