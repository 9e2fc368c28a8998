package io.dure.accounting.retention;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.ClusterUtilization;
import io.dure.accounting.TresTable;
import io.dure.model.accounting.TresAmounts;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * What rows of capacities and outages say of each hour, for the time after they are gone: reports
 * of the past stay as they were.
 */
final class PastHours {
  private static final int HOUR = 3600;
  private static final List<String> KEY = List.of("cluster_id", "tres_id", "start_time");
  private static final List<String> SUMS = List.of("total", "down", "planned_down");

  private final AccountingDatabase database;
  private final ZoneId zone;

  PastHours(AccountingDatabase database, ZoneId zone) {
    this.database = database;
    this.zone = zone;
  }

  private record Hour(String tres, long begin) implements Comparable<Hour> {
    @Override
    public int compareTo(Hour other) {
      int byTres = tres.compareTo(other.tres);
      return byTres != 0 ? byTres : Long.compare(begin, other.begin);
    }
  }

  /** The time of a capacity's end, which is the begin of the next one. */
  static final String END = "end_time";

  /** The place of a row's amounts among {@link #SUMS}, null for rows that say nothing of hours. */
  private static @Nullable Integer place(ArchivedRow row) {
    return switch (row.table()) {
      case CAPACITY -> 0;
      case OUTAGE -> ClusterUtilization.onPurpose(row.text("state")) ? 2 : 1;
      case JOB, STEP, SUSPENSION, TEXT, RESERVATION, TRANSACTION, USUAL, SUM, CLUSTER_SUM, PAST ->
          null;
    };
  }

  /** A row is gone, or ({@code sign} -1) has come back. */
  void count(Handle handle, long cluster, ArchivedRow row, int sign) {
    Integer place = place(row);
    if (place == null) {
      return;
    }
    Map<Hour, Long> hours = new TreeMap<>();
    long from = row.number("start_time");
    long until = row.number(END);
    for (TresAmounts.Amount amount : TresTable.read(row.text("tres")).amounts()) {
      long begin = begin(from);
      while (begin < until && amount.amount() != 0) {
        long seconds = Math.min(begin + HOUR, until) - Math.max(begin, from);
        hours.put(new Hour(amount.name(), begin), sign * seconds * amount.amount());
        begin += HOUR;
      }
    }
    write(handle, cluster, hours, place);
  }

  private long begin(long time) {
    long offset = zone.getRules().getOffset(Instant.ofEpochSecond(time)).getTotalSeconds();
    return time - Math.floorMod(time + offset, (long) HOUR);
  }

  private void write(Handle handle, long cluster, Map<Hour, Long> hours, int place) {
    if (hours.isEmpty()) {
      return;
    }
    Map<String, Long> numbers = new TreeMap<>();
    try (PreparedBatch batch =
        handle.prepareBatch(database.accumulation("cluster_past", KEY, SUMS))) {
      hours.forEach((hour, seconds) -> {
        long tres = numbers.computeIfAbsent(hour.tres(), name -> TresTable.number(handle, name));
        batch.bind(0, cluster).bind(1, tres).bind(2, hour.begin());
        for (int i = 0; i < SUMS.size(); i++) {
          batch.bind(3 + i, i == place ? seconds : 0L);
        }
        var _ = batch.add();
      });
      var _ = batch.execute();
    }
  }
}
