package io.dure.surface.sreport;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.TresAmounts;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reports of what accounts, users and workload keys used. */
final class UseReport {
  private final ReportPort port;
  private final ReportSettings settings;
  private final ReportWords words;
  private final UsageReport used;
  private final Map<String, UsageReport.ClusterUse> wholes = new LinkedHashMap<>();

  /** Asks for what was used. */
  UseReport(ReportPort port, ReportSettings settings, ReportWords words, JobHistoryQuery all)
      throws CommandException {
    this.port = port;
    this.settings = settings;
    this.words = words;
    ReportPeriod period = words.period();
    used =
        port.usage(
            new UsageQuery(
                period.from(), period.until(), UsageQuery.Part.OWNERS, settings.asked(), all));
    if (settings.unit().hasPercent() || asksForCount()) {
      UsageReport whole =
          port.usage(
              new UsageQuery(
                  period.from(), period.until(), UsageQuery.Part.CLUSTER, settings.asked(), all));
      whole.cluster().forEach(one -> wholes.put(one.tres(), one));
    }
  }

  private boolean asksForCount() {
    String format = words.format();
    return format != null && format.contains("ount");
  }

  /** The resources that rows are made for, in Slurm's order. */
  private Set<String> resources() {
    Set<String> names = new TreeSet<>(TresAmounts.order());
    if (settings.everyTres()) {
      names.addAll(TresAmounts.USUAL);
      names.addAll(used.trackedTres());
    } else {
      names.addAll(settings.asked());
    }
    return names;
  }

  private boolean counts(UsageReport.OwnerUse row) {
    List<String> users = words.list("users");
    List<String> accounts = words.list("accounts");
    List<String> wckeys = words.list("wckeys");
    return (users.isEmpty() || users.contains(row.user()))
        && (accounts.isEmpty() || accounts.contains(row.account()))
        && (wckeys.isEmpty() || wckeys.contains(row.wckey()));
  }

  private UseRow row(
      String account, int depth, String login, String wckey, String tres, double of) {
    UsageReport.ClusterUse whole = wholes.get(tres);
    return new UseRow(
        used.clusterName(),
        account,
        depth,
        login,
        login.isEmpty() ? "" : port.realName(login),
        wckey,
        tres,
        of,
        whole == null ? 0 : whole.reported(),
        whole == null ? 0 : whole.count(),
        0);
  }

  private double sum(Predicate<UsageReport.OwnerUse> of, String tres) {
    return used.owners().stream()
        .filter(row -> row.tres().equals(tres) && of.test(row))
        .mapToDouble(UsageReport.OwnerUse::seconds)
        .sum();
  }

  /** Accounts from the root down, each with the users that it was used by. */
  List<UseRow> accountsByUser() throws CommandException {
    AccountingTree tree = AccountingTree.of(port.accounts().accounts());
    Map<String, Map<String, Double>> byAccount = new TreeMap<>();
    List<UseRow> rows = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    for (Association one : tree.walk()) {
      if (seen.add(one.account() + "\0" + (one.user() == null ? "" : one.user()))) {
        add(rows, tree, one);
      }
    }
    // What accounts and users used that are no more.
    for (UsageReport.OwnerUse row : used.owners()) {
      boolean gone = !row.account().isEmpty() && seen.add(row.account() + "\0" + row.user());
      if (gone && counts(row)) {
        byAccount.computeIfAbsent(row.account(), _ -> new TreeMap<>()).put(row.user(), 0.0);
      }
    }
    byAccount.forEach((account, users) ->
        users
            .keySet()
            .forEach(user ->
                rows(
                    rows,
                    account,
                    1,
                    user,
                    "",
                    row -> row.account().equals(account) && row.user().equals(user))));
    return rows;
  }

  private void add(List<UseRow> rows, AccountingTree tree, Association one) {
    String user = one.user();
    String account = one.account();
    List<String> users = words.list("users");
    List<String> accounts = words.list("accounts");
    if (!accounts.isEmpty() && !accounts.contains(account)
        || !users.isEmpty() && (user == null || !users.contains(user))) {
      return;
    }
    int depth = tree.path(one).size() - 1;
    if (user != null) {
      rows(
          rows,
          account,
          depth,
          user,
          "",
          row -> row.account().equals(account) && row.user().equals(user));
    } else {
      rows(
          rows,
          account,
          depth,
          "",
          "",
          row ->
              row.account().equals(account)
                  || tree.account(row.account()) != null && tree.isBelow(row.account(), account)
                  || account.equals(AccountingTree.ROOT) && !row.account().isEmpty());
    }
  }

  private void rows(
      List<UseRow> rows,
      String account,
      int depth,
      String login,
      String wckey,
      Predicate<UsageReport.OwnerUse> of) {
    List<UseRow> some = new ArrayList<>();
    for (String tres : resources()) {
      some.add(row(account, depth, login, wckey, tres, sum(of, tres)));
    }
    if (some.stream().anyMatch(row -> row.used() != 0)) {
      rows.addAll(some);
    }
  }

  /** Each user and account, or workload key; the greatest use first. */
  List<UseRow> owners(Function<UsageReport.OwnerUse, List<String>> key, boolean wckeys) {
    Map<List<String>, UsageReport.OwnerUse> groups = new LinkedHashMap<>();
    Map<List<String>, Double> sums = sums(key);
    for (UsageReport.OwnerUse row : used.owners()) {
      if (counts(row) && (!wckeys || !row.wckey().isEmpty())) {
        groups.putIfAbsent(key.apply(row), row);
      }
    }
    List<UseRow> rows = new ArrayList<>();
    groups.entrySet().stream()
        .sorted(Comparator.comparingDouble(entry -> -sums.getOrDefault(entry.getKey(), 0.0)))
        .forEach(entry ->
            rows(
                rows,
                entry.getValue().account(),
                0,
                entry.getValue().user(),
                entry.getValue().wckey(),
                row -> counts(row) && key.apply(row).equals(entry.getKey())));
    return rows;
  }

  /** The use of the first resource. */
  private Map<List<String>, Double> sums(Function<UsageReport.OwnerUse, List<String>> key) {
    String first = resources().iterator().next();
    Map<List<String>, Double> sums = new LinkedHashMap<>();
    for (UsageReport.OwnerUse row : used.owners()) {
      if (counts(row)) {
        sums.merge(key.apply(row), row.tres().equals(first) ? row.seconds() : 0.0, Double::sum);
      }
    }
    return sums;
  }

  /** The users that used most, each by account unless these are put together. */
  List<UseRow> top() {
    boolean together = words.has("group");
    Function<UsageReport.OwnerUse, List<String>> key =
        together ? row -> List.of(row.user()) : row -> List.of(row.user(), row.account());
    Map<List<String>, Set<String>> accounts = new LinkedHashMap<>();
    for (UsageReport.OwnerUse row : used.owners()) {
      if (counts(row)) {
        accounts.computeIfAbsent(key.apply(row), _ -> new TreeSet<>()).add(row.account());
      }
    }
    List<UseRow> rows = new ArrayList<>();
    sums(key).entrySet().stream()
        .sorted(Map.Entry.<List<String>, Double>comparingByValue().reversed())
        .limit(words.top())
        .forEach(entry ->
            rows(
                rows,
                String.join(", ", accounts.getOrDefault(entry.getKey(), Set.of())),
                0,
                entry.getKey().getFirst(),
                "",
                row -> counts(row) && key.apply(row).equals(entry.getKey())));
    return rows;
  }
}
