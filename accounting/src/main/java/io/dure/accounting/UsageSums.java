package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.config.accounting.RecordKind;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * Changes of the sums of use by hour, day and month. An attempt counts in them from its end on;
 * what runs is added when a question is asked, so nothing has to be summed up by the clock.
 */
final class UsageSums {
  private final SqlDialect dialect;
  private final ZoneId zone;
  private final long first;
  private final long purged;
  private final long unpaused;
  private final Map<OwnerSpan, OwnerTable.Sums> ofOwners = new HashMap<>();
  private final Map<HourKey, long[]> ofCluster = new TreeMap<>();

  /** No change yet, in a time zone. */
  UsageSums(SqlDialect dialect, ZoneId zone) {
    this(dialect, zone, 0, 0, 0);
  }

  private UsageSums(SqlDialect dialect, ZoneId zone, long first, long purged, long unpaused) {
    this.dialect = dialect;
    this.zone = zone;
    this.first = first;
    this.purged = purged;
    this.unpaused = unpaused;
  }

  /**
   * No change yet, for attempts that were counted before: what was purged since has lost their use,
   * and would have less than none of it. Where suspensions are purged, it is not known any more
   * what an attempt that had some used until then.
   */
  static UsageSums ofKept(Handle handle, SqlDialect dialect, long cluster, ZoneId zone) {
    return new UsageSums(
        dialect,
        zone,
        0,
        mark(handle, cluster, RecordKind.USAGE.word()),
        mark(handle, cluster, AccountingDatabase.NOT_COUNTED_AGAIN));
  }

  /** Up to when records are gone, 0 for none. */
  private static long mark(Handle handle, long cluster, String kind) {
    return handle
        .createQuery("SELECT until_time FROM purged WHERE cluster_id = ? AND kind = ?")
        .bind(0, cluster)
        .bind(1, kind)
        .mapTo(Long.class)
        .findOne()
        .orElse(0L);
  }

  /** What an owner used in a span of time. */
  private record OwnerSpan(UsageSpan span, long start, AttemptUse.Owner owner) {}

  private record HourKey(String tres, long start) implements Comparable<HourKey> {
    @Override
    public int compareTo(HourKey other) {
      int byTres = tres.compareTo(other.tres);
      return byTres != 0 ? byTres : Long.compare(start, other.start);
    }
  }

  /** Counts an attempt that is over, once more or ({@code sign} -1) once less. */
  void count(AttemptUse use, List<AttemptUse.Interval> pauses, int sign) {
    use.waited(first, SqlDialect.NEVER, (from, to, asked) -> hours(from, to, asked, sign, 1));
    use.ran(
        pauses,
        hasAll(use, pauses) ? first : Math.max(first, unpaused),
        SqlDialect.NEVER,
        (from, to, held) -> {
          hours(from, to, held, sign, 0);
          for (UsageSpan span : UsageSpan.values()) {
            spans(span, use.owner(), from, to, held, sign);
          }
        });
  }

  private static boolean hasAll(AttemptUse use, List<AttemptUse.Interval> pauses) {
    return use.suspended() == 0
        || pauses.stream().mapToLong(pause -> pause.to() - pause.from()).sum() >= use.suspended();
  }

  /** The begin of the first span that is not purged: one goes when all of it is old. */
  private long kept(UsageSpan span) {
    return purged == 0 ? 0 : span.begin(purged, zone);
  }

  private void hours(long from, long to, TresAmounts amounts, int sign, int place) {
    long begin = UsageSpan.HOUR.begin(Math.max(from, kept(UsageSpan.HOUR)), zone);
    while (begin < to) {
      long end = UsageSpan.HOUR.end(begin, zone);
      long seconds = sign * (Math.min(end, to) - Math.max(begin, from));
      for (TresAmounts.Amount amount : amounts.amounts()) {
        if (amount.amount() != 0) {
          HourKey key = new HourKey(amount.name(), begin);
          ofCluster.computeIfAbsent(key, _ -> new long[2])[place] += seconds * amount.amount();
        }
      }
      begin = end;
    }
  }

  private void spans(
      UsageSpan span, AttemptUse.Owner owner, long from, long to, TresAmounts held, int sign) {
    long begin = span.begin(Math.max(from, kept(span)), zone);
    while (begin < to) {
      long end = span.end(begin, zone);
      long seconds = sign * (Math.min(end, to) - Math.max(begin, from));
      ofOwners
          .computeIfAbsent(new OwnerSpan(span, begin, owner), _ -> new OwnerTable.Sums())
          .add(held, seconds);
      begin = end;
    }
  }

  /** Adds the changes to what the database has. */
  void write(Handle handle, long cluster) {
    Map<String, Long> tres = new HashMap<>();
    writeOwners(handle, cluster, tres);
    List<TableRow> hours = new ArrayList<>();
    ofCluster.forEach((key, sums) -> {
      if (sums[0] != 0 || sums[1] != 0) {
        hours.add(
            TableRow.of(
                "use",
                cluster,
                tres.computeIfAbsent(key.tres(), name -> TresTable.number(handle, name)),
                key.start(),
                sums[0],
                sums[1]));
      }
    });
    TableRow.write(
        handle,
        dialect,
        count ->
            dialect.accumulate(
                "cluster_sum",
                List.of("cluster_id", "tres_id", "start_time"),
                List.of("seconds", "waited_seconds"),
                count),
        hours);
  }

  private void writeOwners(Handle handle, long cluster, Map<String, Long> tres) {
    Set<AttemptUse.Owner> owners = new HashSet<>();
    ofOwners.keySet().forEach(key -> owners.add(key.owner()));
    Map<AttemptUse.Owner, Long> numbers = OwnerTable.numbers(handle, cluster, owners);
    // In the order of the keys, so that rows of one page follow each other.
    Map<OwnerTable.Key, OwnerTable.Sums> sorted = new TreeMap<>();
    ofOwners.forEach((key, sums) ->
        sorted.put(
            new OwnerTable.Key(
                key.span().column(), key.start(), numbers.getOrDefault(key.owner(), 0L)),
            sums));
    List<TableRow> usual = new ArrayList<>();
    List<TableRow> rest = new ArrayList<>();
    sorted.forEach((key, sums) -> {
      if (sums.hasUsual()) {
        usual.add(sums.row(cluster, key));
      }
      sums.rest()
          .forEach((name, seconds) -> {
            if (seconds != 0) {
              long number = tres.computeIfAbsent(name, one -> TresTable.number(handle, one));
              rest.add(
                  TableRow.of(
                      "use", cluster, key.span(), number, key.start(), key.owner(), seconds));
            }
          });
    });
    TableRow.write(handle, dialect, count -> OwnerTable.accumulate(dialect, count), usual);
    TableRow.write(
        handle,
        dialect,
        count ->
            dialect.accumulate(
                "usage_sum",
                List.of("cluster_id", "span", "tres_id", "start_time", "owner_id"),
                List.of("seconds"),
                count),
        rest);
  }

  /**
   * Counts every attempt of a cluster anew, from its row. Sums of a time that has lost rows stay:
   * they are counted from the month on that no attempt of it that is gone was in.
   */
  static void recount(Handle handle, AccountingDatabase database, long cluster, ZoneId zone) {
    long gone = mark(handle, cluster, AccountingDatabase.NOT_COUNTED_AGAIN);
    long first = gone == 0 ? 0 : UsageSpan.MONTH.end(UsageSpan.MONTH.begin(gone - 1, zone), zone);
    for (String table : List.of("usage_sum", "usage_usual", "cluster_sum")) {
      handle.execute(
          "DELETE FROM " + table + " WHERE cluster_id = ? AND start_time >= ?", cluster, first);
    }
    AttemptId after = new AttemptId(0, 0);
    List<AttemptUse> page;
    do {
      page = AttemptUses.over(handle, cluster, after);
      UsageSums sums = new UsageSums(database.dialect(), zone, first, 0, 0);
      Map<AttemptId, List<AttemptUse.Interval>> pauses = AttemptUses.pauses(handle, cluster, page);
      for (AttemptUse use : page) {
        sums.count(use, pauses.getOrDefault(use.attempt(), List.of()), 1);
      }
      sums.write(handle, cluster);
      after = page.isEmpty() ? after : page.getLast().attempt();
    } while (!page.isEmpty());
  }
}
