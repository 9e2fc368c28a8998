package io.dure.cli.cost;

import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The limit that keeps an account within what is left of its budget: {@code GrpTRESMins=billing}.
 *
 * @param account the account's own association
 * @param before the bound that it has, null for none
 * @param usedMinutes billing minutes that count now, faded
 * @param minutes the bound that holds the budget
 */
record BudgetLimit(
    BudgetState state, Association account, @Nullable Long before, long usedMinutes, long minutes) {
  private static final BigDecimal MINUTES_AN_HOUR = BigDecimal.valueOf(60);
  private static final BigDecimal MOST = BigDecimal.valueOf(1L << 53);

  /**
   * The limit of a budget.
   *
   * @param used what the account used of each resource, in minutes
   * @param mostPerHour what a unit of billing costs at most in an hour; more than 0
   */
  static BudgetLimit of(
      BudgetState state, Association account, TresAmounts used, BigDecimal mostPerHour) {
    long now = used.of(TresAmounts.BILLING);
    BigDecimal left =
        state.left().multiply(MINUTES_AN_HOUR).divide(mostPerHour, 0, RoundingMode.DOWN);
    TresAmounts bounds = account.limits().tres(LimitKind.GRP_TRES_MINS);
    boolean set = bounds.amounts().stream().anyMatch(one -> one.name().equals(TresAmounts.BILLING));
    return new BudgetLimit(
        state,
        account,
        set ? Long.valueOf(bounds.of(TresAmounts.BILLING)) : null,
        now,
        now + left.min(MOST).longValueExact());
  }

  /** The account, of this cluster or of another, with it. */
  Association appliedTo(Association there) {
    return there.withLimits(
        there.limits().with(LimitKind.GRP_TRES_MINS, TresAmounts.BILLING, minutes));
  }

  /** As it is said. */
  String text() {
    return "GrpTRESMins=billing="
        + minutes
        + " of account "
        + account.account()
        + " (was "
        + (before == null ? "none" : before.toString())
        + "; used "
        + usedMinutes
        + ", left "
        + (minutes - usedMinutes)
        + ")";
  }
}
