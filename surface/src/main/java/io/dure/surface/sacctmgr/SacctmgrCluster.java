package io.dure.surface.sacctmgr;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingNames;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.command.Reply;
import io.dure.model.federation.FederatedCluster;
import io.dure.model.federation.FederationState;
import io.dure.model.federation.Federations;
import io.dure.protocol.Request;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Adds clusters to those that a slurmdbd keeps the accounts of, changes and removes them. For one
 * thread.
 */
final class SacctmgrCluster {
  private static final String QUESTION =
      "Would you like to commit changes? (You have 30 seconds to decide)\n(N/y): ";

  private final SacctmgrSession session;

  SacctmgrCluster(SacctmgrSession session) {
    this.session = session;
  }

  /** The cluster of a controller is there once the controller has come; others can come before. */
  void add(List<String> words) throws CommandException {
    List<String> names = new ArrayList<>();
    FederationEdit edit = new FederationEdit();
    List<String> problems = new ArrayList<>();
    AssociationEditor limits = new AssociationEditor(session.tree(), problems);
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      boolean isName =
          setting.key().isEmpty() || setting.is(4, "Names") || setting.is(1, "Clusters");
      if (isName) {
        names.addAll(SacctmgrSetting.isKeyword(word, "set") ? List.of() : setting.names());
      } else if (!edit.take(setting) && !limits.take(setting)) {
        problems.forEach(session::error);
        throw CommandException.plain(" Unknown option: " + word);
      }
    }
    if (!edit.isPossible(new SacctmgrFederations.Placement(session))) {
      session.exitCode(1);
      return;
    }
    List<String> fresh = new ArrayList<>();
    for (String name : names) {
      boolean known =
          name.equals(session.cluster())
              || session.clusters().stream().anyMatch(one -> one.cluster().equals(name));
      if (known) {
        session.print(" This cluster " + name + " already exists.  Not adding.\n");
        session.exitCode(1);
      } else if (session.clusters().isEmpty()) {
        throw CommandException.error(
            "this controller keeps the accounts of one cluster, "
                + session.cluster()
                + "; for several, run slurmdbd (docs/admin/slurmdbd.md)");
      } else if (!name.matches("[a-z0-9_.-]{1,40}")) {
        throw CommandException.error(
            "a cluster is not called '" + name + "': write small letters, digits, _, - and .");
      } else {
        fresh.add(name);
      }
    }
    if (!fresh.isEmpty()) {
      commit(fresh, edit, limits);
    }
  }

  /** Clusters that have no jobs are removed; what is recorded of their jobs stays. */
  void delete(List<String> words) throws CommandException {
    EntityFilter choice = EntityFilter.read(EntityFilter.Named.CLUSTER, words, session);
    if (choice.isEmpty()) {
      throw CommandException.plain(" No conditions given to remove, not executing.");
    }
    List<String> known =
        session.clusters().isEmpty()
            ? List.of(session.cluster())
            : session.clusters().stream().map(ClusterAccounts::cluster).toList();
    List<String> gone =
        known.stream()
            .filter(name -> choice.names.contains(name) || choice.clusters.contains(name))
            .toList();
    if (gone.isEmpty()) {
      session.print(" Nothing deleted\n");
      session.exitCode(1);
      return;
    }
    if (!session.isAdministrator()) {
      session.error("Your user doesn't have privilege to perform this action");
      session.complain(SacctmgrSession.ERROR + ErrorCode.ACCESS_DENIED.text());
      return;
    }
    if (session.clusters().isEmpty()) {
      throw CommandException.error("the accounts of the controller's own cluster stay");
    }
    StringBuilder report = new StringBuilder(" Deleting clusters...\n");
    gone.forEach(name -> report.append("  ").append(name).append('\n'));
    boolean asks = !session.isImmediate();
    session.print(asks ? report.toString() : "");
    if (!session.agrees(QUESTION)) {
      session.print(" Changes Discarded\n");
      return;
    }
    Reply.Refused refused =
        ResponseCheck.refusal(session.port().ask(new Request.RemoveClusters(gone)));
    session.changed();
    if (refused == null) {
      session.print(asks ? "" : report.toString());
      return;
    }
    session.complain(SacctmgrSession.ERROR + refused.code().text());
    for (StderrMessage detail : ResponseCheck.details(refused)) {
      session.report(StderrMessage.plain(detail.text()));
    }
  }

  /** Refuses, before a cluster is added, what would be refused once it is there. */
  private void check(List<String> fresh, FederationEdit edit) throws CommandException {
    AccountingTree tree = session.tree();
    List<AccountingChange> changes =
        List.of(new AccountingChange.FederationsSet(edit.of(tree.federations(), fresh)));
    try {
      AccountingNames.check(tree, changes);
      var _ = tree.with(changes);
    } catch (InvalidAccountingException e) {
      throw CommandException.error(e.text());
    }
  }

  private void commit(List<String> fresh, FederationEdit edit, AssociationEditor limits)
      throws CommandException {
    check(fresh, edit);
    session.print(" Adding Cluster(s)\n");
    fresh.forEach(name -> session.print("  Name           = " + name + "\n"));
    session.print(edit.isEmpty() ? "" : " Setting\n" + edit.lines());
    session.print(limits.isEmpty() ? "" : " Set Default Limits:\n" + limits.settings());
    if (!session.agrees(QUESTION)) {
      session.print(" Changes Discarded\n");
      return;
    }
    for (String name : fresh) {
      Reply.Refused refused =
          ResponseCheck.refusal(session.port().ask(new Request.AddCluster(name)));
      if (refused != null) {
        session.complain(" Problem adding clusters: " + refused.code().text());
        return;
      }
    }
    session.changed();
    if (!edit.isEmpty()) {
      Federations next = edit.of(session.tree().federations(), fresh);
      if (!session.changeEverywhere(" Problem adding clusters: ", next)) {
        session.complain(
            " Added without these settings, which sacctmgr modify cluster sets: "
                + String.join(",", fresh));
      }
    }
    if (!limits.isEmpty()) {
      session.changeRoots(" Problem adding clusters: ", fresh, limits::of);
    }
  }

  /**
   * Changes what the whole tree of clusters is given, and what is recorded of them for federations.
   */
  void modify(List<String> words, ClusterFanOut all) throws CommandException {
    SacctmgrModify reader = new SacctmgrModify(session);
    SacctmgrModify.Parts parts = reader.parts(EntityFilter.Named.CLUSTER, words);
    FederationEdit edit = new FederationEdit();
    List<SacctmgrSetting> limits = new ArrayList<>();
    for (SacctmgrSetting setting : parts.set()) {
      if (!edit.take(setting)) {
        limits.add(setting);
      }
    }
    reader.limits(limits);
    SacctmgrFederations.Placement placement = new SacctmgrFederations.Placement(session);
    List<String> chosen = chosen(parts.where(), edit, placement);
    if (chosen == null) {
      return;
    }
    Federations known = session.tree().federations();
    Federations next = edit.isEmpty() ? null : edit.of(known, chosen);
    all.change(words, () -> modify(limits, edit, chosen, next));
  }

  /** The clusters that are meant, by name; null if nothing is to be done. */
  private @Nullable List<String> chosen(
      EntityFilter where, FederationEdit edit, SacctmgrFederations.Placement placement)
      throws CommandException {
    Federations known = session.tree().federations();
    List<String> names = where.names.stream().sorted().distinct().toList();
    String to = edit.federation();
    if (to != null && !to.isEmpty()) {
      if (!edit.isPossible(placement) || !placement.haveAll(where.names)) {
        return null;
      }
      names = placement.outside(names, to);
      if (names.isEmpty() && !where.names.isEmpty()) {
        session.print("Nothing to change\n");
        return null;
      }
      if (!placement.isAgreed()) {
        return null;
      }
    }
    List<String> wanted = names;
    return placement.clusters().stream()
        .filter(one -> wanted.isEmpty() || wanted.contains(one))
        .filter(one -> where.hasFederation(known.cluster(one)))
        .toList();
  }

  /** The part of a change that is the session's cluster's. */
  private void modify(
      List<SacctmgrSetting> limits,
      FederationEdit edit,
      List<String> chosen,
      @Nullable Federations next)
      throws CommandException {
    SacctmgrModify reader = new SacctmgrModify(session);
    AssociationEditor own = reader.limits(limits);
    session.print(" Setting\n" + edit.lines());
    session.print(limits.isEmpty() ? "" : "  Default Limits:\n" + own.settings());
    Association root = session.tree().association(AccountingTree.ROOT, null, null);
    if (root == null || !chosen.contains(session.cluster())) {
      session.print(" Nothing modified\n");
      session.exitCode(1);
      return;
    }
    List<AccountingChange> changes = new ArrayList<>();
    StringBuilder report = new StringBuilder();
    if (next != null) {
      changes.add(new AccountingChange.FederationsSet(next));
      report.append(" Modified cluster...\n");
      chosen.forEach(one -> report.append("  ").append(one).append('\n'));
    }
    if (!limits.isEmpty()) {
      changes.add(new AccountingChange.AssociationSet(own.of(root)));
      report.append(" Modified cluster defaults for associations...\n");
      report.append(reader.accountLine(session.tree(), root, own));
    }
    session.commitAllowed(report.toString(), changes);
  }

  /** Applies settings to clusters that are about federations. For one thread. */
  private static final class FederationEdit {
    private final List<SacctmgrSetting> features = new ArrayList<>();
    private @Nullable String federation;
    private @Nullable FederationState state;

    /** Takes a setting in; false if it is about something else. */
    boolean take(SacctmgrSetting setting) throws CommandException {
      if (setting.is(4, "FedState")) {
        state = FederationState.of(setting.value());
        if (state == null) {
          throw CommandException.plain("Invalid FedState " + setting.value() + ".");
        }
      } else if (setting.is(3, "Federation")) {
        federation = setting.value();
      } else if (setting.is(2, "Features")) {
        if (setting.value().isEmpty() && setting.change() != SacctmgrSetting.Change.SET) {
          boolean more = setting.change() == SacctmgrSetting.Change.ADD;
          throw CommandException.plain(
              " You didn't specify any features to " + (more ? "add" : "remove"));
        }
        features.add(setting);
      } else {
        return false;
      }
      return true;
    }

    /** Whether nothing was taken in. */
    boolean isEmpty() {
      return federation == null && state == null && features.isEmpty();
    }

    /** The federation that clusters are to be in, empty for none, null if that is not said. */
    @Nullable String federation() {
      return federation == null ? null : federation.toLowerCase(Locale.ROOT);
    }

    /** Whether there is the federation; it is told if there is not. */
    boolean isPossible(SacctmgrFederations.Placement placement) {
      return federation == null
          || federation.isEmpty()
          || placement.hasFederation(federation.toLowerCase(Locale.ROOT));
    }

    /** The settings as they are printed. */
    String lines() {
      StringBuilder out = new StringBuilder();
      for (SacctmgrSetting setting : features) {
        out.append(setting.value().isEmpty() ? "  Feature     = \n" : "");
        new LinkedHashSet<>(KeywordParser.list(setting.value()))
            .forEach(one -> out.append(line("  Feature", setting, one)));
      }
      out.append(federation == null ? "" : "  Federation     = " + federation + "\n");
      return out.append(state == null ? "" : "  FedState       = " + state.word() + "\n")
          .toString();
    }

    private static String line(String what, SacctmgrSetting setting, String value) {
      return what
          + switch (setting.change()) {
            case SET -> "       = ";
            case ADD -> "     += ";
            case REMOVE -> "     -= ";
          }
          + value
          + "\n";
    }

    /** The federations with these clusters as they are to be. */
    Federations of(Federations before, List<String> clusters) throws CommandException {
      Federations next = before;
      String to = federation();
      for (String name : clusters) {
        if (to != null) {
          next =
              to.isEmpty()
                  ? next.leaving(name)
                  : SacctmgrFederations.Placement.joining(next, name, to);
        }
        FederatedCluster one = next.cluster(name);
        for (SacctmgrSetting setting : features) {
          one = one.withFeatures(setting.change().of(one.features(), setting.names()));
        }
        next = next.with(state == null ? one : one.withState(state));
      }
      return next;
    }
  }
}
