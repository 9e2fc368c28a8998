package io.dure.surface.sacctmgr;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.Wckey;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.json.AccountingJson;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lists workload keys of users; they are added to users, and deleted from them. */
final class SacctmgrWckeys {
  private static final String USUAL = "WCKey,Cluster,User";

  private final SacctmgrSession session;
  private final List<String> names = new ArrayList<>();
  private final List<String> users = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final List<String> clusters = new ArrayList<>();
  private @Nullable String format;
  private boolean onlyDefaults;

  SacctmgrWckeys(SacctmgrSession session) {
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
      document.wckeys(rows.stream().map(row -> row.user().withWckeys(List.of(row.key()))).toList());
      return;
    }
    String cluster = session.cluster();
    List<AccountingField<Row>> all =
        List.of(
            new AccountingField<>("WCKey", List.of("wckey", "name"), 10, row -> row.key().name()),
            new AccountingField<>("Cluster", List.of("cluster"), 10, _ -> cluster),
            new AccountingField<>("User", List.of("user"), 10, row -> row.user().name()),
            new AccountingField<>("ID", List.of("id"), 6, row -> Integer.toString(row.key().id())));
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
