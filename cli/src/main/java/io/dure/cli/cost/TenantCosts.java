package io.dure.cli.cost;

import io.dure.cli.command.CommandContext;
import io.dure.model.accounting.Association;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.message.CommandException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What one account, with all below it, used and cost in a month. For one thread. */
public final class TenantCosts {
  private static final String OTHERS = "others";

  private final PriceList prices;
  private final AccountPaths paths;
  private final String account;
  private final YearMonth month;
  private final CostBook book;

  /** What a user used in an account, and what it cost. */
  public record Row(
      String account,
      String user,
      int attempts,
      double cpuHours,
      double gibHours,
      double gpuHours,
      BigDecimal cost) {
    /** With what another used in the same account. */
    Row plus(Row other) {
      return new Row(
          account,
          user,
          attempts + other.attempts,
          cpuHours + other.cpuHours,
          gibHours + other.gibHours,
          gpuHours + other.gpuHours,
          cost.add(other.cost));
    }
  }

  private TenantCosts(
      PriceList prices, AccountPaths paths, String account, YearMonth month, Instant now) {
    this.prices = prices;
    this.paths = paths;
    this.account = account;
    this.month = month;
    book = new CostBook(prices, paths, from(), until(), now, CostBook.By.USER);
  }

  /**
   * Nothing yet.
   *
   * @param month a month as {@code 2026-11}, null for this one
   * @param priced whether there is a price list; without, nothing costs anything
   * @param file the price list, null for cost.conf beside slurm.conf
   */
  public static TenantCosts of(
      CommandContext context,
      List<Association> tree,
      String account,
      @Nullable String month,
      boolean priced,
      @Nullable String file)
      throws CommandException {
    PriceList prices =
        priced
            ? CostCall.prices(context, file)
            : new PriceList("", context.clock().zone(), List.of(), List.of());
    Instant now = context.clock().now();
    YearMonth of = month == null ? prices.month(now) : CostCall.month(month, month);
    return new TenantCosts(prices, new AccountPaths(tree), account, of, now);
  }

  /** The month. */
  public YearMonth month() {
    return month;
  }

  /** Its begin. */
  public Instant from() {
    return prices.begin(month);
  }

  /** Its end, outside. */
  public Instant until() {
    return prices.begin(month.plusMonths(1));
  }

  /** The word behind amounts. */
  public String currency() {
    return prices.currency();
  }

  /** The account and all below it, by name. */
  public List<String> within() {
    return paths.within(account);
  }

  /** With an attempt more. */
  public void add(RecordedJob recorded) {
    book.add(recorded);
  }

  /**
   * What each user used in each account.
   *
   * @param named whose names may be told; the others of an account are one row
   */
  public List<Row> rows(Predicate<String> named) {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (CostReport.Line line : CostReport.lines(book)) {
      String user = named.test(line.detail()) ? line.detail() : OTHERS;
      Row row =
          new Row(
              line.account(),
              user,
              line.attempts(),
              line.cpuHours(),
              line.gibHours(),
              line.gpuHours(),
              line.cost());
      rows.merge(line.account() + " " + user, row, Row::plus);
    }
    return List.copyOf(rows.values());
  }

  /** What all of it cost. */
  public BigDecimal spent() {
    return CostBook.rounded(book.cost(month, _ -> true));
  }

  /** What the account may cost in the month, null for no budget. */
  public @Nullable BigDecimal budget() {
    Budget own = prices.budgets(month).get(account);
    return own == null ? null : CostBook.rounded(own.amount());
  }
}
