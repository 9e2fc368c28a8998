package io.dure.surface.sacctmgr;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingNames;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Wckey;
import io.dure.surface.message.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a file that holds a tree: what is new is added, what differs is changed. */
final class SacctmgrLoad {
  private static final int MOST_BYTES = 64 << 20;
  private static final String ALONE =
      " No parent given creating off root, If incorrect specify 'Parent - name' before any children"
          + " in your file";

  private final SacctmgrSession session;
  private final List<AccountingChange> changes = new ArrayList<>();
  private final LinkedHashSet<String> accounts = new LinkedHashSet<>();
  private final LinkedHashSet<String> users = new LinkedHashSet<>();

  /** Who is to coordinate which account, and the line that says so. */
  private final TreeMap<String, TreeMap<String, Integer>> coordinators = new TreeMap<>();

  private final TreeMap<String, DefaultPlace> defaults = new TreeMap<>();
  private AccountingTree before = AccountingTree.initial();
  private static final Pattern CLUSTER_LINE = Pattern.compile("Cluster - '([^']*)'");

  private AccountingTree tree = AccountingTree.initial();
  private @Nullable String cluster;
  private @Nullable String parent;

  /** The account that a user is to have as the default, and the line that says so. */
  private record DefaultPlace(String account, int line) {}

  /** The line that is read, from 1; 0 before the first and after the last. */
  private int line;

  SacctmgrLoad(SacctmgrSession session) {
    this.session = session;
  }

  void run(List<String> words) throws CommandException {
    String file = null;
    String named = null;
    boolean clean = false;
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (setting.key().isEmpty() && setting.value().equalsIgnoreCase("clean")) {
        clean = true;
      } else if (setting.isNameOr(1, "File")) {
        file = setting.value();
      } else if (setting.is(1, "Cluster")) {
        named = setting.value().toLowerCase(Locale.ROOT);
      } else {
        throw CommandException.plain(" Unknown option: " + word);
      }
    }
    if (file == null) {
      throw CommandException.plain(" No filename given, specify one with file=''");
    }
    List<String> lines = lines(file);
    goToCluster(lines, named);
    before = session.tree();
    if (!session.isAdministrator()) {
      throw CommandException.plain(" Your user does not have sufficient privileges to load files.");
    }
    tree = before;
    if (clean) {
      empty();
    }
    read(lines, named);
    finish();
  }

  private List<String> lines(String file) throws CommandException {
    try (InputStream in = session.port().read(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw CommandException.error(
            file + " has more than " + (MOST_BYTES >> 20) + " MiB; load it in parts");
      }
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw CommandException.plain(" Unable to read \"" + file + "\": No such file or directory");
    }
  }

  /** Goes to the cluster that is named, or that the file is of, if its accounts are here. */
  private void goToCluster(List<String> lines, @Nullable String named) throws CommandException {
    if (named != null) {
      session.goTo(named);
      return;
    }
    for (String text : lines) {
      Matcher line = CLUSTER_LINE.matcher(text);
      if (line.lookingAt()) {
        session.goTo(line.group(1));
        return;
      }
    }
  }

  /** Takes all away but root, so that what the file lacks is gone. */
  private void empty() throws CommandException {
    List<AccountingChange> gone = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Association association : tree.walk().reversed()) {
      boolean root = association.account().equals(AccountingTree.ROOT);
      if (!root || (association.user() != null && !association.user().equals("root"))) {
        gone.add(new AccountingChange.AssociationRemoved(association.id()));
        if (association.user() == null) {
          names.add(association.account());
        }
      }
    }
    names.forEach(name -> gone.add(new AccountingChange.AccountRemoved(name)));
    for (AccountUser user : tree.users()) {
      boolean stays = user.name().equals("root") && tree.association("root", "root", null) != null;
      gone.add(
          stays
              ? new AccountingChange.UserSet(user.withDefaultAccount(AccountingTree.ROOT))
              : new AccountingChange.UserRemoved(user.name()));
    }
    grow(gone);
  }

  private void grow(List<AccountingChange> more) throws CommandException {
    try {
      AccountingNames.check(tree, more);
      tree = tree.with(more);
    } catch (InvalidAccountingException invalid) {
      String why = " Problem with requests: " + invalid.text();
      throw line == 0 ? CommandException.plain(why) : problem(line, why);
    }
    changes.addAll(more);
  }

  private static CommandException problem(int line, String why) {
    return CommandException.plain(" Problem with line(" + line + ")", why);
  }

  private void read(List<String> lines, @Nullable String named) throws CommandException {
    for (int i = 0; i < lines.size(); i++) {
      line = i + 1;
      String text = lines.get(i).strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      int dash = text.indexOf('-');
      List<String> parts = dash < 0 ? List.of() : parts(text.substring(dash + 1));
      String kind = dash < 0 ? text : text.substring(0, dash).strip();
      if (cluster == null && !kind.equalsIgnoreCase("Cluster")) {
        session.complain(
            " You need to specify a cluster name first with 'Cluster - $NAME' in your file");
        throw nothing();
      }
      if (parts.isEmpty()) {
        throw malformed(text);
      }
      String name = parts.getFirst().toLowerCase(Locale.ROOT);
      List<String> rest = parts.subList(1, parts.size());
      switch (kind.toLowerCase(Locale.ROOT)) {
        case "machine", "cluster" -> cluster(named == null ? name : named, rest);
        case "parent" -> parent(name);
        case "project", "account" -> account(name, rest);
        case "user" -> user(name, rest);
        default -> throw malformed(text);
      }
    }
    line = 0;
    if (cluster == null) {
      throw nothing();
    }
  }

  private CommandException nothing() {
    session.print(" Nothing new added.\n");
    return CommandException.plain();
  }

  private CommandException malformed(String text) {
    if (parent == null) {
      session.print(ALONE + "\n");
    }
    return CommandException.plain(
        " Misformatted line(" + line + "): " + text + "\n",
        " Problem with requests: Unspecified error");
  }

  /** The parts between colons; quotes keep a part together, and the blanks in them. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int kept = 0;
    char quote = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ':';
      if (i == text.length() || (quote == 0 && c == ':')) {
        parts.add(part.substring(0, kept));
        part.setLength(0);
        kept = 0;
      } else if (quote == 0 ? c == '\'' || c == '"' : c == quote) {
        quote = quote == 0 ? c : 0;
        kept = part.length();
      } else if (quote != 0 || !part.isEmpty() || !Character.isWhitespace(c)) {
        part.append(c);
        kept = quote != 0 || !Character.isWhitespace(c) ? part.length() : kept;
      }
    }
    return parts.getFirst().isEmpty() ? List.of() : parts;
  }

  private void cluster(String name, List<String> settings) throws CommandException {
    if (!name.equals(session.cluster())) {
      throw problem(line, " There is no cluster '" + name + "' here");
    }
    cluster = name;
    session.print("For cluster " + name + "\n");
    Association root = Objects.requireNonNull(tree.association(AccountingTree.ROOT, null, null));
    Association next = edited(root, settings, _ -> false);
    if (!next.equals(root)) {
      grow(List.of(new AccountingChange.AssociationSet(next)));
    }
  }

  private void parent(String name) throws CommandException {
    if (tree.association(name, null, null) == null) {
      session.complain(
          " line("
              + line
              + ") You need to add this parent ("
              + name
              + ") as a child before you can add children to it.");
      throw nothing();
    }
    parent = name;
  }

  private String parentOrRoot() {
    if (parent == null) {
      session.print(ALONE + "\n");
      parent = AccountingTree.ROOT;
    }
    return parent;
  }

  private interface Other {
    boolean take(SacctmgrSetting setting);
  }

  private Association edited(Association from, List<String> words, Other other)
      throws CommandException {
    List<String> problems = new ArrayList<>();
    AssociationEditor edit = new AssociationEditor(tree, problems);
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.unquoted(word);
      if (!other.take(setting) && !edit.take(setting)) {
        problems.forEach(session::error);
        session.complain(" Unknown option: " + word);
        session.complain(" Problem with line(" + line + ")");
        throw CommandException.plain(" Problem with requests: Unspecified error");
      }
    }
    return edit.of(from);
  }

  private void account(String name, List<String> words) throws CommandException {
    String above = parentOrRoot();
    Association known = tree.association(name, null, null);
    String[] about = {name, name};
    Association from =
        known == null
            ? Association.ofAccount(tree.nextAssociation(), name, above)
            : known.parent() == null ? known : known.withParent(above);
    Association next =
        edited(
            from,
            words,
            setting -> {
              boolean description = setting.is(3, "Description");
              boolean organization = setting.is(3, "Organization");
              if (description || organization) {
                about[description ? 0 : 1] = setting.value().toLowerCase(Locale.ROOT);
              }
              return description || organization;
            });
    List<AccountingChange> more = new ArrayList<>();
    Account before = tree.account(name);
    List<String> lead = before == null ? List.of() : before.coordinators();
    Account account = new Account(name, about[0], about[1], lead);
    if (!account.equals(before)) {
      more.add(new AccountingChange.AccountSet(account));
    }
    if (!next.equals(known)) {
      more.add(new AccountingChange.AssociationSet(next));
    }
    if (known == null) {
      accounts.add(name);
    }
    grow(more);
  }

  private void user(String name, List<String> words) throws CommandException {
    String above = parentOrRoot();
    AccountUser known = tree.user(name);
    AccountUser[] next = {known == null ? new AccountUser(name, AdminLevel.NONE, above) : known};
    String[] partition = {null};
    Other own =
        setting -> {
          if (setting.is(3, "Partition")) {
            partition[0] = setting.value();
            return true;
          }
          AccountUser user = described(next[0], setting);
          next[0] = Objects.requireNonNullElse(user, next[0]);
          return user != null;
        };
    Association blank = Association.ofUser(0, above, name, null);
    Association asked = edited(blank, words, own);
    Association there = tree.association(above, name, partition[0]);
    Association from =
        there != null
            ? there
            : Association.ofUser(tree.nextAssociation(), above, name, partition[0]);
    Association placed = edited(from, words, own);
    List<AccountingChange> more = new ArrayList<>();
    boolean first = tree.of(name).isEmpty();
    // The default account may come further below: until then it is the first.
    AccountUser user = next[0];
    boolean has =
        user.defaultAccount().equals(above)
            || tree.of(name).stream().anyMatch(a -> a.account().equals(user.defaultAccount()));
    AccountUser kept =
        has
            ? user
            : user.withDefaultAccount(first || known == null ? above : known.defaultAccount());
    if (!kept.equals(known)) {
      more.add(new AccountingChange.UserSet(kept));
    }
    if (!placed.equals(there) && asked.user() != null) {
      more.add(new AccountingChange.AssociationSet(placed));
    }
    if (known == null) {
      users.add(name);
    }
    grow(more);
  }

  /** A user with what a setting says of it; null if that is nothing about users. */
  private @Nullable AccountUser described(AccountUser user, SacctmgrSetting setting) {
    String value = setting.value().toLowerCase(Locale.ROOT);
    if (setting.is(8, "DefaultAccount")) {
      if (!value.isEmpty()) {
        defaults.put(user.name(), new DefaultPlace(value, line));
      }
      return user.withDefaultAccount(value);
    }
    if (setting.is(8, "DefaultWCKey")) {
      return withWckeys(user, List.of(value)).withDefaultWckey(value);
    }
    if (setting.is(1, "WCKeys")) {
      return withWckeys(user, setting.names());
    }
    if (setting.is(2, "AdminLevel")) {
      AdminLevel level = AdminLevel.of(value);
      return level == null ? null : user.withAdminLevel(level);
    }
    if (setting.is(2, "Coordinator")) {
      for (String account : setting.names()) {
        coordinators.computeIfAbsent(account, _ -> new TreeMap<>()).put(user.name(), line);
      }
      return user;
    }
    return null;
  }

  private String newWckeys(AccountUser user) {
    AccountUser known = before.user(user.name());
    List<String> added =
        user.wckeys().stream()
            .map(Wckey::name)
            .filter(key -> known == null || known.wckey(key) == null)
            .toList();
    if (added.isEmpty()) {
      return "";
    }
    return known == null
        ? " Adding WCKey(s) '%s' for user '%s'\n".formatted(String.join("', '", added), user.name())
        : " Adding WCKey '%s' to User '%s'\n".formatted(String.join("', '", added), user.name());
  }

  private AccountUser withWckeys(AccountUser user, List<String> keys) {
    AccountUser next = user;
    for (String key : keys) {
      if (next.wckey(key) == null) {
        int last = next.wckeys().stream().mapToInt(Wckey::id).max().orElse(0);
        List<Wckey> more = new ArrayList<>(next.wckeys());
        more.add(new Wckey(Math.max(tree.nextWckey(), last + 1), key, false));
        next = next.withWckeys(more);
      }
    }
    return next;
  }

  /** Gives users the default accounts that lines name, now that all places are known. */
  private void setDefaults() throws CommandException {
    for (var entry : defaults.entrySet()) {
      String name = entry.getKey();
      String account = entry.getValue().account();
      if (tree.of(name).stream().noneMatch(one -> one.account().equals(account))) {
        throw problem(
            entry.getValue().line(),
            " User '" + name + "' is not in its default account '" + account + "'");
      }
      AccountUser user = Objects.requireNonNull(tree.user(name));
      if (!user.defaultAccount().equals(account)) {
        grow(List.of(new AccountingChange.UserSet(user.withDefaultAccount(account))));
      }
    }
  }

  /** Makes coordinators of users; the accounts that each gets, by user. */
  private Map<String, List<String>> lead() throws CommandException {
    TreeMap<String, List<String>> leading = new TreeMap<>();
    for (var entry : coordinators.entrySet()) {
      Account account = tree.account(entry.getKey());
      if (account == null) {
        throw problem(
            entry.getValue().firstEntry().getValue(),
            " This account '" + entry.getKey() + "' doesn't exist, and has no coordinators");
      }
      TreeSet<String> all = new TreeSet<>(account.coordinators());
      for (String user : entry.getValue().keySet()) {
        if (all.add(user)) {
          leading.computeIfAbsent(user, _ -> new ArrayList<>()).add(account.name());
        }
      }
      if (all.size() > account.coordinators().size()) {
        grow(List.of(new AccountingChange.AccountSet(account.coordinatedBy(List.copyOf(all)))));
      }
    }
    return leading;
  }

  private void finish() throws CommandException {
    setDefaults();
    Map<String, List<String>> leading = lead();
    if (changes.isEmpty()) {
      session.print(" Nothing new added.\n");
      return;
    }
    leading.forEach((user, names) ->
        session.print(
            " Making User '%s' coordinator for account(s) %s\n"
                .formatted(user, String.join(",", names))));
    tree.users().forEach(user -> session.print(newWckeys(user)));
    session.print(new SacctmgrLoadReport(before, tree).text(accounts, users));
    session.commit(" Problem with requests: ", changes);
  }
}
