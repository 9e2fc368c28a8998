package io.dure.surface.sacctmgr;

import static io.dure.surface.sacctmgr.AssociationEditor.padded;

import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.Wckey;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Removes accounts, users and QOS. */
final class SacctmgrDelete {
  private final SacctmgrSession session;
  private final List<AccountingChange> changes = new ArrayList<>();
  private final StringBuilder report = new StringBuilder();

  SacctmgrDelete(SacctmgrSession session) {
    this.session = session;
  }

  private EntityFilter choice(EntityFilter.Named named, List<String> words)
      throws CommandException {
    EntityFilter choice = EntityFilter.read(named, words, session);
    if (choice.isEmpty()) {
      throw CommandException.plain(" No conditions given to remove, not executing.");
    }
    return choice;
  }

  void account(List<String> words) throws CommandException {
    EntityFilter choice = choice(EntityFilter.Named.ACCOUNT, words);
    AccountingTree tree = session.tree();
    if (choice.names.contains(AccountingTree.ROOT)) {
      session.complain(" You are not allowed to remove the root account.");
      session.complain(" Use remove cluster instead.");
      return;
    }
    TreeSet<String> gone = new TreeSet<>();
    for (Association association : tree.walk()) {
      boolean meant =
          association.user() == null
              && association.parent() != null
              && choice.takes(tree, association, session.cluster());
      if (meant) {
        report.append("  ").append(association.account()).append('\n');
        tree.walk(association.account()).forEach(below -> gone.add(below.account()));
      }
    }
    if (gone.isEmpty()) {
      nothing();
      return;
    }
    StringBuilder defaults = new StringBuilder();
    for (AccountUser user : tree.users()) {
      if (gone.contains(user.defaultAccount())) {
        defaults.append("  C = ").append(padded(session.cluster(), 15));
        defaults.append(" A = ").append(padded(user.defaultAccount(), 10));
        defaults.append(" U = ").append(padded(user.name(), 9)).append('\n');
      }
    }
    if (!defaults.isEmpty()) {
      session.complain(SacctmgrSession.ERROR + "You can not remove the default account of a user");
      session.complain(defaults.substring(0, defaults.length() - 1));
      session.complain(" Please either remove the accounts listed above from list and resubmit,");
      session.complain(" or change these users' default accounts to remove the account(s).");
      session.complain(" Changes Discarded");
      return;
    }
    for (Association association : tree.walk().reversed()) {
      if (gone.contains(association.account())) {
        changes.add(new AccountingChange.AssociationRemoved(association.id()));
      }
    }
    gone.forEach(name -> changes.add(new AccountingChange.AccountRemoved(name)));
    commit(" Deleting accounts...\n");
  }

  void user(List<String> words) throws CommandException {
    EntityFilter choice = choice(EntityFilter.Named.USER, words);
    AccountingTree tree = session.tree();
    if (!choice.wckeys.isEmpty()) {
      wckeys(tree, choice);
      return;
    }
    boolean whole = choice.accounts.isEmpty() && choice.partitions.isEmpty();
    StringBuilder placed = new StringBuilder();
    StringBuilder named = new StringBuilder();
    for (AccountUser user : tree.users()) {
      List<Association> all = tree.of(user.name());
      List<Association> gone = new ArrayList<>();
      for (Association association : all) {
        if (choice.takes(tree, association, session.cluster())) {
          gone.add(association);
        }
      }
      boolean leaves = gone.size() == all.size();
      if (!choice.takes(user) || (gone.isEmpty() && !(whole && all.isEmpty()))) {
        continue;
      }
      for (Association association : gone) {
        changes.add(new AccountingChange.AssociationRemoved(association.id()));
        placed.append("  C = ").append(padded(session.cluster(), 10)).append(" A = ");
        placed.append(padded(association.account(), 10)).append(" U = ");
        placed.append(padded(user.name(), 9));
        placed.append(association.partition() == null ? "" : " P = " + association.partition());
        placed.append('\n');
      }
      if (leaves) {
        changes.add(new AccountingChange.UserRemoved(user.name()));
        named.append("  ").append(user.name()).append('\n');
      } else {
        keepDefault(user, all, gone);
      }
    }
    if (whole) {
      report.append(named);
      commit(" Deleting users...\n");
      return;
    }
    report.append(placed);
    if (!named.isEmpty()) {
      report.append(" Deleting users (No Associations)...\n").append(named);
    }
    commit(" Deleting user associations...\n");
  }

  private void wckeys(AccountingTree tree, EntityFilter choice) throws CommandException {
    for (AccountUser user : tree.users()) {
      if (!choice.takes(user)) {
        continue;
      }
      List<Wckey> left = new ArrayList<>();
      for (Wckey key : user.wckeys()) {
        if (choice.wckeys.contains(key.name())) {
          report.append("  C = ").append(padded(session.cluster(), 10));
          report.append(" W = ").append(padded(key.name(), 20));
          report.append(" U = ").append(padded(user.name(), 9)).append('\n');
        } else {
          left.add(key);
        }
      }
      changes.add(new AccountingChange.UserSet(user.withWckeys(left)));
    }
    commit(" Deleting user WCKeys...\n");
  }

  /** A user that loses the default account gets the first that is left. */
  private void keepDefault(AccountUser user, List<Association> all, List<Association> gone) {
    List<Association> left = all.stream().filter(a -> !gone.contains(a)).toList();
    if (left.stream().noneMatch(a -> a.account().equals(user.defaultAccount()))) {
      changes.add(new AccountingChange.UserSet(user.withDefaultAccount(left.getFirst().account())));
    }
  }

  void qos(List<String> words) throws CommandException {
    EntityFilter choice = choice(EntityFilter.Named.QOS, words);
    AccountingTree tree = session.tree();
    StringBuilder defaults = new StringBuilder();
    for (Qos qos : tree.qosByNumber()) {
      if (!choice.takes(qos)) {
        continue;
      }
      changes.add(new AccountingChange.QosRemoved(qos.name()));
      report.append("  ").append(qos.name()).append('\n');
      for (Association association : tree.walk()) {
        if (qos.name().equals(association.defaultQos())) {
          defaults.append("  DefQOS = ").append(padded(qos.name(), 10)).append(" C = ");
          defaults.append(padded(session.cluster(), 10)).append(" A = ");
          defaults.append(padded(association.account(), 20));
          defaults.append(
              association.user() == null ? "" : " U = " + padded(association.user(), 9));
          defaults.append('\n');
        }
      }
    }
    if (!defaults.isEmpty()) {
      session.complain(" Associations listed below have these as their Default QOS.");
      session.complain(defaults.substring(0, defaults.length() - 1));
      session.complain(" Please either remove the qos' listed above from list and resubmit,");
      session.complain(" or change the default qos to remove the qos.");
      session.complain(" Changes Discarded");
      return;
    }
    commit(" Deleting QOS(s)...\n");
  }

  private void nothing() {
    session.print(" Nothing deleted\n");
    session.exitCode(1);
  }

  private void commit(String title) throws CommandException {
    if (changes.isEmpty()) {
      nothing();
    } else {
      session.commitAllowed(title + report, changes);
    }
  }
}
