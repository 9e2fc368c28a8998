package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AttemptId;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * Changes of the sums of use by hour, day and month. An attempt counts in them from its end on;
 * what runs is added when a question is asked, so nothing has to be summed up by the clock.
 */
final class UsageSums {
  private final SqlDialect dialect;
  private final ZoneId zone;
  private final Map<OwnerKey, Long> ofOwners = new TreeMap<>();
  private final Map<HourKey, long[]> ofCluster = new TreeMap<>();

  /** No change yet, in a time zone. */
  UsageSums(SqlDialect dialect, ZoneId zone) {
    this.dialect = dialect;
    this.zone = zone;
  }

  private record OwnerKey(UsageSpan span, String tres, long start, AttemptUse.Owner owner)
      implements Comparable<OwnerKey> {
    @Override
    public int compareTo(OwnerKey other) {
      int bySpan = span.compareTo(other.span);
      int byTres = bySpan != 0 ? bySpan : tres.compareTo(other.tres);
      int byStart = byTres != 0 ? byTres : Long.compare(start, other.start);
      return byStart != 0 ? byStart : owner.compareTo(other.owner);
    }
  }

  private record HourKey(String tres, long start) implements Comparable<HourKey> {
    @Override
    public int compareTo(HourKey other) {
      int byTres = tres.compareTo(other.tres);
      return byTres != 0 ? byTres : Long.compare(start, other.start);
    }
  }

  /** Counts an attempt that is over, once more or ({@code sign} -1) once less. */
  void count(AttemptUse use, List<AttemptUse.Interval> pauses, int sign) {
    use.waited(0, SqlDialect.NEVER, (from, to, asked) -> hours(from, to, asked, sign, 1));
    use.ran(
        pauses,
        0,
        SqlDialect.NEVER,
        (from, to, held) -> {
          hours(from, to, held, sign, 0);
          for (UsageSpan span : UsageSpan.values()) {
            spans(span, use.owner(), from, to, held, sign);
          }
        });
  }

  private void hours(long from, long to, TresAmounts amounts, int sign, int place) {
    long begin = UsageSpan.HOUR.begin(from, zone);
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
    long begin = span.begin(from, zone);
    while (begin < to) {
      long end = span.end(begin, zone);
      long seconds = sign * (Math.min(end, to) - Math.max(begin, from));
      for (TresAmounts.Amount amount : held.amounts()) {
        if (amount.amount() != 0) {
          ofOwners.merge(
              new OwnerKey(span, amount.name(), begin, owner),
              seconds * amount.amount(),
              Long::sum);
        }
      }
      begin = end;
    }
  }

  /** Adds the changes to what the database has. */
  void write(Handle handle, long cluster) {
    Map<String, Long> tres = new HashMap<>();
    Map<AttemptUse.Owner, Long> owners = new HashMap<>();
    List<TableRow> rows = new ArrayList<>();
    ofOwners.forEach((key, seconds) -> {
      if (seconds != 0) {
        rows.add(
            TableRow.of(
                "use",
                cluster,
                key.span().column(),
                tres.computeIfAbsent(key.tres(), name -> TresTable.number(handle, name)),
                key.start(),
                owners.computeIfAbsent(key.owner(), owner -> owner(handle, cluster, owner)),
                seconds));
      }
    });
    TableRow.write(
        handle,
        dialect,
        count ->
            dialect.accumulate(
                "usage_sum",
                List.of("cluster_id", "span", "tres_id", "start_time", "owner_id"),
                List.of("seconds"),
                count),
        rows);
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

  private static long owner(Handle handle, long cluster, AttemptUse.Owner owner) {
    return handle
        .createQuery(
            "SELECT id FROM usage_owner WHERE cluster_id = ? AND user_name = ? AND account = ?"
                + " AND wckey = ?")
        .bind(0, cluster)
        .bind(1, owner.user())
        .bind(2, owner.account())
        .bind(3, owner.wckey())
        .mapTo(Long.class)
        .findOne()
        .orElseGet(() ->
            handle
                .createUpdate(
                    "INSERT INTO usage_owner (cluster_id, user_name, account, wckey) VALUES (?, ?,"
                        + " ?, ?)")
                .bind(0, cluster)
                .bind(1, owner.user())
                .bind(2, owner.account())
                .bind(3, owner.wckey())
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one());
  }

  /** Counts every attempt of a cluster anew, from its row. */
  static void recount(Handle handle, AccountingDatabase database, long cluster, ZoneId zone) {
    handle.execute("DELETE FROM usage_sum WHERE cluster_id = ?", cluster);
    handle.execute("DELETE FROM cluster_sum WHERE cluster_id = ?", cluster);
    AttemptId after = new AttemptId(0, 0);
    List<AttemptUse> page;
    do {
      page = AttemptUses.over(handle, cluster, after);
      UsageSums sums = new UsageSums(database.dialect(), zone);
      Map<AttemptId, List<AttemptUse.Interval>> pauses = AttemptUses.pauses(handle, cluster, page);
      for (AttemptUse use : page) {
        sums.count(use, pauses.getOrDefault(use.attempt(), List.of()), 1);
      }
      sums.write(handle, cluster);
      after = page.isEmpty() ? after : page.getLast().attempt();
    } while (!page.isEmpty());
  }
}
