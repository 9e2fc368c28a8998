package io.dure.cli.cost;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Prices and budgets. Of several prices, or budgets, that apply, the last one counts.
 *
 * @param currency the word behind amounts
 * @param zone in which days and hours are
 */
record PriceList(String currency, ZoneId zone, List<Price> prices, List<Budget> budgets) {
  private static final BigDecimal MIB_IN_GIB = BigDecimal.valueOf(1024);

  PriceList {
    prices = List.copyOf(prices);
    budgets = List.copyOf(budgets);
  }

  /**
   * What one of a resource costs an account in an hour, memory by MiB; null where it has no price
   * then.
   *
   * @param lineage the account and those above it
   */
  @Nullable BigDecimal perHour(
      String tres, String partition, List<String> lineage, LocalDateTime at) {
    BigDecimal found = null;
    for (Price one : prices) {
      if (one.tres().equals(tres) && one.applies(partition, at) && one.isFor(lineage)) {
        found = one.perHour();
      }
    }
    return byUnit(tres, found);
  }

  /** The same for the account that pays most. */
  @Nullable BigDecimal dearest(String tres, String partition, LocalDateTime at) {
    BigDecimal found = null;
    for (Price one : prices) {
      if (one.tres().equals(tres) && one.applies(partition, at)) {
        BigDecimal before = one.accounts().isEmpty() ? null : found;
        found = before == null ? one.perHour() : before.max(one.perHour());
      }
    }
    return byUnit(tres, found);
  }

  private static @Nullable BigDecimal byUnit(String tres, @Nullable BigDecimal found) {
    return found == null || !tres.equals(TresAmounts.MEMORY) ? found : found.divide(MIB_IN_GIB);
  }

  /**
   * What an allocation costs an account in an hour then. A price of a type takes the place of its
   * kind's.
   */
  BigDecimal perHour(Allocation held, List<String> lineage, LocalDateTime at) {
    String partition = held.partition();
    BigDecimal sum = BigDecimal.ZERO;
    sum = sum.add(cost(TresAmounts.CPU, held.cpus(), partition, lineage, at));
    sum = sum.add(cost(TresAmounts.MEMORY, held.memoryMib(), partition, lineage, at));
    sum = sum.add(cost(TresAmounts.NODE, held.shares().size(), partition, lineage, at));
    for (NodeShare share : held.shares()) {
      for (GresShare one : share.gres()) {
        String typed = "gres/" + one.kind();
        boolean own = perHour(typed, partition, lineage, at) != null;
        sum =
            sum.add(cost(own ? typed : "gres/" + one.name(), one.count(), partition, lineage, at));
      }
    }
    for (License one : held.licenses()) {
      sum = sum.add(cost("license/" + one.name(), one.count(), partition, lineage, at));
    }
    return sum;
  }

  private BigDecimal cost(
      String tres, long amount, String partition, List<String> lineage, LocalDateTime at) {
    BigDecimal price = amount == 0 ? null : perHour(tres, partition, lineage, at);
    return price == null ? BigDecimal.ZERO : price.multiply(BigDecimal.valueOf(amount));
  }

  /** When prices or months may change next after a time: a new day, an hour of a price, a clock. */
  Instant nextChange(Instant after) {
    TreeSet<LocalTime> clocks = new TreeSet<>();
    clocks.add(LocalTime.MIDNIGHT);
    for (Price one : prices) {
      if (one.begin() != null && one.end() != null) {
        clocks.add(one.begin());
        clocks.add(one.end());
      }
    }
    ZoneOffsetTransition shift = zone.getRules().nextTransition(after);
    Instant next = shift == null ? Instant.MAX : shift.getInstant();
    LocalDate today = after.atZone(zone).toLocalDate();
    // An hour that a clock gone back repeats may belong to the day before.
    for (int day = -1; day <= 2; day++) {
      for (LocalTime clock : clocks) {
        LocalDateTime at = today.plusDays(day).atTime(clock);
        for (ZoneOffset offset : zone.getRules().getValidOffsets(at)) {
          Instant moment = at.toInstant(offset);
          next = moment.isAfter(after) && moment.isBefore(next) ? moment : next;
        }
      }
    }
    return next;
  }

  /** The month of a moment. */
  YearMonth month(Instant at) {
    return YearMonth.from(at.atZone(zone));
  }

  /** When a month begins. */
  Instant begin(YearMonth month) {
    return month.atDay(1).atStartOfDay(zone).toInstant();
  }

  /** The budgets of a month by their accounts. */
  Map<String, Budget> budgets(YearMonth month) {
    Map<String, Budget> found = new TreeMap<>();
    for (Budget one : budgets) {
      if (one.isOf(month)) {
        found.put(one.account(), one);
      }
    }
    return found;
  }

  /** The resources that have a price. */
  List<String> priced() {
    List<String> names = new ArrayList<>();
    for (Price one : prices) {
      if (!names.contains(one.tres())) {
        names.add(one.tres());
      }
    }
    names.sort(TresAmounts.order());
    return names;
  }
}
