package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AttemptId;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * What was used, from the sums that the database keeps and from the rows of what still waits and
 * runs. Any thread.
 */
public final class UsageHistory {
  private static final UsageSpan.Window EMPTY = new UsageSpan.Window(0, 0);

  private final AccountingDatabase database;
  private final String cluster;
  private final ZoneId zone;

  /** The use of a cluster, by the hours of a time zone. */
  public UsageHistory(AccountingDatabase database, String cluster, ZoneId zone) {
    this.database = database;
    this.cluster = cluster;
    this.zone = zone;
  }

  /** The sums of spans that begin between two times. */
  private record Segment(UsageSpan span, long from, long until) {}

  /**
   * Answers a question.
   *
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer
   */
  public UsageReport report(UsageQuery query, Instant now, List<String> trackedTres) {
    return database.reading(handle -> {
      Long id = AccountingDatabase.clusterNumber(handle, cluster);
      if (id != null && query.part() == UsageQuery.Part.RESERVATIONS) {
        long end = query.until().getEpochSecond();
        return report(List.of(), trackedTres)
            .withReservations(
                ClusterTables.reservations(
                    handle, id, query.from().getEpochSecond(), end, now.getEpochSecond(), false));
      }
      UsageSpan.Window window = id == null ? EMPTY : known(handle, id, window(query, now));
      if (id == null || window.from() >= window.until()) {
        return new UsageReport(cluster, List.of(), List.of(), List.of(), trackedTres);
      }
      return switch (query.part()) {
        case RESERVATIONS -> report(List.of(), trackedTres);
        case OWNERS -> report(owners(handle, id, window, query.tres()), trackedTres);
        case CLUSTER -> {
          ClusterUtilization all = new ClusterUtilization(handle, id, window, zone, query.tres());
          yield new UsageReport(cluster, List.of(), all.rows(), List.of(), trackedTres);
        }
        case JOB_SIZES ->
            new UsageReport(
                cluster,
                List.of(),
                List.of(),
                JobSizes.of(handle, id, window, query.jobs()),
                trackedTres);
      };
    });
  }

  private UsageReport report(List<UsageReport.OwnerUse> owners, List<String> trackedTres) {
    return new UsageReport(cluster, owners, List.of(), List.of(), trackedTres);
  }

  /** Without what lies before all that the database has, as a question may reach back any time. */
  private UsageSpan.Window known(Handle handle, long id, UsageSpan.Window asked) {
    long first =
        handle
            .createQuery(
                "SELECT MIN(first) FROM (SELECT MIN(start_time) AS first FROM capacity WHERE"
                    + " cluster_id = :cluster UNION ALL SELECT MIN(start_time) FROM cluster_sum"
                    + " WHERE cluster_id = :cluster UNION ALL SELECT MIN(start_time) FROM"
                    + " cluster_past WHERE cluster_id = :cluster UNION ALL SELECT MIN(submit_time)"
                    + " FROM job WHERE cluster_id = :cluster AND end_time = :never) known")
            .bind("cluster", id)
            .bind("never", SqlDialect.NEVER)
            .map((row, _) -> {
              long found = row.getLong(1);
              return row.wasNull() ? SqlDialect.NEVER : found;
            })
            .one();
    return first == SqlDialect.NEVER
        ? EMPTY
        : new UsageSpan.Window(
            Math.max(asked.from(), UsageSpan.HOUR.begin(first, zone)), asked.until());
  }

  private UsageSpan.Window window(UsageQuery query, Instant now) {
    long from = UsageSpan.HOUR.begin(Math.max(0, query.from().getEpochSecond()), zone);
    long last = UsageSpan.HOUR.begin(query.until().getEpochSecond() - 1, zone);
    return new UsageSpan.Window(
        from, Math.min(UsageSpan.HOUR.end(last, zone), now.getEpochSecond()));
  }

  private List<UsageReport.OwnerUse> owners(
      Handle handle, long id, UsageSpan.Window window, List<String> tres) {
    Map<AttemptUse.Owner, Map<String, Long>> sums = new TreeMap<>();
    Map<Long, Map<String, Long>> found = new HashMap<>();
    for (Segment segment : segments(window)) {
      OwnerTable.read(
          handle,
          id,
          segment.span(),
          new UsageSpan.Window(segment.from(), segment.until()),
          tres,
          (owner, one, seconds) ->
              found.computeIfAbsent(owner, _ -> new HashMap<>()).merge(one, seconds, Long::sum));
    }
    OwnerTable.owners(handle, id, found.keySet())
        .forEach((number, owner) -> {
          Map<String, Long> sum =
              sums.computeIfAbsent(owner, _ -> new TreeMap<>(TresAmounts.order()));
          found
              .getOrDefault(number, Map.of())
              .forEach((one, seconds) -> sum.merge(one, seconds, Long::sum));
        });
    addLive(handle, id, window, tres, sums);
    List<UsageReport.OwnerUse> rows = new ArrayList<>();
    sums.forEach((owner, amounts) ->
        amounts.forEach((one, seconds) -> {
          if (seconds != 0) {
            rows.add(
                new UsageReport.OwnerUse(
                    owner.account(), owner.user(), owner.wckey(), one, seconds));
          }
        }));
    return rows;
  }

  private static void addLive(
      Handle handle,
      long id,
      UsageSpan.Window window,
      List<String> tres,
      Map<AttemptUse.Owner, Map<String, Long>> sums) {
    List<AttemptUse> live = AttemptUses.running(handle, id);
    Map<AttemptId, List<AttemptUse.Interval>> pauses = AttemptUses.pauses(handle, id, live);
    for (AttemptUse use : live) {
      use.ran(
          pauses.getOrDefault(use.attempt(), List.of()),
          window.from(),
          window.until(),
          (from, to, held) -> {
            Map<String, Long> sum =
                sums.computeIfAbsent(use.owner(), _ -> new TreeMap<>(TresAmounts.order()));
            for (TresAmounts.Amount amount : held.amounts()) {
              if (tres.isEmpty() || tres.contains(amount.name())) {
                sum.merge(amount.name(), amount.amount() * (to - from), Long::sum);
              }
            }
          });
    }
  }

  /** A time as whole months, the whole days around them, and the hours around those. */
  private List<Segment> segments(UsageSpan.Window window) {
    List<Segment> segments = new ArrayList<>();
    UsageSpan[] spans = {UsageSpan.MONTH, UsageSpan.DAY, UsageSpan.HOUR};
    long at = window.from();
    while (at < window.until()) {
      for (UsageSpan span : spans) {
        long end = at;
        while (span.begin(end, zone) == end && span.end(end, zone) <= window.until()) {
          end = span.end(end, zone);
        }
        if (end == at && span == UsageSpan.HOUR) {
          end = window.until(); // the hour that is not over
        }
        if (end > at) {
          segments.add(new Segment(span, at, end));
          at = end;
          break;
        }
      }
    }
    return segments;
  }
}
