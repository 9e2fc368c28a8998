package io.dure.accounting.retention;

import io.dure.accounting.AccountingDatabase;
import io.dure.model.config.accounting.RecordKind;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Reads what is old, some rows at a time, so that nobody waits for it and little is in memory. */
final class PeriodReader {
  private static final int DAY = 86_400;
  private static final List<Integer> SPANS = List.of(0, 1, 2);

  private final AccountingDatabase database;
  private final RowNames names;
  private final ZoneId zone;
  private final OldJobs jobs;

  PeriodReader(AccountingDatabase database, RowNames names, ZoneId zone) {
    this.database = database;
    this.names = names;
    this.zone = zone;
    jobs = new OldJobs(database, names);
  }

  private static List<ArchivedTable> tables(RecordKind kind) {
    return switch (kind) {
      case EVENTS -> List.of(ArchivedTable.OUTAGE, ArchivedTable.CAPACITY);
      case JOBS, STEPS, SUSPENSIONS -> List.of(ArchivedTable.JOB);
      case RESERVATIONS -> List.of(ArchivedTable.RESERVATION);
      case TRANSACTIONS -> List.of(ArchivedTable.TRANSACTION);
      case USAGE ->
          List.of(
              ArchivedTable.USUAL,
              ArchivedTable.SUM,
              ArchivedTable.CLUSTER_SUM,
              ArchivedTable.PAST);
    };
  }

  /** The time of the oldest row from a time on that is old, {@link AccountingDatabase#NEVER}. */
  long first(RecordKind kind, long from, long cutoff) {
    return database.reading(handle -> {
      long first = AccountingDatabase.NEVER;
      for (ArchivedTable table : tables(kind)) {
        for (int span : hasSpans(table) ? SPANS : List.of(0)) {
          first = Math.min(first, first(handle, table, span, from, bound(span, cutoff)));
        }
      }
      return first;
    });
  }

  /** The time from which on rows are not old. */
  private long end(ArchivedTable table, int span, long cutoff) {
    return table == ArchivedTable.CAPACITY
        ? database.reading(handle -> inForce(handle, cutoff))
        : bound(span, cutoff);
  }

  private static boolean hasSpans(ArchivedTable table) {
    return table.key().contains("span");
  }

  /** The begin of what a day or a month has that is not all old. */
  private long bound(int span, long cutoff) {
    ZonedDateTime at = Instant.ofEpochSecond(cutoff).atZone(zone);
    return switch (span) {
      case 0 -> cutoff;
      case 1 -> at.toLocalDate().atStartOfDay(zone).toEpochSecond();
      default -> at.toLocalDate().withDayOfMonth(1).atStartOfDay(zone).toEpochSecond();
    };
  }

  private long first(Handle handle, ArchivedTable table, int span, long from, long until) {
    long bound = table == ArchivedTable.CAPACITY ? Math.min(until, inForce(handle, until)) : until;
    try (Query query =
        handle.createQuery(
            "SELECT MIN(" + table.time() + ") FROM " + table.table() + where(table))) {
      return bind(query, table, span, from, bound)
          .map((row, _) -> {
            long first = row.getLong(1);
            return row.wasNull() ? AccountingDatabase.NEVER : first;
          })
          .one();
    }
  }

  /** By all columns of the key before the time, as the index is by them. */
  private static String where(ArchivedTable table) {
    return " WHERE cluster_id = :cluster"
        + (hasSpans(table) ? " AND span = :span" : "")
        + (table.key().contains("tres_id") ? " AND tres_id IN (SELECT id FROM tres)" : "")
        + " AND "
        + table.time()
        + " >= :from AND "
        + table.time()
        + " < :until";
  }

  private Query bind(Query query, ArchivedTable table, int span, long from, long until) {
    query.bind("cluster", names.cluster()).bind("from", from).bind("until", until);
    return hasSpans(table) ? query.bind("span", span) : query;
  }

  /** Since when the cluster has had what it had at a time. */
  private long inForce(Handle handle, long time) {
    return handle
        .createQuery(
            "SELECT COALESCE(MAX(start_time), 0) FROM capacity WHERE cluster_id = ? AND start_time"
                + " < ?")
        .bind(0, names.cluster())
        .bind(1, time)
        .mapTo(Long.class)
        .one();
  }

  /** Reads all rows of a time. */
  void read(RecordKind kind, OldPeriod period, RowSink sink) throws IOException {
    if (tables(kind).contains(ArchivedTable.JOB)) {
      jobs.read(kind, period, sink);
      return;
    }
    for (ArchivedTable table : tables(kind)) {
      for (int span : hasSpans(table) ? SPANS : List.of(0)) {
        long end = Math.min(period.until(), end(table, span, period.cutoff()));
        for (long from = period.from(); from < end; from += DAY) {
          long begin = from;
          List<ArchivedRow> rows =
              database.reading(
                  handle -> rows(handle, table, span, begin, Math.min(begin + DAY, end)));
          if (!rows.isEmpty()) {
            sink.take(rows);
          }
        }
      }
    }
  }

  private List<ArchivedRow> rows(
      Handle handle, ArchivedTable table, int span, long from, long until) {
    try (Query query =
        handle.createQuery(
            "SELECT * FROM " + table.table() + where(table) + " ORDER BY " + table.time())) {
      List<ArchivedRow> rows =
          bind(query, table, span, from, until).map((row, _) -> names.row(table, row)).list();
      return table == ArchivedTable.CAPACITY ? superseded(handle, rows) : rows;
    }
  }

  /** Without what the cluster still has, each with its end. */
  private List<ArchivedRow> superseded(Handle handle, List<ArchivedRow> rows) {
    List<ArchivedRow> over = new ArrayList<>();
    for (ArchivedRow row : rows) {
      handle
          .createQuery(
              "SELECT MIN(start_time) FROM capacity WHERE cluster_id = ? AND start_time > ?")
          .bind(0, names.cluster())
          .bind(1, row.number("start_time"))
          .mapTo(Long.class)
          .findOne()
          .ifPresent(end -> over.add(row.with(PastHours.END, end)));
    }
    return over;
  }
}
