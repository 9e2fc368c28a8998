package io.dure.surface.sreport;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.accounts.AccountingField;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reports of how large jobs were. */
final class SizeReport {
  private static final int WIDTH = 13;
  private static final int WIDTH_OF_BOTH = 20;

  private final ReportUnit unit;
  private final ReportWords words;
  private final UsageReport used;
  private final List<Integer> limits;

  SizeReport(ReportUnit unit, ReportWords words, UsageReport used) {
    this.unit = unit;
    this.words = words;
    this.used = used;
    limits =
        words.individual()
            ? new TreeSet<>(used.sizes().stream().map(size -> (int) size.cpus()).toList())
                .stream().toList()
            : words.groups();
  }

  /** A row: what is counted of each group of sizes, times of CPUs or numbers of jobs. */
  record Row(String cluster, String name, List<Double> counts, double total) {
    double sum() {
      return counts.stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  /** The columns, but for those that {@code format=} leaves out. */
  List<AccountingField<Row>> fields(String nameHeader, int nameWidth) {
    List<AccountingField<Row>> fields = new ArrayList<>();
    fields.add(new AccountingField<>("Cluster", List.of("cluster"), 9, Row::cluster));
    fields.add(
        new AccountingField<>(nameHeader, List.of("account", "wckey"), nameWidth, Row::name));
    return fields;
  }

  /** The columns of the groups of sizes, and of the row's part of all. */
  List<AccountingField<Row>> groupFields() {
    List<AccountingField<Row>> fields = new ArrayList<>();
    int width = unit.isBoth() && !words.has("printjobcount") ? WIDTH_OF_BOTH : WIDTH;
    int groups = words.individual() ? limits.size() : limits.size() + 1;
    for (int i = 0; i < groups; i++) {
      int group = i;
      fields.add(
          new AccountingField<>(
              groupName(i), List.of(), width, row -> text(row.counts().get(group), row.sum())));
    }
    fields.add(
        new AccountingField<>(
            "% of cluster", List.of(), 12, row -> ReportUnit.percent(row.sum(), row.total())));
    return fields;
  }

  private String text(double count, double sum) {
    return words.has("printjobcount") ? ReportUnit.rounded(count, 0) : unit.text(count, sum);
  }

  private String groupName(int group) {
    if (words.individual()) {
      return limits.get(group) + " CPUs";
    }
    int least = group == 0 ? 0 : limits.get(group - 1);
    return group == limits.size()
        ? ">= " + least + " CPUs"
        : least + "-" + (limits.get(group) - 1) + " CPUs";
  }

  private int group(long cpus) {
    if (words.individual()) {
      return limits.indexOf((int) cpus);
    }
    int group = 0;
    while (group < limits.size() && cpus >= limits.get(group)) {
      group++;
    }
    return group;
  }

  /** The rows of jobs by a name; jobs without one are left out. */
  List<Row> rows(Function<UsageReport.JobSize, @Nullable String> name) {
    int groups = words.individual() ? limits.size() : limits.size() + 1;
    Map<String, double[]> sums = new TreeMap<>();
    double total = 0;
    for (UsageReport.JobSize size : used.sizes()) {
      String of = name.apply(size);
      if (of != null) {
        double count = words.has("printjobcount") ? size.jobs() : size.seconds();
        sums.computeIfAbsent(of, _ -> new double[groups])[group(size.cpus())] += count;
        total += count;
      }
    }
    List<Row> rows = new ArrayList<>();
    for (Map.Entry<String, double[]> entry : sums.entrySet()) {
      List<Double> counts = new ArrayList<>();
      for (double count : entry.getValue()) {
        counts.add(count);
      }
      rows.add(new Row(used.clusterName(), entry.getKey(), counts, total));
    }
    return rows;
  }

  /** Under which account of a report a job counts, null for none. */
  Function<UsageReport.JobSize, @Nullable String> accounts(AccountingTree tree) {
    List<String> asked = words.list("accounts");
    if (words.has("flatview")) {
      return size ->
          asked.isEmpty() || asked.contains(size.account()) ? empty(size.account()) : null;
    }
    if (words.has("acctasparent")) {
      List<String> parents = asked.isEmpty() ? List.of(AccountingTree.ROOT) : asked;
      return size -> below(tree, size.account(), parents);
    }
    List<String> tops = asked.isEmpty() ? List.of(AccountingTree.ROOT) : asked;
    return size -> top(tree, size.account(), tops);
  }

  private static @Nullable String empty(String account) {
    return account.isEmpty() ? null : account;
  }

  /** The accounts from the root down to one. */
  private static List<String> path(AccountingTree tree, String account) {
    Association of = tree.association(account, null, null);
    return of == null
        ? List.of()
        : tree.path(of).reversed().stream().map(Association::account).toList();
  }

  private static @Nullable String top(AccountingTree tree, String account, List<String> tops) {
    return path(tree, account).stream().filter(tops::contains).findFirst().orElse(null);
  }

  private static @Nullable String below(AccountingTree tree, String account, List<String> parents) {
    List<String> path = path(tree, account);
    for (int i = 0; i + 1 < path.size(); i++) {
      if (parents.contains(path.get(i))) {
        return path.get(i + 1);
      }
    }
    return null;
  }
}
