package io.dure.cli.cost;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A price of a resource, and where and when it is so.
 *
 * @param tres the resource by Slurm's name, in lower case
 * @param perHour what one of it costs in an hour; of memory a GiB
 * @param partitions where, empty for everywhere
 * @param accounts the accounts that it is for, with those below them; empty for all
 * @param days on which days of the week, empty for all
 * @param begin from which time of the day, null for the whole day
 * @param end until which time of the day, outside; before {@code begin} for over midnight
 * @param from the first day, null for always
 */
record Price(
    String tres,
    BigDecimal perHour,
    List<String> partitions,
    List<String> accounts,
    List<DayOfWeek> days,
    @Nullable LocalTime begin,
    @Nullable LocalTime end,
    @Nullable LocalDate from) {
  Price {
    partitions = List.copyOf(partitions);
    accounts = List.copyOf(accounts);
    days = List.copyOf(days);
  }

  /** Whether it is the price of its resource in a partition at a time. */
  boolean applies(String partition, LocalDateTime at) {
    return (partitions.isEmpty() || partitions.contains(partition))
        && (days.isEmpty() || days.contains(at.getDayOfWeek()))
        && (from == null || !at.toLocalDate().isBefore(from))
        && isWithin(at.toLocalTime());
  }

  /** Whether it is the price for an account, which stands first, before those above it. */
  boolean isFor(List<String> lineage) {
    return accounts.isEmpty() || !Collections.disjoint(accounts, lineage);
  }

  private boolean isWithin(LocalTime time) {
    if (begin == null || end == null) {
      return true;
    }
    boolean after = !time.isBefore(begin);
    boolean before = time.isBefore(end) || end.equals(LocalTime.MIDNIGHT);
    return begin.isBefore(end) || end.equals(LocalTime.MIDNIGHT)
        ? after && before
        : after || before;
  }
}
