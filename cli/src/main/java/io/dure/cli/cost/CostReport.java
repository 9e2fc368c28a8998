package io.dure.cli.cost;

import io.dure.model.accounting.TresAmounts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What jobs cost, and budgets.
 *
 * @param clusterName the cluster
 * @param currency the word behind amounts
 * @param lines the rows
 * @param budgets budgets of the months that were asked for
 * @param checks resources, as jobs and as the books' sums have them
 * @param all whether the caller sees all jobs
 */
record CostReport(
    String clusterName,
    String currency,
    List<CostReport.Line> lines,
    List<BudgetState> budgets,
    List<CostReport.Check> checks,
    boolean all) {
  private static final double HOUR = 3600;
  private static final double MIB_IN_GIB = 1024;

  CostReport {
    lines = List.copyOf(lines);
    budgets = List.copyOf(budgets);
    checks = List.copyOf(checks);
  }

  /** A row. */
  record Line(
      String account,
      String detail,
      String month,
      int attempts,
      double cpuHours,
      double gibHours,
      double gpuHours,
      BigDecimal cost) {}

  /**
   * A resource in amounts by seconds.
   *
   * @param jobs of the jobs that cost something
   * @param books by the sums of the accounting database
   * @param slack by how much they may differ
   */
  record Check(String tres, long jobs, long books, long slack) {
    boolean holds() {
      return Math.abs(jobs - books) <= slack;
    }
  }

  /** The rows of a book. */
  static List<Line> lines(CostBook book) {
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<CostBook.Key, CostBook.Sum> one : book.rows().entrySet()) {
      CostBook.Sum sum = one.getValue();
      lines.add(
          new Line(
              one.getKey().account(),
              one.getKey().detail(),
              one.getKey().month().toString(),
              sum.attempts(),
              sum.seconds(TresAmounts.CPU) / HOUR,
              sum.seconds(TresAmounts.MEMORY) / HOUR / MIB_IN_GIB,
              sum.seconds("gres/gpu") / HOUR,
              sum.cost()));
    }
    return lines;
  }

  /** The sum of the rows as they are shown. */
  BigDecimal total() {
    return lines.stream()
        .map(Line::cost)
        .reduce(CostBook.rounded(BigDecimal.ZERO), BigDecimal::add);
  }
}
