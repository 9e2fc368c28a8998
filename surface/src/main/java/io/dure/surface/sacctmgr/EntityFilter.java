package io.dure.surface.sacctmgr;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.federation.FederatedCluster;
import io.dure.surface.message.CommandException;
import io.dure.surface.sacctmgr.column.QosFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The conditions of {@code where}, and how the records that meet them are shown. */
final class EntityFilter {
  final List<String> names = new ArrayList<>();
  final List<String> accounts = new ArrayList<>();
  final List<String> users = new ArrayList<>();
  final List<String> partitions = new ArrayList<>();
  final List<String> clusters = new ArrayList<>();
  final List<String> parents = new ArrayList<>();
  final List<String> ids = new ArrayList<>();
  final List<String> levels = new ArrayList<>();
  final List<String> defaults = new ArrayList<>();
  private final List<String> federations = new ArrayList<>();
  final List<String> wckeys = new ArrayList<>();
  private final List<String> defaultWckeys = new ArrayList<>();
  final List<String> organizations = new ArrayList<>();
  final List<String> descriptions = new ArrayList<>();
  private final List<String> qos = new ArrayList<>();
  private final List<String> preemptModes = new ArrayList<>();
  @Nullable String format;
  boolean withAssociations;
  boolean withCoordinators;
  boolean withSubAccounts;
  boolean withoutParents;
  boolean withoutLimits;
  boolean withoutPlace;
  boolean withFederation;
  boolean inShort;
  boolean asTree;
  boolean onlyDefaults;
  boolean withDeleted;

  /** What a name alone, or {@code Names=}, names. */
  enum Named {
    ACCOUNT,
    USER,
    QOS,
    CLUSTER,
    NOTHING
  }

  private final Named named;

  EntityFilter(Named named) {
    this.named = named;
  }

  /** Reads conditions and ways of showing. */
  static EntityFilter read(Named named, List<String> words, SacctmgrSession session)
      throws CommandException {
    EntityFilter choice = new EntityFilter(named);
    boolean whole = true;
    for (String word : words) {
      if (SacctmgrSetting.isKeyword(word, "where")) {
        continue;
      }
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (!choice.take(setting)) {
        choice.complain(setting, session);
        whole = false;
      }
    }
    if (!whole) {
      throw CommandException.plain();
    }
    return choice;
  }

  private void complain(SacctmgrSetting setting, SacctmgrSession session) {
    if (named == Named.NOTHING && setting.key().isEmpty()) {
      session.error("Invalid value for AssocId (" + setting.value() + ")");
      return;
    }
    session.complain(" Unknown condition: " + setting.word());
    if (named != Named.NOTHING) {
      session.complain(" Use keyword 'set' to modify value");
    }
  }

  /** Takes in one word; false if it is no condition. */
  boolean take(SacctmgrSetting setting) {
    if (setting.key().isEmpty() && flag(setting.value().toLowerCase(Locale.ROOT))) {
      return true;
    }
    if (setting.is(3, "Format")) {
      format = setting.value();
      return true;
    }
    List<String> list = list(setting);
    if (list == null) {
      return false;
    }
    list.addAll(setting.names());
    return true;
  }

  private @Nullable List<String> list(SacctmgrSetting setting) {
    if (setting.is(4, "Names")) {
      return names;
    }
    if (named == Named.ACCOUNT && setting.isNameOr(3, "Accounts", "Acct")) {
      return names;
    }
    if (named == Named.USER && setting.isNameOr(1, "Users")) {
      return names;
    }
    if (named == Named.QOS && setting.isNameOr(3, "QOS")) {
      return names;
    }
    if (named == Named.CLUSTER && setting.isNameOr(3, "Clusters")) {
      return names;
    }
    if (named == Named.CLUSTER && setting.is(3, "Federations")) {
      return federations;
    }
    if (setting.is(3, "Accounts", "Acct")) {
      return accounts;
    }
    if (setting.is(1, "Users")) {
      return users;
    }
    if (setting.is(3, "Partitions") && !setting.key().equals("par")) {
      return partitions;
    }
    if (setting.is(1, "Clusters")) {
      return clusters;
    }
    return rarely(setting);
  }

  private @Nullable List<String> rarely(SacctmgrSetting setting) {
    if (setting.is(4, "Parents")) {
      return parents;
    }
    if (named == Named.NOTHING && setting.key().isEmpty()) {
      return setting.value().matches("\\d+(,\\d+)*") ? ids : null;
    }
    if (named != Named.QOS && setting.is(1, "QOSLevel")) {
      return qos;
    }
    if (named == Named.QOS && setting.is(8, "PreemptMode")) {
      return preemptModes;
    }
    if (setting.is(1, "IDs")) {
      return ids;
    }
    if (setting.is(2, "AdminLevels")) {
      return levels;
    }
    if (setting.is(8, "DefaultAccounts")) {
      return defaults;
    }
    if (setting.is(8, "DefaultWCKeys")) {
      return defaultWckeys;
    }
    if (named == Named.USER && setting.is(1, "WCKeys")) {
      return wckeys;
    }
    if (setting.is(1, "Organizations")) {
      return organizations;
    }
    return setting.is(3, "Descriptions") ? descriptions : null;
  }

  private boolean flag(String word) {
    switch (word) {
      case "tree" -> asTree = true;
      case "onlydefaults", "onlydef" -> onlyDefaults = true;
      case "woplimits", "woplimit", "wopl" -> {
        withoutParents = true;
        inShort = true;
      }
      case "wolimits", "wolimit", "wol" -> {
        withoutLimits = true;
        inShort = true;
      }
      case "wopinfo", "wopi" -> {
        withoutParents = true;
        withoutPlace = true;
      }
      case "withdeleted", "withd" -> withDeleted = true;
      case "withrawqos", "withrawqoslevel" -> {}
      default -> {
        return longFlag(word);
      }
    }
    return true;
  }

  private boolean longFlag(String word) {
    if (word.length() > 4 && "withassociations".startsWith(word)) {
      withAssociations = true;
    } else if (word.length() > 4 && "withcoordinators".startsWith(word)) {
      withCoordinators = true;
    } else if (word.length() > 4 && "withsubaccounts".startsWith(word)) {
      withSubAccounts = true;
    } else if (word.length() > 4 && "withfederation".startsWith(word)) {
      withFederation = true;
    } else {
      return false;
    }
    return true;
  }

  /** Whether a cluster is in a federation that is meant. */
  boolean hasFederation(FederatedCluster cluster) {
    return federations.isEmpty() || federations.contains(cluster.federation());
  }

  boolean isEmpty() {
    return names.isEmpty()
        && accounts.isEmpty()
        && users.isEmpty()
        && partitions.isEmpty()
        && clusters.isEmpty()
        && parents.isEmpty()
        && ids.isEmpty()
        && levels.isEmpty()
        && defaults.isEmpty()
        && wckeys.isEmpty()
        && federations.isEmpty()
        && defaultWckeys.isEmpty()
        && organizations.isEmpty()
        && descriptions.isEmpty()
        && qos.isEmpty()
        && preemptModes.isEmpty();
  }

  /** Whether an association is meant by account, user, partition, parent and number. */
  boolean takes(AccountingTree tree, Association association, String cluster) {
    List<String> wanted = named == Named.ACCOUNT ? names : accounts;
    List<String> whose = named == Named.USER ? names : users;
    return (clusters.isEmpty() || clusters.contains(cluster))
        && (wanted.isEmpty() || isAmong(tree, association, wanted))
        && (whose.isEmpty() || (association.user() != null && whose.contains(association.user())))
        && (partitions.isEmpty()
            || (association.partition() != null && partitions.contains(association.partition())))
        && (parents.isEmpty() || hasParent(association))
        && (ids.isEmpty() || ids.contains(Integer.toString(association.id())))
        && (qos.isEmpty() || tree.effective(association).qos().stream().anyMatch(qos::contains))
        && (!onlyDefaults || isDefault(tree, association));
  }

  /** Whether something is asked of places in the tree, not of accounts or users by themselves. */
  boolean isOfPlaces() {
    return onlyDefaults
        || named != Named.ACCOUNT && !accounts.isEmpty()
        || named != Named.USER && !users.isEmpty()
        || !partitions.isEmpty()
        || !clusters.isEmpty()
        || !parents.isEmpty()
        || !qos.isEmpty();
  }

  /** Whether an account or a user is meant that has these places. */
  boolean takesAny(AccountingTree tree, List<Association> places, String cluster) {
    return !isOfPlaces() || places.stream().anyMatch(one -> takes(tree, one, cluster));
  }

  boolean takes(Account account) {
    return isAmong(names, account.name())
        && isAmong(organizations, account.organization())
        && isAmong(descriptions, account.description());
  }

  boolean takes(AccountUser user) {
    return isAmong(names, user.name())
        && (levels.isEmpty()
            || levels.stream().anyMatch(user.adminLevel().word()::equalsIgnoreCase))
        && isAmong(defaults, user.defaultAccount())
        && (defaultWckeys.isEmpty() || defaultWckeys.contains(user.defaultWckey()))
        && (wckeys.isEmpty() || wckeys.stream().anyMatch(key -> user.wckey(key) != null));
  }

  boolean takes(Qos one) {
    return isAmong(names, one.name())
        && isAmong(ids, Integer.toString(one.id()))
        && isAmong(descriptions, one.description())
        && isAmong(preemptModes, QosFields.mode(one));
  }

  private static boolean isAmong(List<String> wanted, String value) {
    return wanted.isEmpty() || wanted.contains(value);
  }

  private boolean hasParent(Association association) {
    return association.parent() != null && parents.contains(association.parent());
  }

  private boolean isAmong(AccountingTree tree, Association association, List<String> wanted) {
    return wanted.contains(association.account())
        || (withSubAccounts
            && wanted.stream().anyMatch(above -> tree.isBelow(association.account(), above)));
  }

  private static boolean isDefault(AccountingTree tree, Association association) {
    var user = association.user() == null ? null : tree.user(association.user());
    return user != null && user.defaultAccount().equals(association.account());
  }
}
