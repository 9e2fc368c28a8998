package io.dure.surface.sacctmgr;

import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Removes accounts, users and QOS. */
final class SacctmgrDelete {
  private static final String DENIED = "Your user doesn't have privilege to perform this action";
  private static final String ERROR = " Error with request: ";

  private final SacctmgrSession desk;
  private final List<AccountingChange> changes = new ArrayList<>();
  private final StringBuilder report = new StringBuilder();

  SacctmgrDelete(SacctmgrSession desk) {
    this.desk = desk;
  }

  private EntityFilter choice(EntityFilter.Named named, List<String> words)
      throws CommandException {
    EntityFilter choice = EntityFilter.read(named, words, desk);
    if (choice.isEmpty()) {
      throw CommandException.plain(" No conditions given to remove, not executing.");
    }
    return choice;
  }

  private static String wide(String text, int width) {
    return AssociationEditor.padded(text, width);
  }

  void account(List<String> words) throws CommandException {
    EntityFilter choice = choice(EntityFilter.Named.ACCOUNT, words);
    AccountingTree tree = desk.tree();
    if (choice.names.contains(AccountingTree.ROOT)) {
      desk.complain(" You are not allowed to remove the root account.");
      desk.complain(" Use remove cluster instead.");
      return;
    }
    TreeSet<String> gone = new TreeSet<>();
    for (Association association : tree.walk()) {
      boolean meant =
          association.user() == null
              && association.parent() != null
              && choice.takes(tree, association, desk.cluster());
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
        defaults.append("  C = ").append(wide(desk.cluster(), 15));
        defaults.append(" A = ").append(wide(user.defaultAccount(), 10));
        defaults.append(" U = ").append(wide(user.name(), 9)).append('\n');
      }
    }
    if (!defaults.isEmpty()) {
      desk.complain(ERROR + "You can not remove the default account of a user");
      desk.complain(defaults.substring(0, defaults.length() - 1));
      desk.complain(" Please either remove the accounts listed above from list and resubmit,");
      desk.complain(" or change these users' default accounts to remove the account(s).");
      desk.complain(" Changes Discarded");
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
    AccountingTree tree = desk.tree();
    boolean whole = choice.accounts.isEmpty() && choice.partitions.isEmpty();
    StringBuilder placed = new StringBuilder();
    StringBuilder named = new StringBuilder();
    for (AccountUser user : tree.users()) {
      List<Association> all = tree.of(user.name());
      List<Association> gone = new ArrayList<>();
      for (Association association : all) {
        if (choice.takes(tree, association, desk.cluster())) {
          gone.add(association);
        }
      }
      boolean leaves = gone.size() == all.size();
      if (isNotMeant(choice, user) || (gone.isEmpty() && !(whole && all.isEmpty()))) {
        continue;
      }
      for (Association association : gone) {
        changes.add(new AccountingChange.AssociationRemoved(association.id()));
        placed.append("  C = ").append(wide(desk.cluster(), 10)).append(" A = ");
        placed.append(wide(association.account(), 10)).append(" U = ");
        placed.append(wide(user.name(), 9));
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

  private static boolean isNotMeant(EntityFilter choice, AccountUser user) {
    return (!choice.names.isEmpty() && !choice.names.contains(user.name()))
        || (!choice.levels.isEmpty()
            && choice.levels.stream().noneMatch(user.adminLevel().word()::equalsIgnoreCase))
        || (!choice.defaults.isEmpty() && !choice.defaults.contains(user.defaultAccount()));
  }

  /** Who loses the default account has the first that is left. */
  private void keepDefault(AccountUser user, List<Association> all, List<Association> gone) {
    List<Association> left = all.stream().filter(a -> !gone.contains(a)).toList();
    if (left.stream().noneMatch(a -> a.account().equals(user.defaultAccount()))) {
      changes.add(
          new AccountingChange.UserSet(
              new AccountUser(user.name(), user.adminLevel(), left.getFirst().account())));
    }
  }

  void qos(List<String> words) throws CommandException {
    EntityFilter choice = choice(EntityFilter.Named.QOS, words);
    AccountingTree tree = desk.tree();
    StringBuilder defaults = new StringBuilder();
    for (Qos qos : tree.qosByNumber()) {
      boolean meant =
          (choice.names.isEmpty() || choice.names.contains(qos.name()))
              && (choice.ids.isEmpty() || choice.ids.contains(Integer.toString(qos.id())))
              && (choice.descriptions.isEmpty() || choice.descriptions.contains(qos.description()));
      if (!meant) {
        continue;
      }
      changes.add(new AccountingChange.QosRemoved(qos.name()));
      report.append("  ").append(qos.name()).append('\n');
      for (Association association : tree.walk()) {
        if (qos.name().equals(association.defaultQos())) {
          defaults.append("  DefQOS = ").append(wide(qos.name(), 10)).append(" C = ");
          defaults.append(wide(desk.cluster(), 10)).append(" A = ");
          defaults.append(wide(association.account(), 20));
          defaults.append(association.user() == null ? "" : " U = " + wide(association.user(), 9));
          defaults.append('\n');
        }
      }
    }
    if (!defaults.isEmpty()) {
      desk.complain(" Associations listed below have these as their Default QOS.");
      desk.complain(defaults.substring(0, defaults.length() - 1));
      desk.complain(" Please either remove the qos' listed above from list and resubmit,");
      desk.complain(" or change the default qos to remove the qos.");
      desk.complain(" Changes Discarded");
      return;
    }
    commit(" Deleting QOS(s)...\n");
  }

  private void nothing() {
    desk.print(" Nothing deleted\n");
    desk.exitCode(1);
  }

  private void commit(String title) throws CommandException {
    if (changes.isEmpty()) {
      nothing();
      return;
    }
    if (!desk.mayChange(changes)) {
      desk.error(DENIED);
      desk.complain(ERROR + "Access/permission denied");
      return;
    }
    desk.print(title + report);
    desk.commit(ERROR, changes);
  }
}
