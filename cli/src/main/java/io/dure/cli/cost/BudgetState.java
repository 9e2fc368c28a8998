package io.dure.cli.cost;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.YearMonth;

/**
 * A budget, and what of it is spent.
 *
 * @param spent by the account and those below it in the month, not rounded
 */
record BudgetState(Budget budget, YearMonth month, BigDecimal spent) {
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /** What is left, 0 where nothing is. */
  BigDecimal left() {
    return budget.amount().subtract(spent).max(BigDecimal.ZERO);
  }

  /** Whether nothing is left. */
  boolean isSpent() {
    return spent.compareTo(budget.amount()) >= 0;
  }

  /** The highest percentage of a warning that is reached, 0 for none. */
  int warning() {
    int reached = 0;
    for (int percent : budget.warn()) {
      BigDecimal from = budget.amount().multiply(BigDecimal.valueOf(percent));
      reached = spent.multiply(HUNDRED).compareTo(from) >= 0 ? percent : reached;
    }
    return reached;
  }

  /** How much of it is spent, in percent with a decimal, as text. */
  String percent() {
    return budget.amount().signum() == 0
        ? "-"
        : spent.multiply(HUNDRED).divide(budget.amount(), 1, RoundingMode.HALF_UP) + " %";
  }
}
