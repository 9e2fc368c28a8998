package io.dure.cli.cost;

import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an account and those below it may cost in a month.
 *
 * @param account the account
 * @param amount how much; 0 or more
 * @param month in which month, null for each
 * @param warn percentages from which a warning is given, rising
 */
record Budget(String account, BigDecimal amount, @Nullable YearMonth month, List<Integer> warn) {
  /** Percentages where the file says none. */
  static final List<Integer> USUAL = List.of(80, 100);

  Budget {
    warn = List.copyOf(warn);
  }

  /** Whether it is that of a month. */
  boolean isOf(YearMonth at) {
    return month == null || month.equals(at);
  }
}
