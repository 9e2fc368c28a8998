package io.dure.surface.sacctmgr;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.accounts.AmountFormat;
import io.dure.surface.sacctmgr.column.AccountingTreeFields;
import io.dure.surface.sacctmgr.column.AccountingTreeRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * What a loaded file adds and changes.
 *
 * @param before the tree as it is
 * @param after the tree as it would be
 */
record SacctmgrLoadReport(AccountingTree before, AccountingTree after) {
  private static final String SHORT = "-".repeat(51) + "\n\n";
  private static final String LONG = "-".repeat(62) + "\n\n";

  private static final String LIMITS =
      "share,grptresmins,grptresrunmins,grptres,grpjobs,grpjobsaccrue,grpmemory,grpnodes,"
          + "grpsubmitjobs,grpwall,maxtresmins,maxtres,maxtrespernode,maxjobs,maxsubmitjobs,"
          + "maxnodesperjob,maxwall,qos,defaultqos";

  String text(SequencedSet<String> accounts, SequencedSet<String> users) {
    StringBuilder out = new StringBuilder();
    List<Association> ofAccounts = new ArrayList<>();
    List<Association> ofUsers = new ArrayList<>();
    for (Association next : after.walk()) {
      Association known = before.association(next.account(), next.user(), next.partition());
      if (known != null) {
        changed(out, known, next);
      } else if (next.user() == null) {
        ofAccounts.add(next);
      } else {
        ofUsers.add(next);
      }
    }
    // As the file has them.
    ofAccounts.sort(Comparator.comparingInt(Association::id));
    ofUsers.sort(Comparator.comparingInt(Association::id));
    if (!accounts.isEmpty()) {
      out.append("Accounts\n").append(accounts(accounts)).append(SHORT);
    }
    if (!ofAccounts.isEmpty()) {
      out.append("Account Associations\n");
      out.append(places("account,parentname," + LIMITS, ofAccounts)).append(LONG);
    }
    if (!users.isEmpty()) {
      out.append("Users\n").append(users(users)).append(SHORT);
    }
    if (!ofUsers.isEmpty()) {
      out.append("User Associations\n");
      out.append(places("user,account," + LIMITS, ofUsers)).append(LONG);
    }
    return out.toString();
  }

  private static void changed(StringBuilder out, Association known, Association next) {
    line(out, "parent", next, known.parent(), next.parent());
    for (LimitKind limit : LimitKind.values()) {
      line(
          out,
          limit.word(),
          next,
          AmountFormat.text(known.limits(), limit),
          AmountFormat.text(next.limits(), limit));
    }
    line(out, "fairshare", next, known.shares(), next.shares());
    line(out, "priority", next, known.priority(), next.priority());
    line(out, "QOS", next, String.join(",", known.qos()), String.join(",", next.qos()));
    line(out, "DefaultQOS", next, known.defaultQos(), next.defaultQos());
  }

  private static void line(
      StringBuilder out,
      String what,
      Association where,
      @Nullable Object from,
      @Nullable Object to) {
    if (Objects.equals(from, to)) {
      return;
    }
    String kind = where.user() == null ? "Account" : "User";
    String name = where.user() == null ? where.account() : where.user();
    out.append(" Changed ").append(AssociationEditor.padded(what, 21)).append(" for ");
    out.append(AssociationEditor.padded(kind, 7)).append(' ');
    out.append(AssociationEditor.padded(name, 10)).append(' ');
    String old = shown(from);
    out.append(" ".repeat(Math.max(0, 8 - old.length()))).append(old);
    out.append(" -> ").append(shown(to)).append('\n');
  }

  private static String shown(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    return text.isEmpty() ? "-1" : text;
  }

  private static AccountingTable table() {
    return new AccountingTable(AccountingTable.Style.COLUMNS, true);
  }

  private String accounts(SequencedSet<String> names) {
    List<Account> rows = new ArrayList<>();
    for (String name : names) {
      Account account = after.account(name);
      if (account != null) {
        rows.add(account);
      }
    }
    return table()
        .text(
            List.of(
                new AccountingField<>("Name", List.of(), 10, Account::name),
                new AccountingField<>("Descr", List.of(), 20, Account::description),
                new AccountingField<>("Org", List.of(), 20, Account::organization),
                new AccountingField<>("QOS", List.of(), 20, _ -> "")),
            rows);
  }

  private String users(SequencedSet<String> names) {
    List<AccountUser> rows = new ArrayList<>();
    for (String name : names) {
      AccountUser user = after.user(name);
      if (user != null) {
        rows.add(user);
      }
    }
    return table()
        .text(
            List.of(
                new AccountingField<>("Name", List.of(), 10, AccountUser::name),
                new AccountingField<>("Def Acct", List.of(), 10, AccountUser::defaultAccount),
                new AccountingField<>(
                    "Def WCKey",
                    List.of(),
                    10,
                    user -> Objects.requireNonNullElse(user.defaultWckey(), "")),
                new AccountingField<>("QOS", List.of(), 20, _ -> ""),
                new AccountingField<>("Admin", List.of(), 9, SacctmgrLoadReport::level),
                new AccountingField<>("Coord Accounts", List.of(), 20, _ -> "")),
            rows);
  }

  private static String level(AccountUser user) {
    return switch (user.adminLevel()) {
      case NONE -> "Not Set";
      case OPERATOR, ADMINISTRATOR -> user.adminLevel().word();
    };
  }

  private static String places(String format, List<Association> associations) {
    List<String> unknown = new ArrayList<>();
    List<AccountingField<AccountingTreeRow>> fields =
        Objects.requireNonNull(AccountingField.parse(AccountingTreeFields.ALL, format, unknown));
    List<AccountingTreeRow> rows = new ArrayList<>();
    for (Association association : associations) {
      rows.add(new AccountingTreeRow(null, null, association, ""));
    }
    return table().text(fields, rows);
  }
}
