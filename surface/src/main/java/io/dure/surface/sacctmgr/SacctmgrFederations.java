package io.dure.surface.sacctmgr;

import io.dure.model.accounting.AccountingChange;
import io.dure.model.federation.FederatedCluster;
import io.dure.model.federation.Federations;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.json.AccountingJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sacctmgr.column.FederationFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Federations of clusters: added, changed, deleted and listed. They are the same in the accounts of
 * each cluster, so that a change is made in all of them. For one thread.
 */
final class SacctmgrFederations {
  private static final String MANY = " Can't assign clusters to multiple federations.";

  private final SacctmgrSession session;
  private final Placement placement;
  private final Federations before;
  private final Filter choice = new Filter();

  /** What was said last of clusters; null for nothing. */
  private @Nullable SacctmgrSetting clusters;

  SacctmgrFederations(SacctmgrSession session) throws CommandException {
    this.session = session;
    placement = new Placement(session);
    before = session.tree().federations();
  }

  /** What they are to be; false for a word that does not say that. */
  private boolean set(SacctmgrSetting setting) throws CommandException {
    if (setting.is(2, "Flags")) {
      throw CommandException.plain(
          " Unknown federation flag used in:",
          " '" + setting.value() + "'",
          " Valid federation flags are",
          "  '(null)'");
    }
    if (!setting.is(2, "Clusters")) {
      return false;
    }
    boolean sets = setting.change() == SacctmgrSetting.Change.SET;
    if (setting.value().isEmpty() && !sets) {
      boolean more = setting.change() == SacctmgrSetting.Change.ADD;
      throw CommandException.plain(
          " You didn't specify any clusters to " + (more ? "add" : "remove"));
    }
    clusters = setting;
    return true;
  }

  private static CommandException unknown(String word) {
    return CommandException.plain(
        " Unknown option: " + word, " Use keyword 'where' to modify condition");
  }

  /** The clusters that were named, each once. */
  private List<String> named() {
    return clusters == null ? List.of() : clusters.names().stream().distinct().toList();
  }

  private boolean isChange(SacctmgrSetting.Change change) {
    return clusters != null && clusters.change() == change;
  }

  void add(List<String> words) throws CommandException {
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      boolean keyword =
          SacctmgrSetting.isKeyword(word, "set") || SacctmgrSetting.isKeyword(word, "where");
      if (!keyword && !choice.takeName(setting) && !set(setting)) {
        throw unknown(word);
      }
    }
    if (choice.names().isEmpty()) {
      throw CommandException.plain(" Need name of federation to add.");
    }
    List<String> names = missing();
    if (names.isEmpty()) {
      session.exitCode(1);
      return;
    }
    boolean gone = isChange(SacctmgrSetting.Change.REMOVE);
    List<String> joining = gone ? List.of() : named();
    if (!joining.isEmpty() && names.size() > 1) {
      throw CommandException.plain(MANY);
    }
    if (!placement.haveAll(joining)) {
      session.exitCode(1);
      return;
    }
    placement.outside(joining, "");
    if (!placement.isAgreed()) {
      session.exitCode(1);
      return;
    }
    session.print(" Adding Federation(s)\n");
    names.stream().filter(String::isEmpty).forEach(_ -> skip());
    List<String> fresh = names.stream().filter(one -> !one.isEmpty()).toList();
    if (fresh.isEmpty()) {
      session.print(" Nothing new added.\n");
      session.exitCode(1);
      return;
    }
    fresh.forEach(one -> session.print("  " + one + "\n"));
    session.print(clusters == null ? "" : " Settings\n");
    named().forEach(one -> session.print(line(clusters, one)));
    Federations next = before.with(fresh);
    for (String one : joining) {
      next = Placement.joining(next, one, fresh.getFirst());
    }
    commit(" Problem adding federation(s): ", null, next);
  }

  /** Those of the names that are not there yet; of the others it is told. */
  private List<String> missing() {
    List<String> found = new ArrayList<>();
    for (String one : choice.names().stream().distinct().toList()) {
      if (before.names().contains(one)) {
        session.print(" This federation " + one + " already exists.  Not adding.\n");
      } else {
        found.add(one);
      }
    }
    return found;
  }

  private void skip() {
    session.report(StderrMessage.plain(" Skipping blank fed name."));
  }

  private static String line(@Nullable SacctmgrSetting how, String cluster) {
    return line(how == null ? SacctmgrSetting.Change.SET : how.change(), cluster);
  }

  private static String line(SacctmgrSetting.Change change, String cluster) {
    return "  Cluster "
        + switch (change) {
          case SET -> "      = ";
          case ADD -> "     += ";
          case REMOVE -> "     -= ";
        }
        + cluster
        + "\n";
  }

  private void commit(String prefix, @Nullable String report, Federations next)
      throws CommandException {
    List<AccountingChange> changes = List.of(new AccountingChange.FederationsSet(next));
    session.commitEverywhere(
        new ClusterPlan.Wish(prefix, report, changes, session.mayChange(changes)));
  }

  void modify(List<String> words) throws CommandException {
    boolean setting = false;
    for (String word : words) {
      SacctmgrSetting one = SacctmgrSetting.of(word);
      if (SacctmgrSetting.isKeyword(word, "set")) {
        setting = true;
      } else if (SacctmgrSetting.isKeyword(word, "where")) {
        setting = false;
      } else if (setting && !set(one) && !one.is(1, "Names")) {
        throw unknown(word);
      } else if (!setting && !choice.take(one)) {
        throw Filter.unknown(word);
      }
    }
    if (clusters == null) {
      throw CommandException.plain(" You didn't give me anything to set");
    }
    boolean whole = true;
    for (String name : choice.names()) {
      whole &= placement.hasFederation(name);
    }
    if (whole && choice.names().size() != 1) {
      throw CommandException.plain(MANY);
    }
    if (!whole || !placement.haveAll(named())) {
      session.exitCode(1);
      return;
    }
    change(choice.names().getFirst());
  }

  private void change(String federation) throws CommandException {
    List<String> leaving = new ArrayList<>();
    List<String> joining = List.of();
    if (isChange(SacctmgrSetting.Change.REMOVE)) {
      leaving.addAll(placement.inside(named(), federation));
    } else {
      joining = placement.outside(named(), federation);
    }
    if (isChange(SacctmgrSetting.Change.SET)) {
      before.of(federation).stream()
          .map(FederatedCluster::name)
          .filter(one -> !named().contains(one))
          .forEach(leaving::add);
    }
    if (leaving.isEmpty() && joining.isEmpty()) {
      session.print("Nothing to change\n");
      session.exitCode(1);
      return;
    }
    if (!placement.isAgreed()) {
      session.exitCode(1);
      return;
    }
    Federations next = before;
    session.print(" Setting\n");
    for (String one : leaving) {
      session.print(line(SacctmgrSetting.Change.REMOVE, one));
      next = next.leaving(one);
    }
    for (String one : joining) {
      session.print(line(SacctmgrSetting.Change.ADD, one));
      next = Placement.joining(next, one, federation);
    }
    commit(SacctmgrSession.ERROR, " Modified federation...\n  " + federation + "\n", next);
  }

  void delete(List<String> words) throws CommandException {
    choice.read(words);
    if (choice.isEmpty()) {
      throw CommandException.plain(" No conditions given to remove, not executing.");
    }
    if (choice.names().isEmpty()) {
      throw CommandException.plain("problem with delete request.  Nothing given to delete.");
    }
    Federations next = before;
    StringBuilder report = new StringBuilder();
    for (String one : choice.of(before)) {
      next = next.without(one);
      report.append("  ").append(one).append('\n');
    }
    if (report.isEmpty()) {
      session.print(" Nothing deleted\n");
      session.exitCode(1);
    } else {
      commit(SacctmgrSession.ERROR, " Deleting federations...\n" + report, next);
    }
  }

  void show(List<String> words) throws CommandException {
    String format = null;
    boolean apart = false;
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.equals("tree")) {
        apart = session.document() == null;
      } else if (setting.is(2, "Format")) {
        format = setting.value();
      } else if (!lower.equals("where") && !lower.startsWith("withd") && !choice.take(setting)) {
        throw Filter.unknown(word);
      }
    }
    List<FederationFields.Row> rows = new ArrayList<>();
    for (String one : choice.of(before)) {
      List<FederatedCluster> members = before.of(one);
      if (members.isEmpty() || apart) {
        rows.add(new FederationFields.Row(one, null));
      }
      for (FederatedCluster member : members) {
        rows.add(new FederationFields.Row(apart ? "" : one, member));
      }
    }
    print(rows, Objects.requireNonNullElse(format, FederationFields.USUAL));
  }

  private void print(List<FederationFields.Row> rows, String format) throws CommandException {
    AccountingJson document = session.document();
    if (document != null) {
      List<AccountingField<FederationFields.Row>> told = FederationFields.TELLING;
      document.rows(
          "federations",
          told.stream().map(AccountingField::header).toList(),
          rows.stream()
              .map(row -> told.stream().map(field -> field.value().apply(row)).toList())
              .toList());
      return;
    }
    List<String> unknown = new ArrayList<>();
    List<AccountingField<FederationFields.Row>> fields =
        AccountingField.parse(FederationFields.ALL, format, unknown);
    if (fields == null) {
      throw CommandException.plain("Unknown field '" + unknown.getFirst() + "'");
    }
    session.print(session.table().text(fields, rows));
  }

  /** Which federations are meant. For one thread. */
  static final class Filter {
    private final List<String> names = new ArrayList<>();
    private final List<String> clusters = new ArrayList<>();

    /** Takes a name in, or several; false for a word that is none. */
    boolean takeName(SacctmgrSetting setting) {
      if (!setting.isNameOr(1, "Names")) {
        return false;
      }
      names.addAll(setting.value().isEmpty() ? List.of("") : setting.names());
      return true;
    }

    /** Takes a condition in; false for a word that is none. */
    boolean take(SacctmgrSetting setting) {
      if (setting.is(3, "Federations")) {
        names.addAll(setting.names());
      } else if (setting.is(2, "Clusters")) {
        clusters.addAll(setting.names());
      } else {
        return takeName(setting);
      }
      return true;
    }

    /** Takes conditions in. */
    void read(List<String> words) throws CommandException {
      for (String word : words) {
        if (!SacctmgrSetting.isKeyword(word, "where") && !take(SacctmgrSetting.of(word))) {
          throw unknown(word);
        }
      }
    }

    static CommandException unknown(String word) {
      return CommandException.plain(
          " Unknown condition: " + word, " Use keyword 'set' to modify value");
    }

    List<String> names() {
      return names;
    }

    boolean isEmpty() {
      return names.isEmpty() && clusters.isEmpty();
    }

    /** The federations that are meant, by name: also those that have one of the clusters. */
    List<String> of(Federations all) {
      return all.names().stream()
          .filter(one -> names.isEmpty() || names.contains(one))
          .filter(one ->
              clusters.isEmpty()
                  || all.of(one).stream().anyMatch(member -> clusters.contains(member.name())))
          .toList();
    }
  }

  /** Places clusters in federations, and tells where they are already. For one thread. */
  static final class Placement {
    private static final String QUESTION =
        "\nAre you sure you want to continue? (You have 30 seconds to decide)\n(N/y): ";

    private final SacctmgrSession session;
    private final Federations known;
    private boolean moves;

    /** Of the federations as they are now. */
    Placement(SacctmgrSession session) throws CommandException {
      this.session = session;
      known = session.tree().federations();
    }

    /** The clusters that have accounts, and those of which something is recorded, by name. */
    List<String> clusters() throws CommandException {
      TreeSet<String> all = new TreeSet<>();
      all.add(session.cluster());
      session.clusters().stream().map(ClusterAccounts::cluster).forEach(all::add);
      known.clusters().forEach(one -> all.add(one.name()));
      return List.copyOf(all);
    }

    /** Tells of each cluster that is not there; whether all are. */
    boolean haveAll(List<String> names) throws CommandException {
      List<String> all = clusters();
      boolean whole = true;
      for (String name : names) {
        if (!all.contains(name)) {
          tell(" The cluster " + name + " doesn't exist. Please add first.");
          whole = false;
        }
      }
      return whole;
    }

    /** Whether there is such a federation; it is told if there is none. */
    boolean hasFederation(String name) {
      if (!known.names().contains(name)) {
        tell(" The federation " + name + " doesn't exist.");
        return false;
      }
      return true;
    }

    /** Those of the clusters that are not in a federation; it is told of those that are. */
    List<String> outside(List<String> clusters, String federation) {
      List<String> found = new ArrayList<>();
      for (String name : clusters) {
        FederatedCluster one = known.cluster(name);
        if (one.membership() == null) {
          found.add(name);
        } else if (one.federation().equals(federation)) {
          tell(" The cluster " + name + " is already assigned to federation " + federation);
        } else {
          tell(" The cluster " + name + " is assigned to federation " + one.federation());
          moves = true;
          found.add(name);
        }
      }
      return found;
    }

    /** Those of the clusters that are in a federation; it is told of those that are not. */
    List<String> inside(List<String> clusters, String federation) {
      List<String> found = new ArrayList<>();
      for (String name : clusters) {
        if (known.cluster(name).federation().equals(federation)) {
          found.add(name);
        } else {
          tell(" The cluster " + name + " isn't assigned to federation " + federation);
        }
      }
      return found;
    }

    private void tell(String line) {
      session.report(StderrMessage.plain(line));
    }

    /** Asks whether clusters are to leave other federations, if some would. */
    boolean isAgreed() throws CommandException {
      return !moves || session.agrees(QUESTION);
    }

    /** The federations with one cluster more in one of them. */
    static Federations joining(Federations all, String cluster, String federation)
        throws CommandException {
      Federations next = all.joining(cluster, federation);
      if (next == null) {
        throw CommandException.error(
            "federation "
                + federation
                + " has "
                + Federations.MOST_CLUSTERS
                + " clusters, which are the most");
      }
      return next;
    }
  }
}
