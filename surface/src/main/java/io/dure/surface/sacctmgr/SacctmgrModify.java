package io.dure.surface.sacctmgr;

import static io.dure.surface.sacctmgr.AssociationEditor.padded;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosAccess;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Changes accounts, users, QOS. */
final class SacctmgrModify {
  private final SacctmgrSession session;
  private final List<String> problems = new ArrayList<>();
  private final List<AccountingChange> changes = new ArrayList<>();
  private final StringBuilder report = new StringBuilder();

  SacctmgrModify(SacctmgrSession session) {
    this.session = session;
  }

  /**
   * Words before and after {@code set}.
   *
   * @param where conditions
   * @param set settings
   */
  record Parts(EntityFilter where, List<SacctmgrSetting> set) {}

  Parts parts(EntityFilter.Named named, List<String> words) throws CommandException {
    List<String> where = new ArrayList<>();
    List<SacctmgrSetting> set = new ArrayList<>();
    boolean setting = false;
    for (String word : words) {
      if (SacctmgrSetting.isKeyword(word, "set")) {
        setting = true;
      } else if (SacctmgrSetting.isKeyword(word, "where")) {
        setting = false;
      } else if (setting) {
        set.add(SacctmgrSetting.of(word));
      } else {
        where.add(word);
      }
    }
    EntityFilter choice = EntityFilter.read(named, where, session);
    if (set.isEmpty()) {
      throw CommandException.plain(" You didn't give me anything to set");
    }
    return new Parts(choice, set);
  }

  /** Limits of the whole tree. */
  AssociationEditor limits(List<SacctmgrSetting> settings) throws CommandException {
    AssociationEditor edit = new AssociationEditor(session.tree(), problems);
    for (SacctmgrSetting setting : settings) {
      if (!edit.take(setting)) {
        throw unknown(setting);
      }
    }
    return edit;
  }

  private CommandException unknown(SacctmgrSetting setting) {
    if (AssociationEditor.isSaidAlone(problems)) {
      return CommandException.plain(problems.getLast());
    }
    List<StderrMessage> said = new ArrayList<>();
    problems.forEach(problem -> said.add(StderrMessage.error(problem)));
    said.add(StderrMessage.plain(" Unknown option: " + setting.word()));
    said.add(StderrMessage.plain(" Use keyword 'where' to modify condition"));
    return new CommandException(1, said);
  }

  void account(List<String> words) throws CommandException {
    Parts parts = parts(EntityFilter.Named.ACCOUNT, words);
    AccountingTree tree = session.tree();
    AssociationEditor edit = new AssociationEditor(tree, problems);
    String description = null;
    String organization = null;
    boolean cleared = false;
    for (SacctmgrSetting setting : parts.set()) {
      if (setting.is(3, "Description")) {
        description = setting.value().toLowerCase(Locale.ROOT);
      } else if (setting.is(1, "Organization")) {
        organization = setting.value().toLowerCase(Locale.ROOT);
      } else if (setting.is(3, "Parent")) {
        edit.below(setting);
      } else if (setting.is(7, "RawUsage")) {
        cleared = isZero(setting);
      } else if (!edit.take(setting)) {
        throw unknown(setting);
      }
    }
    String parent = edit.parent();
    if (parent != null && tree.account(parent) == null) {
      throw CommandException.plain(" Parent Account " + parent + " doesn't exist.");
    }
    StringBuilder named = new StringBuilder();
    StringBuilder placed = new StringBuilder();
    for (Account account : tree.accounts()) {
      Association own = tree.association(account.name(), null, null);
      if (own == null
          || account.name().equals(parent)
          || !parts.where().takes(tree, own, session.cluster())) {
        continue;
      }
      if (description != null || organization != null) {
        changes.add(
            new AccountingChange.AccountSet(
                new Account(
                    account.name(),
                    Objects.requireNonNullElse(description, account.description()),
                    Objects.requireNonNullElse(organization, account.organization()),
                    account.coordinators())));
        named.append("  ").append(account.name()).append('\n');
      }
      if (!edit.isEmpty()) {
        changes.add(new AccountingChange.AssociationSet(edit.of(own)));
        placed.append(accountLine(tree, own, edit));
      }
      if (cleared) {
        changes.add(new AccountingChange.UsageCleared(own.id()));
        placed.append(edit.isEmpty() ? accountLine(tree, own, edit) : "");
      }
    }
    if (isWithoutDefaultQos(tree)) {
      return;
    }
    report(" Modified accounts...\n", named);
    report(" Modified account associations...\n", placed);
    commit();
  }

  private void report(String title, StringBuilder lines) {
    if (!lines.isEmpty()) {
      report.append(title).append(lines);
    }
  }

  /** An account that is changed, with the users whom its limits reach. */
  String accountLine(AccountingTree tree, Association own, AssociationEditor edit)
      throws CommandException {
    StringBuilder out = new StringBuilder("  C = ").append(padded(session.cluster(), 10));
    out.append(" A = ").append(own.account());
    out.append(own.parent() == null ? "" : " of " + own.parent()).append('\n');
    if (edit.reachesUsers()) {
      List<Association> all = new ArrayList<>(tree.walk(own.account()));
      all.sort(Comparator.comparing(a -> SacctmgrShow.place(tree, a), SacctmgrShow::leftFirst));
      for (Association below : all) {
        out.append(below.user() == null ? "" : userLine(below));
      }
    }
    return out.toString();
  }

  private String userLine(Association association) throws CommandException {
    String partition = association.partition() == null ? "" : " P = " + association.partition();
    return "  C = "
        + padded(session.cluster(), 10)
        + " A = "
        + padded(association.account(), 20)
        + " U = "
        + padded(String.valueOf(association.user()), 9)
        + partition
        + "\n";
  }

  private static boolean isZero(SacctmgrSetting setting) throws CommandException {
    if (!setting.value().equals("0")) {
      throw CommandException.error("RawUsage can only be set to 0 (zero)");
    }
    return true;
  }

  private void commit() throws CommandException {
    if (changes.isEmpty()) {
      session.print(" Nothing modified\n");
      session.exitCode(1);
    } else {
      session.commitAllowed(report.toString(), changes);
    }
  }

  /** What is to be set of users themselves. */
  private static final class OfUsers {
    private @Nullable AdminLevel level;
    private @Nullable String account;
    private @Nullable String wckey;
    private @Nullable String name;
    private boolean cleared;

    boolean isSome() {
      return level != null || account != null || name != null || wckey != null;
    }

    AccountUser of(AccountUser user) {
      AccountUser next = wckey == null ? user : user.withDefaultWckey(wckey);
      return next.with()
          .name(Objects.requireNonNullElse(name, user.name()))
          .adminLevel(Objects.requireNonNullElse(level, user.adminLevel()))
          .defaultAccount(Objects.requireNonNullElse(account, user.defaultAccount()))
          .build();
    }
  }

  void user(List<String> words) throws CommandException {
    Parts parts = parts(EntityFilter.Named.USER, words);
    AccountingTree tree = session.tree();
    AssociationEditor edit = new AssociationEditor(tree, problems);
    OfUsers own = new OfUsers();
    for (SacctmgrSetting setting : parts.set()) {
      if (setting.is(2, "AdminLevel")) {
        own.level = AdminLevel.of(setting.value());
        if (own.level == null) {
          throw unknown(setting);
        }
      } else if (setting.is(8, "DefaultAccount")) {
        own.account = setting.value().toLowerCase(Locale.ROOT);
      } else if (setting.is(8, "DefaultWCKey")) {
        own.wckey = setting.value().toLowerCase(Locale.ROOT);
      } else if (setting.is(7, "NewName")) {
        own.name = setting.value().toLowerCase(Locale.ROOT);
      } else if (setting.is(7, "RawUsage")) {
        own.cleared = isZero(setting);
      } else if (!edit.take(setting)) {
        throw unknown(setting);
      }
    }
    if (own.cleared && parts.where().accounts.isEmpty()) {
      throw CommandException.error("An account must be specified");
    }
    users(tree, parts.where(), edit, own);
  }

  private void users(AccountingTree tree, EntityFilter where, AssociationEditor edit, OfUsers own)
      throws CommandException {
    List<AccountUser> meant = tree.users().stream().filter(where::takes).toList();
    if (own.isSome() && !maySet(tree, meant, own)) {
      return;
    }
    StringBuilder named = new StringBuilder();
    StringBuilder placed = new StringBuilder();
    for (AccountUser user : meant) {
      if (own.isSome()) {
        changes.add(new AccountingChange.UserSet(own.of(user)));
        named.append("  ").append(user.name()).append('\n');
      }
      for (Association association : tree.of(user.name())) {
        Association next = own.name == null ? association : association.withUser(own.name);
        if (where.takes(tree, association, session.cluster())) {
          if (!edit.isEmpty()) {
            next = edit.of(next);
            placed.append(userLine(association));
          }
          if (own.cleared) {
            changes.add(new AccountingChange.UsageCleared(association.id()));
            placed.append(edit.isEmpty() ? userLine(association) : "");
          }
        }
        if (!next.equals(association) || (!edit.isEmpty() && !placed.isEmpty())) {
          changes.add(new AccountingChange.AssociationSet(next));
        }
      }
      if (own.name != null) {
        coordinateAs(tree, user.name(), own.name);
        changes.add(new AccountingChange.UserRemoved(user.name()));
      }
    }
    if (isWithoutDefaultQos(tree)) {
      return;
    }
    report(" Modified users...\n", named);
    report(" Modified user associations...\n", placed);
    commit();
  }

  /** Who is called otherwise stays a coordinator. */
  private void coordinateAs(AccountingTree tree, String before, String name) {
    for (Account account : tree.accounts()) {
      TreeSet<String> all = new TreeSet<>(account.coordinators());
      if (all.remove(before)) {
        all.add(name);
        changes.add(new AccountingChange.AccountSet(account.coordinatedBy(List.copyOf(all))));
      }
    }
  }

  private boolean maySet(AccountingTree tree, List<AccountUser> meant, OfUsers own)
      throws CommandException {
    if (own.name != null && (meant.size() > 1 || tree.user(own.name) != null)) {
      session.complain(" Error with request: This user already exists, or more than one is meant");
      return false;
    }
    List<AccountUser> strangers =
        meant.stream()
            .filter(user ->
                own.account != null
                    && tree.of(user.name()).stream()
                        .noneMatch(a -> a.account().equals(own.account)))
            .toList();
    List<AccountUser> keyless =
        meant.stream().filter(one -> own.wckey != null && one.wckey(own.wckey) == null).toList();
    return !isStrange("account", own.account, strangers) && !isStrange("wckey", own.wckey, keyless);
  }

  /** Says whom a default does not fit; false where there is nobody. */
  private boolean isStrange(String what, @Nullable String name, List<AccountUser> strangers)
      throws CommandException {
    if (strangers.isEmpty()) {
      return false;
    }
    StringBuilder out = new StringBuilder(" Can't modify because these users aren't associated");
    out.append(" with new default ").append(what).append(" '").append(name).append("'...\n");
    for (AccountUser user : strangers) {
      out.append("  U = ").append(user.name()).append(" C = ").append(session.cluster());
      out.append('\n');
    }
    session.print(out.toString());
    session.exitCode(1);
    return true;
  }

  /** Whether the changes would part some from their default QOS, which is said then. */
  private boolean isWithoutDefaultQos(AccountingTree tree) throws CommandException {
    List<Association> barred = new ArrayList<>();
    try {
      barred.addAll(QosAccess.barred(tree, tree.with(changes), changes));
    } catch (InvalidAccountingException invalid) {
      // The controller has the whole tree, and says what is wrong with it.
      return false;
    }
    if (barred.isEmpty()) {
      return false;
    }
    session.complain(" These associations don't have access to their default qos.");
    session.complain(" Please give them access before they the default can be set to this.");
    for (Association association : barred) {
      StringBuilder line = new StringBuilder("  DefQOS = ");
      line.append(padded(String.valueOf(association.defaultQos()), 10)).append(" C = ");
      line.append(padded(session.cluster(), 10)).append(" A = ");
      line.append(padded(association.account(), 20));
      String user = association.user();
      line.append(user == null ? "" : " U = " + padded(user, 9));
      line.append(association.partition() == null ? "" : " P = " + association.partition());
      session.complain(line.toString());
    }
    session.exitCode(0);
    return true;
  }

  void qos(List<String> words) throws CommandException {
    Parts parts = parts(EntityFilter.Named.QOS, words);
    AccountingTree tree = session.tree();
    List<String> refusals = new ArrayList<>();
    QosEditor edit = new QosEditor(tree, problems, refusals);
    boolean cleared = false;
    for (SacctmgrSetting setting : parts.set()) {
      if (setting.is(7, "RawUsage")) {
        cleared = isZero(setting);
      } else if (!edit.take(setting)) {
        problems.forEach(session::error);
        refusals.forEach(session::complain);
        if (refusals.isEmpty()) {
          session.print(" Unknown option: " + setting.word() + "\n");
          session.print(" Use keyword 'where' to modify condition\n");
          session.exitCode(1);
        }
        return;
      }
    }
    StringBuilder named = new StringBuilder();
    for (Qos qos : tree.qosByNumber()) {
      if (!parts.where().takes(qos)) {
        continue;
      }
      if (!edit.isEmpty()) {
        changes.add(new AccountingChange.QosSet(edit.of(qos)));
      }
      if (cleared) {
        changes.add(new AccountingChange.QosUsageCleared(qos.name()));
      }
      named.append("  ").append(qos.name()).append('\n');
    }
    report(" Modified qos...\n", named);
    commit();
  }
}
