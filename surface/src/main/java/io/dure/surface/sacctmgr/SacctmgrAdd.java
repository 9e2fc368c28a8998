package io.dure.surface.sacctmgr;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Adds accounts, users, QOS and coordinators. */
final class SacctmgrAdd {
  private static final String NOTHING = " Nothing new added.\n";

  private final SacctmgrSession session;
  private final List<String> problems = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> accounts = new ArrayList<>();
  private final List<String> partitions = new ArrayList<>();
  private final List<AccountingChange> changes = new ArrayList<>();
  private @Nullable String description;
  private @Nullable String organization;
  private final List<String> wckeys = new ArrayList<>();
  private @Nullable String defaultAccount;
  private @Nullable String defaultWckey;
  private @Nullable AdminLevel level;
  private boolean blank;

  SacctmgrAdd(SacctmgrSession session) {
    this.session = session;
  }

  private interface Taker {
    boolean take(SacctmgrSetting setting);
  }

  /** Reads the words; false, with all that is wrong said, if one is not understood. */
  private boolean read(List<String> words, Taker taker, String... afterwards)
      throws CommandException {
    boolean whole = true;
    for (String word : words) {
      if (SacctmgrSetting.isKeyword(word, "set") || SacctmgrSetting.isKeyword(word, "where")) {
        continue;
      }
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (!setting.is(4, "Clusters") && !taker.take(setting)) {
        if (AssociationEditor.isSaidAlone(problems)) {
          throw CommandException.plain(problems.getLast());
        }
        problems.forEach(session::error);
        problems.clear();
        session.complain(" Unknown option: " + word);
        for (String line : afterwards) {
          session.complain(line);
        }
        whole = false;
      }
    }
    return whole;
  }

  private void name(SacctmgrSetting setting) {
    names.addAll(setting.names());
    blank |= setting.value().isEmpty();
  }

  /** Whether there is none to add, or one without a name, which is said then. */
  private boolean isNameless(String entity) throws CommandException {
    if (blank) {
      session.complain(" No blank names are allowed when adding.");
      session.print(NOTHING);
      return true;
    }
    if (names.isEmpty()) {
      throw CommandException.plain(" Need name of " + entity + " to add.");
    }
    return false;
  }

  void account(List<String> words) throws CommandException {
    AccountingTree tree = session.tree();
    AssociationEditor edit = new AssociationEditor(tree, problems);
    Taker taker =
        setting -> {
          if (setting.isNameOr(3, "Accounts", "Acct") || setting.is(4, "Names")) {
            name(setting);
          } else if (setting.is(1, "Description")) {
            description = setting.value().toLowerCase(Locale.ROOT);
          } else if (setting.is(1, "Organization")) {
            organization = setting.value().toLowerCase(Locale.ROOT);
          } else if (setting.is(3, "Parent")) {
            edit.below(setting);
          } else {
            return edit.take(setting);
          }
          return true;
        };
    if (!read(words, taker, " Use keyword 'where' to modify condition")) {
      return;
    }
    if (isNameless("account")) {
      return;
    }
    accounts(tree, edit, Objects.requireNonNullElse(edit.parent(), AccountingTree.ROOT));
  }

  private void accounts(AccountingTree tree, AssociationEditor edit, String parent)
      throws CommandException {
    StringBuilder added = new StringBuilder();
    StringBuilder placed = new StringBuilder();
    int id = tree.nextAssociation();
    boolean orphaned = false;
    for (String name : new TreeSet<>(names)) {
      if (tree.association(name, null, null) != null) {
        continue;
      }
      if (tree.account(parent) == null) {
        session.complain(
            " Parent account '" + parent + "' doesn't exist on cluster " + session.cluster());
        session.complain("        Contact your admin to add this account.");
        orphaned = true;
        continue;
      }
      String usual = parent.equals(AccountingTree.ROOT) ? name : parent;
      changes.add(
          new AccountingChange.AccountSet(
              new Account(
                  name,
                  Objects.requireNonNullElse(description, name),
                  Objects.requireNonNullElse(organization, usual),
                  List.of())));
      changes.add(
          new AccountingChange.AssociationSet(edit.of(Association.ofAccount(id++, name, parent))));
      added.append("  ").append(name).append('\n');
      placed.append("  A = ").append(wide(name)).append(" C = ").append(wide(session.cluster()));
      placed.append('\n');
    }
    if (orphaned) {
      session.complain(" No associations created.");
      return;
    }
    if (!isSomething()) {
      return;
    }
    session.print(" Adding Account(s)\n" + added + " Settings\n");
    session.print("  Description     = " + Objects.requireNonNullElse(description, "Account Name"));
    session.print("\n  Organization    = ");
    session.print(Objects.requireNonNullElse(organization, "Parent/Account Name") + "\n");
    session.print(" Associations\n" + placed);
    if (!edit.isEmpty()) {
      edit.below(SacctmgrSetting.of("parent=" + parent));
      session.print(" Settings\n" + edit.settings());
    }
    session.commit(" Problem adding accounts: ", changes);
  }

  private static String wide(String name) {
    return AssociationEditor.padded(name.length() > 10 ? name.substring(0, 10) : name, 10);
  }

  private boolean isSomething() {
    if (changes.isEmpty()) {
      session.print(NOTHING);
      session.exitCode(1);
    }
    return !changes.isEmpty();
  }

  void user(List<String> words) throws CommandException {
    AccountingTree tree = session.tree();
    AssociationEditor edit = new AssociationEditor(tree, problems);
    if (!read(words, setting -> userSetting(setting, edit))) {
      return;
    }
    if (isNameless("user")) {
      return;
    }
    if (accounts.isEmpty() && defaultAccount != null) {
      accounts.add(defaultAccount);
    }
    if (defaultWckey != null && !wckeys.contains(defaultWckey)) {
      wckeys.add(defaultWckey);
    }
    if (accounts.isEmpty() && wckeys.isEmpty()) {
      throw CommandException.plain(" Need name of account to add user to.");
    }
    List<String> fresh = new ArrayList<>();
    for (String name : new TreeSet<>(names)) {
      if (tree.user(name) == null) {
        if (!isSure(name)) {
          return;
        }
        fresh.add(name);
      }
    }
    String placed = accounts.isEmpty() ? "" : place(tree, edit, fresh);
    String keys = addWckeys(tree);
    if (!isSomething()) {
      return;
    }
    if (!fresh.isEmpty()) {
      session.print(" Adding User(s)\n" + lines(fresh));
      session.print(newUsers());
    }
    session.print(placed.isEmpty() ? "" : " Associations =\n" + placed);
    session.print(keys.isEmpty() ? "" : " WCKeys =\n" + keys);
    session.print(accounts.isEmpty() ? "" : " Non Default Settings\n" + edit.settings());
    session.commit(" Problem adding users: ", changes);
  }

  /** Gives the users workload keys that they lack. */
  private String addWckeys(AccountingTree tree) throws CommandException {
    StringBuilder out = new StringBuilder();
    int id = tree.nextWckey();
    for (String name : wckeys.isEmpty() ? List.<String>of() : new TreeSet<>(names)) {
      AccountUser user = changed(tree, name);
      AccountUser before = user;
      for (String key : wckeys) {
        if (user.wckey(key) == null) {
          user = user.withWckey(id++, key);
          out.append("  U = ").append(AssociationEditor.padded(name, 9));
          out.append(" W = ").append(wide(key));
          out.append(" C = ").append(wide(session.cluster())).append('\n');
        }
      }
      if (defaultWckey != null) {
        user = user.withDefaultWckey(defaultWckey);
      }
      if (!user.equals(before)) {
        changes.removeIf(one ->
            one instanceof AccountingChange.UserSet(AccountUser same) && same.name().equals(name));
        changes.addFirst(new AccountingChange.UserSet(user));
      }
    }
    return out.toString();
  }

  /** A user as the changes so far make it; a new one without accounts if there is none. */
  private AccountUser changed(AccountingTree tree, String name) {
    for (AccountingChange change : changes) {
      if (change instanceof AccountingChange.UserSet(AccountUser next)
          && next.name().equals(name)) {
        return next;
      }
    }
    AccountUser known = tree.user(name);
    AdminLevel next = Objects.requireNonNullElse(level, AdminLevel.NONE);
    return known == null ? new AccountUser(name, next, "") : known;
  }

  private boolean userSetting(SacctmgrSetting setting, AssociationEditor edit) {
    if (setting.isNameOr(1, "Users") || setting.is(4, "Names")) {
      name(setting);
    } else if (setting.is(2, "Accounts", "Acct")) {
      accounts.addAll(setting.names());
    } else if (setting.is(2, "AdminLevel")) {
      level = AdminLevel.of(setting.value());
      return level != null;
    } else if (setting.is(8, "DefaultAccount")) {
      defaultAccount = setting.value().toLowerCase(Locale.ROOT);
    } else if (setting.is(8, "DefaultWCKey")) {
      defaultWckey = setting.value().toLowerCase(Locale.ROOT);
    } else if (setting.is(1, "WCKeys")) {
      wckeys.addAll(setting.names());
    } else if (setting.is(3, "Partitions")) {
      partitions.addAll(setting.names());
    } else {
      return edit.take(setting);
    }
    return true;
  }

  /** Slurm asks about users that the machine does not know. */
  private boolean isSure(String name) throws CommandException {
    if (session.port().knowsUser(name)) {
      return true;
    }
    return session.agrees(
        "There is no uid for user '"
            + name
            + "'\nAre you sure you want to continue? (You have 30 seconds to decide)\n(N/y): ");
  }

  private String newUsers() {
    StringBuilder out = new StringBuilder();
    if (defaultAccount != null) {
      out.append("  Default Account = ").append(defaultAccount).append('\n');
    }
    if (defaultWckey != null) {
      out.append("  Default WCKey   = ").append(defaultWckey).append('\n');
    }
    if (level != null) {
      out.append("  Admin Level     = ").append(level.word()).append('\n');
    }
    return out.isEmpty() ? "" : " Settings =\n" + out;
  }

  private static String lines(List<String> names) {
    StringBuilder out = new StringBuilder();
    names.forEach(name -> out.append("  ").append(name).append('\n'));
    return out.toString();
  }

  /** Gathers the associations that are new, with their users before them. */
  private String place(AccountingTree tree, AssociationEditor edit, List<String> fresh)
      throws CommandException {
    List<String> known = new ArrayList<>();
    for (String account : accounts) {
      if (tree.association(account, null, null) == null) {
        session.complain(" This account '" + account + "' doesn't exist.");
        session.complain("        Contact your admin to add this account.");
      } else if (!known.contains(account)) {
        known.add(account);
      }
    }
    if (known.isEmpty()) {
      return "";
    }
    StringBuilder placed = new StringBuilder();
    int id = tree.nextAssociation();
    for (String name : new TreeSet<>(names)) {
      boolean named = defaultAccount != null && known.contains(defaultAccount);
      AccountUser before = tree.user(name);
      String chosen = named ? String.valueOf(defaultAccount) : known.getFirst();
      if (fresh.contains(name) || (before != null && tree.of(name).isEmpty())) {
        AdminLevel own = before == null ? AdminLevel.NONE : before.adminLevel();
        AdminLevel next = Objects.requireNonNullElse(level, own);
        AccountUser placedUser =
            before == null
                ? new AccountUser(name, next, chosen)
                : before.with().adminLevel(next).defaultAccount(chosen).build();
        changes.add(new AccountingChange.UserSet(placedUser));
      } else if (named && before != null) {
        changes.add(new AccountingChange.UserSet(before.withDefaultAccount(chosen)));
      }
      for (String account : known) {
        for (@Nullable String partition : partitionsOrAll()) {
          if (tree.association(account, name, partition) != null) {
            continue;
          }
          changes.add(
              new AccountingChange.AssociationSet(
                  edit.of(Association.ofUser(id++, account, name, partition))));
          placed.append("  U = ").append(AssociationEditor.padded(name, 9));
          placed.append(" A = ").append(wide(account));
          placed.append(" C = ").append(wide(session.cluster()));
          placed.append(partition == null ? "" : " P = " + wide(partition)).append('\n');
        }
      }
    }
    if (placed.isEmpty()) {
      changes.clear();
    }
    return placed.toString();
  }

  private List<@Nullable String> partitionsOrAll() {
    List<@Nullable String> all = new ArrayList<>(partitions);
    if (all.isEmpty()) {
      all.add(null);
    }
    return all;
  }

  void qos(List<String> words) throws CommandException {
    AccountingTree tree = session.tree();
    List<String> refusals = new ArrayList<>();
    QosEditor edit = new QosEditor(tree, problems, refusals);
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (SacctmgrSetting.isKeyword(word, "set")) {
        continue;
      }
      if (setting.isNameOr(3, "QOS") || setting.is(4, "Names")) {
        name(setting);
      } else if (!setting.is(4, "Clusters") && !edit.take(setting)) {
        refuse(word, problems, refusals);
        return;
      }
    }
    if (isNameless("qos")) {
      return;
    }
    List<String> fresh = new ArrayList<>();
    int id = tree.nextQos();
    for (String name : new TreeSet<>(names)) {
      if (tree.qos(name) == null) {
        String text = Objects.requireNonNullElse(edit.description(), name);
        changes.add(new AccountingChange.QosSet(edit.of(Qos.plain(id++, name, text))));
        fresh.add(name);
      }
    }
    if (!isSomething()) {
      return;
    }
    String text = Objects.requireNonNullElse(edit.description(), fresh.getFirst());
    session.print(" Adding QOS(s)\n" + lines(fresh) + " Settings\n");
    session.print("  Description    = " + text + "\n" + edit.settings());
    session.commit(" Problem adding QOS: ", changes);
  }

  private void refuse(String word, List<String> said, List<String> refusals) {
    said.forEach(session::error);
    refusals.forEach(session::complain);
    if (said.isEmpty() && refusals.isEmpty()) {
      session.complain(" Unknown option: " + word);
    }
  }

  /** Adds coordinators, or takes them away. */
  void coordinator(List<String> words, boolean adding) throws CommandException {
    AccountingTree tree = session.tree();
    Taker taker =
        setting -> {
          if (setting.isNameOr(1, "Users") || setting.is(4, "Names")) {
            names.addAll(setting.names());
            return true;
          }
          return setting.is(2, "Accounts", "Acct") && accounts.addAll(setting.names());
        };
    if (!read(words, taker)) {
      return;
    }
    boolean known = true;
    for (String name : names) {
      if (tree.user(name) == null) {
        session.complain(" You specified a non-existent user '" + name + "'.");
        known = false;
      }
    }
    for (String account : accounts) {
      if (tree.account(account) == null) {
        session.complain(" You specified a non-existent account '" + account + "'.");
        known = false;
      }
    }
    if (!known) {
      return;
    }
    if (accounts.isEmpty() || (adding && names.isEmpty())) {
      throw CommandException.plain(
          accounts.isEmpty()
              ? " You need to specify a list of accounts here."
              : " You need to specify a user list here.");
    }
    coordinate(tree, adding);
  }

  private void coordinate(AccountingTree tree, boolean adding) throws CommandException {
    for (String name : accounts) {
      Account account = Objects.requireNonNull(tree.account(name));
      TreeSet<String> next = new TreeSet<>(account.coordinators());
      boolean changed =
          adding ? next.addAll(names) : names.isEmpty() ? !next.isEmpty() : next.removeAll(names);
      if (!adding && names.isEmpty()) {
        next.clear();
      }
      if (changed) {
        changes.add(new AccountingChange.AccountSet(account.coordinatedBy(List.copyOf(next))));
      }
    }
    if (adding) {
      session.print(" Adding Coordinator User(s)\n" + lines(names));
      session.print(" To Account(s) and all sub-accounts\n" + lines(accounts));
    } else {
      session.print(" Removing Coordinators with user name\n" + lines(names));
      session.print(" From Account(s)\n" + lines(accounts));
    }
    if (changes.isEmpty()) {
      session.print(adding ? NOTHING : " Nothing removed\n");
      session.exitCode(1);
      return;
    }
    session.commit(
        adding ? " Problem adding coordinator: " : " Problem removing coordinator: ", changes);
  }
}
