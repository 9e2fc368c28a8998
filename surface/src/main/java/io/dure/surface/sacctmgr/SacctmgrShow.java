package io.dure.surface.sacctmgr;

import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.Wckey;
import io.dure.model.config.NodeConfig;
import io.dure.model.federation.FederatedCluster;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.TresNumbers;
import io.dure.surface.json.AccountingJson;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.QosJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.sacctmgr.column.AccountingTreeFields;
import io.dure.surface.sacctmgr.column.AccountingTreeRow;
import io.dure.surface.sacctmgr.column.ClusterFields;
import io.dure.surface.sacctmgr.column.QosFields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Lists accounts, users, associations, QOS, the cluster and the resources that are counted. */
final class SacctmgrShow {
  private final SacctmgrSession session;

  /** The tree whose places are in {@code numbers}. */
  private @Nullable AccountingTree numbered;

  private Map<Integer, AccountingTreeRow.Place> numbers = Map.of();

  SacctmgrShow(SacctmgrSession session) {
    this.session = session;
  }

  void accounts(List<String> words) throws CommandException {
    EntityFilter choice = EntityFilter.read(EntityFilter.Named.ACCOUNT, words, session);
    boolean placed = choice.withAssociations || session.isWithAssociations();
    AccountingTree tree = session.tree();
    String cluster = session.cluster();
    List<Account> meant = new ArrayList<>();
    for (Account account : HistoryConditions.Deleted.accounts(session, choice)) {
      if (choice.takes(account) && choice.takesAny(tree, places(tree, account), cluster)) {
        meant.add(account);
      }
    }
    AccountingJson document = session.document();
    if (document != null) {
      document.accounts(meant, one -> choice.takes(tree, one, cluster));
      return;
    }
    List<AccountingTreeRow> rows = new ArrayList<>();
    for (Account account : meant) {
      String coordinators =
          choice.withCoordinators ? String.join(",", coordinators(tree, account.name())) : "";
      if (!placed) {
        rows.add(new AccountingTreeRow(account, null, null, coordinators));
        continue;
      }
      for (Association association : places(tree, account)) {
        if (choice.takes(tree, association, cluster)) {
          rows.add(row(tree, choice, account, association, coordinators));
        }
      }
    }
    String usual =
        placed
            ? AccountingTreeFields.ACCOUNT + "," + AccountingTreeFields.OF_ACCOUNT
            : AccountingTreeFields.ACCOUNT;
    print(choice, choice.withCoordinators ? usual + ",coordinators" : usual, rows);
  }

  /** An account and the users in it, the last added first. */
  private static List<Association> places(AccountingTree tree, Account account) {
    Association own = tree.association(account.name(), null, null);
    List<Association> all = new ArrayList<>(own == null ? List.of() : List.of(own));
    all.addAll(
        tree.children(account.name()).stream()
            .filter(a -> a.user() != null)
            .sorted(Comparator.comparingInt(Association::id).reversed())
            .toList());
    return all;
  }

  /** Users who coordinate an account, by themselves or by one above. */
  private static Set<String> coordinators(AccountingTree tree, String account) {
    TreeSet<String> found = new TreeSet<>();
    for (String at = account; at != null; ) {
      Account record = tree.account(at);
      if (record != null) {
        found.addAll(record.coordinators());
      }
      Association own = tree.association(at, null, null);
      at = own == null ? null : own.parent();
    }
    return found;
  }

  void users(List<String> words) throws CommandException {
    EntityFilter choice = EntityFilter.read(EntityFilter.Named.USER, words, session);
    boolean placed = choice.withAssociations || session.isWithAssociations();
    AccountingTree tree = session.tree();
    String cluster = session.cluster();
    List<AccountUser> meant =
        HistoryConditions.Deleted.users(session, choice).stream()
            .filter(one -> choice.takes(one) && choice.takesAny(tree, tree.of(one.name()), cluster))
            .toList();
    AccountingJson document = session.document();
    if (document != null) {
      document.users(meant, one -> choice.takes(tree, one, cluster));
      return;
    }
    List<AccountingTreeRow> rows = new ArrayList<>();
    for (AccountUser user : meant) {
      String coordinated = choice.withCoordinators ? coordinated(tree, user.name()) : "";
      if (!placed) {
        rows.add(new AccountingTreeRow(null, user, null, coordinated));
        continue;
      }
      List<Association> theirs = new ArrayList<>(tree.of(user.name()));
      theirs.sort(Comparator.comparing(a -> place(tree, a), SacctmgrShow::leftFirst));
      for (Association association : theirs) {
        if (choice.takes(tree, association, cluster)) {
          rows.add(row(tree, choice, null, association, coordinated));
        }
      }
    }
    String usual =
        choice.format == null && session.tracksWckeys()
            ? AccountingTreeFields.USER_WITH_WCKEY
            : AccountingTreeFields.USER;
    String own = choice.withCoordinators ? usual + ",coordinators" : usual;
    print(choice, placed ? own + "," + AccountingTreeFields.OF_USER : own, rows);
  }

  /** The way down to it from the root account, by numbers. */
  static List<Integer> place(AccountingTree tree, Association association) {
    return tree.path(association).reversed().stream().map(Association::id).toList();
  }

  /** Slurm lists what was added last first, and accounts before what is below them. */
  static int leftFirst(List<Integer> one, List<Integer> other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      int order = Integer.compare(other.get(i), one.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(one.size(), other.size());
  }

  private static String coordinated(AccountingTree tree, String user) {
    List<String> names = new ArrayList<>();
    for (Account account : tree.accounts()) {
      if (tree.isCoordinator(user, account.name())) {
        names.add(account.name());
      }
    }
    return String.join(",", names);
  }

  void associations(List<String> words) throws CommandException {
    EntityFilter choice = EntityFilter.read(EntityFilter.Named.NOTHING, words, session);
    AccountingTree tree = session.tree();
    List<AccountingTreeRow> rows = new ArrayList<>();
    List<Association> shown = new ArrayList<>();
    List<Association> all = choice.withoutPlace ? flat(tree) : tree.walk();
    for (Association association : HistoryConditions.Deleted.associations(session, choice, all)) {
      if (choice.takes(tree, association, session.cluster())) {
        rows.add(row(tree, choice, null, association, ""));
        shown.add(choice.withoutParents ? association : tree.effective(association));
      }
    }
    AccountingJson document = session.document();
    if (document != null) {
      document.associations(shown);
      return;
    }
    print(
        choice,
        choice.inShort
            ? AccountingTreeFields.ASSOCIATION_IN_SHORT
            : AccountingTreeFields.ASSOCIATION,
        rows);
  }

  /** Without their places: users, then accounts, each as they stand in the tree. */
  private static List<Association> flat(AccountingTree tree) {
    List<Association> all = new ArrayList<>(tree.walk());
    all.sort(Comparator.comparing(a -> place(tree, a), SacctmgrShow::leftFirst));
    all.sort(Comparator.comparing(a -> a.user() == null));
    return all;
  }

  private AccountingTreeRow row(
      AccountingTree tree,
      EntityFilter choice,
      @Nullable Account account,
      Association association,
      String coordinators)
      throws CommandException {
    Association shown = choice.withoutParents ? association : tree.effective(association);
    String user = association.user();
    return new AccountingTreeRow(
        account != null ? account : tree.account(association.account()),
        user == null ? null : tree.user(user),
        shown(choice, shown),
        tree.path(association).size() - 1,
        coordinators,
        session.cluster(),
        placesOf(tree).get(association.id()));
  }

  private Map<Integer, AccountingTreeRow.Place> placesOf(AccountingTree tree) {
    if (numbered != tree) {
      numbered = tree;
      List<Association> all = new ArrayList<>(tree.walk());
      all.sort(Comparator.comparing(a -> place(tree, a), SacctmgrShow::leftFirst));
      numbers = AccountingTreeRow.Place.all(tree, all);
    }
    return numbers;
  }

  private static Association shown(EntityFilter choice, Association association) {
    Association shown =
        choice.withoutLimits ? association.withLimits(AccountingLimits.NONE) : association;
    return choice.withoutPlace && shown.parent() != null ? shown.withParent("") : shown;
  }

  private void print(EntityFilter choice, String usual, List<AccountingTreeRow> rows)
      throws CommandException {
    List<AccountingField<AccountingTreeRow>> all = AccountingTreeFields.ALL;
    if (choice.asTree) {
      all = all.stream().map(AccountingTreeFields::indented).toList();
    }
    session.print(session.table().text(fields(all, choice.format, usual), rows));
  }

  private static <R> List<AccountingField<R>> fields(
      List<AccountingField<R>> all, @Nullable String format, String usual) throws CommandException {
    List<String> unknown = new ArrayList<>();
    List<AccountingField<R>> fields =
        AccountingField.parse(all, Objects.requireNonNullElse(format, usual), unknown);
    if (fields == null) {
      throw CommandException.plain("Unknown field '" + unknown.getFirst() + "'");
    }
    return fields;
  }

  void qos(List<String> words) throws CommandException {
    EntityFilter choice = EntityFilter.read(EntityFilter.Named.QOS, words, session);
    List<Qos> rows =
        HistoryConditions.Deleted.qos(session, choice).stream().filter(choice::takes).toList();
    JsonTarget target = session.documentTarget();
    if (target != null) {
      QosJson.print(target, session.cluster(), rows, session.numbers());
      return;
    }
    session.print(
        session.table().text(fields(QosFields.ALL, choice.format, QosFields.USUAL), rows));
  }

  void cluster(List<String> words) throws CommandException {
    EntityFilter choice = EntityFilter.read(EntityFilter.Named.CLUSTER, words, session);
    FederatedCluster federated = session.tree().federations().cluster(session.cluster());
    boolean meant =
        (choice.names.isEmpty() || choice.names.contains(session.cluster()))
            && choice.hasFederation(federated);
    AccountingJson document = session.document();
    if (document != null) {
      clusterDocument(document, meant);
      return;
    }
    String plain = choice.withoutLimits ? ClusterFields.WITHOUT_LIMITS : ClusterFields.USUAL;
    String usual = choice.withFederation ? plain + ClusterFields.OF_FEDERATION : plain;
    List<AccountingField<ClusterFields.Row>> columns =
        fields(ClusterFields.ALL, choice.format, usual);
    Association root = session.tree().association(AccountingTree.ROOT, null, null);
    List<ClusterFields.Row> rows = new ArrayList<>();
    if (root != null && meant) {
      boolean asked = columns.stream().anyMatch(ClusterFields::isOfNodes);
      List<NodeInfo> nodes = asked && session.isAtOwnCluster() ? nodes() : List.of();
      Response.Accounts known = session.known();
      rows.add(
          new ClusterFields.Row(
              session.cluster(),
              known.host(),
              known.port(),
              root,
              nodes.stream().map(node -> node.config().name()).toList(),
              together(nodes),
              federated));
    }
    session.print(session.table().text(columns, rows));
  }

  private List<NodeInfo> nodes() throws CommandException {
    return session.ask(new Request.ShowCluster(), Response.Cluster.class).nodes();
  }

  private static TresAmounts together(List<NodeInfo> nodes) {
    TresAmounts all = TresAmounts.NONE;
    for (NodeInfo node : nodes) {
      NodeConfig config = node.config();
      all =
          all.plus(TresAmounts.CPU, config.shape().cpus())
              .plus(TresAmounts.MEMORY, config.realMemoryMib())
              .plus(TresAmounts.NODE, 1)
              .plus(TresAmounts.BILLING, config.shape().cpus());
    }
    return all;
  }

  private void clusterDocument(AccountingJson document, boolean meant) throws CommandException {
    if (!meant) {
      document.nothing("clusters");
      return;
    }
    List<NodeInfo> nodes = nodes();
    List<String> names = nodes.stream().map(node -> node.config().name()).toList();
    document.cluster(
        session.known().host(), session.known().port(), HostList.compress(names), together(nodes));
  }

  /** A line about a resource. */
  private record TresRow(String type, String name, int id) {}

  void tres(List<String> words) throws CommandException {
    List<String> types = new ArrayList<>();
    List<String> called = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    String format = null;
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (setting.is(3, "Format")) {
        format = setting.value();
      } else if (setting.is(2, "Type")) {
        types.addAll(setting.names());
      } else if (setting.is(1, "Names")) {
        called.addAll(setting.names());
      } else if (setting.is(1, "IDs")) {
        ids.addAll(setting.names());
      } else if (!SacctmgrSetting.isKeyword(word, "where") && !word.matches("(?i)withd.*")) {
        throw CommandException.plain(
            " Unknown condition: " + word, " Use keyword 'set' to modify value");
      }
    }
    TresNumbers tracked = session.tracked();
    List<String> names =
        tracked.names().stream()
            .filter(name -> types.isEmpty() || types.contains(name.replaceFirst("/.*", "")))
            .filter(name -> called.isEmpty() || called.contains(name.replaceFirst("[^/]*/?", "")))
            .filter(name -> ids.isEmpty() || ids.contains(Integer.toString(tracked.of(name))))
            .toList();
    AccountingJson document = session.document();
    if (document != null) {
      document.tres(names, tracked);
      return;
    }
    List<TresRow> rows = new ArrayList<>();
    for (String name : names) {
      String[] parts = name.split("/", 2);
      rows.add(new TresRow(parts[0], parts.length > 1 ? parts[1] : "", tracked.of(name)));
    }
    List<AccountingField<TresRow>> all =
        List.of(
            new AccountingField<>("Type", List.of("type"), 8, TresRow::type),
            new AccountingField<>("Name", List.of("name"), 10, TresRow::name),
            new AccountingField<>("ID", List.of("id"), 6, row -> Integer.toString(row.id())));
    session.print(session.table().text(fields(all, format, "type,name%15,id"), rows));
  }

  /** Lists workload keys of users; they are added to users, and deleted from them. */
  static final class Wckeys {
    private static final String USUAL = "WCKey,Cluster,User";

    private final SacctmgrSession session;
    private final List<String> names = new ArrayList<>();
    private final List<String> users = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final List<String> clusters = new ArrayList<>();
    private @Nullable String format;
    private boolean onlyDefaults;

    Wckeys(SacctmgrSession session) {
      this.session = session;
    }

    private record Row(AccountUser user, Wckey key) {}

    /** Reads the conditions; false if one is none, which is said. */
    private boolean read(List<String> words) {
      boolean whole = true;
      for (String word : words) {
        if (!take(SacctmgrSetting.of(word))) {
          session.complain(" Unknown condition: " + word);
          whole = false;
        }
      }
      return whole;
    }

    private boolean take(SacctmgrSetting setting) {
      if (setting.key().isEmpty()) {
        switch (setting.value().toLowerCase(Locale.ROOT)) {
          case "where", "withdeleted", "withd" -> {}
          case "onlydefaults", "onlydef" -> onlyDefaults = true;
          default -> names.addAll(setting.names());
        }
      } else if (setting.is(3, "Format")) {
        format = setting.value();
      } else if (setting.is(1, "Names") || setting.is(1, "WCKeys")) {
        names.addAll(setting.names());
      } else if (setting.is(1, "Users")) {
        users.addAll(setting.names());
      } else if (setting.is(1, "IDs")) {
        ids.addAll(setting.names());
      } else if (setting.is(1, "Clusters")) {
        clusters.addAll(setting.names());
      } else {
        return false;
      }
      return true;
    }

    void show(List<String> words) throws CommandException {
      if (!read(words)) {
        return;
      }
      if (!session.isOperator()) {
        session.error("Your user doesn't have privilege to perform this action");
        session.complain(SacctmgrSession.ERROR + ErrorCode.ACCESS_DENIED.text());
        return;
      }
      List<Row> rows = new ArrayList<>();
      for (AccountUser user : session.tree().users()) {
        user.wckeys().stream()
            .filter(key -> has(user, key))
            .forEach(key -> rows.add(new Row(user, key)));
      }
      rows.sort(Comparator.comparing(row -> row.key().name()));
      AccountingJson document = session.document();
      if (document != null) {
        document.wckeys(
            rows.stream().map(row -> row.user().withWckeys(List.of(row.key()))).toList());
        return;
      }
      String cluster = session.cluster();
      List<AccountingField<Row>> all =
          List.of(
              new AccountingField<>("WCKey", List.of("wckey", "name"), 10, row -> row.key().name()),
              new AccountingField<>("Cluster", List.of("cluster"), 10, _ -> cluster),
              new AccountingField<>("User", List.of("user"), 10, row -> row.user().name()),
              new AccountingField<>(
                  "ID", List.of("id"), 6, row -> Integer.toString(row.key().id())));
      List<String> unknown = new ArrayList<>();
      List<AccountingField<Row>> fields =
          AccountingField.parse(all, Objects.requireNonNullElse(format, USUAL), unknown);
      if (fields == null) {
        throw CommandException.plain("Unknown field '" + unknown.getFirst() + "'");
      }
      session.print(session.table().text(fields, rows));
    }

    private boolean has(AccountUser user, Wckey key) {
      return (names.isEmpty() || names.contains(key.name()))
          && (users.isEmpty() || users.contains(user.name()))
          && (ids.isEmpty() || ids.contains(Integer.toString(key.id())))
          && (!onlyDefaults || key.usual());
    }
  }
}
