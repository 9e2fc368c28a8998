package io.dure.cluster.record;

import io.dure.cluster.Event;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.ServerResource;
import io.dure.model.accounting.Wckey;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.federation.FederatedCluster;
import io.dure.model.federation.Federations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The records of changes of the accounts: who did what to what, and what it is since. */
final class AccountsRecorder {
  private final AccountingTree before;

  private AccountsRecorder(AccountingTree before) {
    this.before = before;
  }

  /** What a change is called, and what it says. */
  private record Words(String action, String where, String info) {}

  static void record(
      AccountingTree before, Event.AccountingChanged event, List<AccountingRecord> records) {
    AccountsRecorder recorder = new AccountsRecorder(before);
    String actor = Objects.requireNonNullElse(event.actor(), "");
    for (AccountingChange change : event.changes()) {
      List<Words> all = new ArrayList<>(List.of(recorder.words(change)));
      if (change instanceof AccountingChange.UserSet(AccountUser next)) {
        recorder.addWckeys(next, all);
      }
      if (change instanceof AccountingChange.FederationsSet(Federations next)) {
        all = recorder.federations(next);
      }
      for (Words words : all) {
        records.add(
            new AccountingRecord.AccountsChange(
                event.at(), actor, words.action(), words.where(), words.info()));
      }
    }
  }

  private Words words(AccountingChange change) {
    return switch (change) {
      case AccountingChange.AccountSet(Account next) -> account(next);
      case AccountingChange.AccountRemoved(String name) ->
          new Words("Remove Accounts", name(name), "");
      case AccountingChange.UserSet(AccountUser next) -> {
        AccountUser known = before.user(next.name());
        yield known == null
            ? new Words("Add Users", next.name(), changed(none(), of(next)))
            : new Words("Modify Users", name(next.name()), changed(of(known), of(next)));
      }
      case AccountingChange.UserRemoved(String name) -> new Words("Remove Users", name(name), "");
      case AccountingChange.AssociationSet(Association next) -> {
        Association known = before.associations().get(next.id());
        yield known == null
            ? new Words("Add Associations", id(next.id()), place(next) + limits(none(), next))
            : new Words(
                "Modify Associations", id(next.id()), place(next) + limits(of(known), next));
      }
      case AccountingChange.AssociationRemoved(int id) -> {
        Association known = before.associations().get(id);
        yield new Words("Remove Associations", id(id), known == null ? "" : place(known));
      }
      case AccountingChange.QosSet(Qos next) -> {
        Qos known = before.qos(next.name());
        yield known == null
            ? new Words("Add QOS", next.name(), changed(none(), of(next)))
            : new Words("Modify QOS", name(next.name()), changed(of(known), of(next)));
      }
      case AccountingChange.QosRemoved(String name) -> new Words("Remove QOS", name(name), "");
      case AccountingChange.ResourceSet(ServerResource next) -> {
        ServerResource known = before.resource(next.place());
        yield known == null
            ? new Words("Add Resources", Integer.toString(next.id()), changed(none(), of(next)))
            : new Words("Modify Resources", "id='" + next.id() + "'", changed(of(known), of(next)));
      }
      case AccountingChange.ResourceRemoved(String place) -> {
        ServerResource known = before.resource(place);
        String where = known == null ? place : "id='" + known.id() + "'";
        yield new Words("Remove Resources", where, "");
      }
      case AccountingChange.FederationsSet _ -> new Words("Modify Federations", "", "");
      case AccountingChange.UsageCleared(int id) ->
          new Words("Modify Associations", id(id), "raw_usage=0");
      case AccountingChange.QosUsageCleared(String name) ->
          new Words("Modify QOS", name(name), "raw_usage=0");
    };
  }

  /** Adds what became of workload keys; where that is all, nothing is said of the user. */
  private void addWckeys(AccountUser next, List<Words> all) {
    AccountUser known = before.user(next.name());
    List<Wckey> had = known == null ? List.of() : known.wckeys();
    if (known != null && !had.equals(next.wckeys()) && next.withWckeys(had).equals(known)) {
      all.clear();
    }
    for (Wckey one : had) {
      if (next.wckey(one.name()) == null) {
        all.add(new Words("Remove WCKeys", wckey(one), ""));
      }
    }
    for (Wckey one : next.wckeys()) {
      Wckey old = known == null ? null : known.wckey(one.name());
      if (old == null) {
        String what = "user='" + next.name() + "', wckey_name='" + one.name() + "'";
        all.add(new Words("Add WCKeys", wckey(one), what + ", is_def=" + (one.usual() ? 1 : 0)));
      } else if (one.usual() && !old.usual()) {
        all.add(new Words("Modify WCKeys", wckey(one), "is_def=1"));
      }
    }
  }

  /** What became of federations and of each of the clusters. */
  private List<Words> federations(Federations next) {
    Federations known = before.federations();
    List<Words> all = new ArrayList<>();
    for (String one : next.names()) {
      if (!known.names().contains(one)) {
        all.add(new Words("Add Federations", one, ""));
      }
    }
    for (FederatedCluster one : next.changedSince(known)) {
      String info = changed(of(known.cluster(one.name())), of(one));
      all.add(new Words("Modify Clusters", "name='" + one.name() + "'", info));
    }
    for (String one : known.names()) {
      if (!next.names().contains(one)) {
        all.add(new Words("Remove Federations", "name='" + one + "'", ""));
      }
    }
    return all;
  }

  private static SortedMap<String, String> of(FederatedCluster one) {
    SortedMap<String, String> all = none();
    put(all, "federation", one.federation());
    put(all, "fed_id", one.id());
    put(all, "fed_state", one.state().number());
    put(all, "features", String.join(",", one.features()));
    return all;
  }

  private static String wckey(Wckey one) {
    return "id_wckey=" + one.id();
  }

  private Words account(Account next) {
    Account known = before.account(next.name());
    if (known == null) {
      return new Words("Add Accounts", next.name(), changed(none(), of(next)));
    }
    List<String> more =
        next.coordinators().stream().filter(one -> !known.coordinators().contains(one)).toList();
    List<String> less =
        known.coordinators().stream().filter(one -> !next.coordinators().contains(one)).toList();
    if (!more.isEmpty()) {
      return new Words("Add Account Coordinators", String.join(",", more), next.name());
    }
    return less.isEmpty()
        ? new Words("Modify Accounts", name(next.name()), changed(of(known), of(next)))
        : new Words("Remove Account Coordinators", String.join(",", less), next.name());
  }

  private static String name(String name) {
    return "(name='" + name + "')";
  }

  private static String id(int id) {
    return "id_assoc=" + id;
  }

  private static String place(Association one) {
    return "acct='"
        + one.account()
        + "'"
        + (one.parent() == null ? "" : ", parent_acct='" + one.parent() + "'")
        + (one.user() == null ? "" : ", user='" + one.user() + "'")
        + (one.partition() == null ? "" : ", partition='" + one.partition() + "'");
  }

  private static SortedMap<String, String> none() {
    return new TreeMap<>();
  }

  private static SortedMap<String, String> of(Account one) {
    SortedMap<String, String> all = none();
    put(all, "description", one.description());
    put(all, "organization", one.organization());
    return all;
  }

  private static SortedMap<String, String> of(ServerResource one) {
    SortedMap<String, String> all = none();
    put(all, "name", one.name());
    put(all, "server", one.server());
    put(all, "manager", one.serverType());
    put(all, "count", one.count());
    put(all, "description", one.description());
    put(all, "flags", one.absolute() ? "absolute" : null);
    put(all, "allowed", one.allowed());
    return all;
  }

  private static SortedMap<String, String> of(AccountUser one) {
    SortedMap<String, String> all = none();
    put(all, "admin_level", one.adminLevel().name().toLowerCase(Locale.ROOT));
    put(all, "default_acct", one.defaultAccount());
    return all;
  }

  private static String limits(SortedMap<String, String> known, Association next) {
    String changed = changed(known, of(next));
    return changed.isEmpty() ? "" : ", " + changed;
  }

  private static SortedMap<String, String> of(Association one) {
    SortedMap<String, String> all = none();
    put(all, "fairshare", one.shares());
    put(all, "priority", one.priority());
    put(all, "qos", one.qos().isEmpty() ? null : String.join(",", one.qos()));
    put(all, "def_qos", one.defaultQos());
    put(all, "comment", one.comment());
    put(all, one.limits());
    return all;
  }

  private static SortedMap<String, String> of(Qos one) {
    SortedMap<String, String> all = none();
    put(all, "description", one.description());
    put(all, "priority", one.priority());
    put(all, "flags", one.flags().isEmpty() ? null : words(one.flags()));
    put(all, "preempt", one.preempt().isEmpty() ? null : String.join(",", one.preempt()));
    put(all, "preempt_mode", one.preemptMode());
    put(all, "preempt_exempt_time", one.exemptTime());
    put(all, "grace_time", one.graceTime().toSeconds());
    put(all, "usage_factor", one.usageFactor());
    put(all, "limit_factor", one.limitFactor());
    put(all, "usage_thres", one.usageThreshold());
    put(all, one.limits());
    return all;
  }

  private static String words(List<?> flags) {
    return flags.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static void put(SortedMap<String, String> all, String key, @Nullable Object value) {
    if (value != null) {
      all.put(key, String.valueOf(value));
    }
  }

  private static void put(SortedMap<String, String> all, AccountingLimits limits) {
    for (AccountingLimits.Bound bound : limits.bounds()) {
      String kind = bound.limit().name().toLowerCase(Locale.ROOT);
      put(all, bound.tres() == null ? kind : kind + ":" + bound.tres(), bound.most());
    }
  }

  /** What is other than before; what is no more is so. */
  private static String changed(SortedMap<String, String> known, SortedMap<String, String> now) {
    SortedMap<String, String> all = none();
    now.forEach((key, value) -> {
      if (!value.equals(known.get(key))) {
        all.put(key, "'" + value + "'");
      }
    });
    known.keySet().stream()
        .filter(key -> !now.containsKey(key))
        .forEach(key -> all.put(key, "NULL"));
    return all.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
