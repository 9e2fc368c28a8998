package io.dure.cli.tenant;

import io.dure.cli.cost.TenantCosts;
import io.dure.cli.efficiency.UseTotals;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant has, may and used.
 *
 * @param own what it was given
 * @param limits its own limits
 * @param uses what its users used, by account
 * @param spent what that cost
 * @param budget what it may cost, null for no budget
 * @param waiting how many of its jobs wait, by reason
 * @param running how many of its jobs run
 * @param efficiency what of all that was held was used
 * @param whole whether the caller sees all of it
 */
record TenantReport(
    String clusterName,
    String month,
    TenantReport.Given own,
    List<TenantReport.Limit> limits,
    List<TenantCosts.Row> uses,
    String currency,
    BigDecimal spent,
    @Nullable BigDecimal budget,
    Map<String, Integer> waiting,
    int running,
    UseTotals efficiency,
    boolean whole) {

  /**
   * What an account was given.
   *
   * @param accounts it and all below it
   * @param coordinators each with its account
   * @param users each once
   * @param defaultQos null for none of its own or from above
   */
  record Given(
      String account,
      String description,
      List<String> accounts,
      List<String> coordinators,
      List<String> users,
      List<String> qos,
      @Nullable String defaultQos,
      List<String> partitions) {}

  /**
   * A limit.
   *
   * @param name as sacctmgr has it, with the resource
   * @param used how much of it is used, null where it is of one job or one user
   */
  record Limit(String name, long most, @Nullable Long used) {}

  /** What of the budget is left, null for no budget. */
  @Nullable BigDecimal left() {
    return budget == null ? null : budget.subtract(spent);
  }
}
