package io.dure.surface.sacctmgr;

import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.List;

/** Adds clusters to those that a slurmdbd keeps the accounts of, and removes them. */
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
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (setting.isNameOr(1, "Names", "Clusters")) {
        names.addAll(setting.names());
      } else if (!SacctmgrSetting.isKeyword(word, "set")) {
        throw CommandException.plain(" Unknown option: " + word);
      }
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
      commit(fresh);
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

  private void commit(List<String> fresh) throws CommandException {
    session.print(" Adding Cluster(s)\n");
    fresh.forEach(name -> session.print("  Name           = " + name + "\n"));
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
  }
}
