package io.dure.accounting.retention;

import io.dure.accounting.AccountingDatabase;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.Workload;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that ended in a time, and what belongs to them: it is as old as its job. A job comes behind
 * all that belongs to it, so that nothing stays without its job where removing is cut short.
 */
final class OldJobs {
  private static final int AT_ONCE = 200;
  private static final int TEXTS = 100_000;
  private static final RecordCodec<Job> RECORD = RecordCodec.of(Job.class).exact();

  private final AccountingDatabase database;
  private final RowNames names;

  OldJobs(AccountingDatabase database, RowNames names) {
    this.database = database;
    this.names = names;
  }

  /** The job of a row. */
  static @Nullable Job job(ArchivedRow row) {
    return row.values().get("record") instanceof byte[] record ? RECORD.decode(record) : null;
  }

  /** The names of the texts of a job. */
  static List<String> texts(@Nullable Job job) {
    return job != null && job.workload() instanceof Workload.BatchSpec batch
        ? List.of(batch.script(), batch.environment()).stream()
            .filter(id -> !id.equals(TextId.EMPTY))
            .map(TextId::toString)
            .toList()
        : List.of();
  }

  void read(RecordKind kind, OldPeriod period, RowSink sink) throws IOException {
    long[] keys =
        database.reading(handle ->
            handle
                .createQuery(
                    "SELECT job_id, attempt FROM job WHERE cluster_id = ? AND end_time >= ? AND"
                        + " end_time < ?")
                .bind(0, names.cluster())
                .bind(1, period.from())
                .bind(2, period.until())
                .map((row, _) -> key(row.getLong(1), row.getLong(2)))
                .stream()
                .mapToLong(key -> key)
                .toArray());
    Arrays.sort(keys);
    Set<String> told = new HashSet<>();
    for (int from = 0; from < keys.length; from += AT_ONCE) {
      long[] some = Arrays.copyOfRange(keys, from, Math.min(keys.length, from + AT_ONCE));
      List<ArchivedRow> rows = database.reading(handle -> rows(handle, kind, some, period, told));
      if (!rows.isEmpty()) {
        sink.take(rows);
      }
    }
  }

  private static long key(long job, long attempt) {
    return job << 32 | attempt;
  }

  private static long key(ArchivedRow row) {
    return key(row.number("job_id"), row.number("attempt"));
  }

  private List<ArchivedRow> rows(
      Handle handle, RecordKind kind, long[] keys, OldPeriod period, Set<String> told) {
    List<Long> ids = Arrays.stream(keys).map(key -> key >>> 32).distinct().boxed().toList();
    Map<Long, List<ArchivedRow>> found = new TreeMap<>();
    List<ArchivedRow> old = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (ArchivedRow row : rows(handle, ArchivedTable.JOB, ids)) {
      long end = row.number("end_time");
      Job job = job(row);
      if (Arrays.binarySearch(keys, key(row)) >= 0
          && end >= period.from()
          && end < period.until()
          && isOver(row, job)) {
        old.add(row);
        found.put(key(row), new ArrayList<>());
        texts.addAll(texts(job));
      }
    }
    if (kind != RecordKind.STEPS) {
      add(found, rows(handle, ArchivedTable.SUSPENSION, ids));
    }
    if (kind != RecordKind.SUSPENSIONS) {
      add(found, rows(handle, ArchivedTable.STEP, ids));
    }
    List<ArchivedRow> rows = new ArrayList<>();
    if (kind == RecordKind.JOBS) {
      texts.removeAll(told);
      rows.addAll(texts(handle, texts));
      if (told.size() > TEXTS) {
        told.clear();
      }
      told.addAll(texts);
      for (ArchivedRow job : old) {
        rows.addAll(found.getOrDefault(key(job), List.of()));
        rows.add(job);
      }
      return rows;
    }
    found.values().forEach(rows::addAll);
    return rows;
  }

  /**
   * One that completes is still to come with the exit of its last node, unless it was requeued:
   * then what follows is of the next attempt.
   */
  private static boolean isOver(ArchivedRow row, @Nullable Job job) {
    return job == null
        || row.number("requeued") != 0
        || !(job.state() instanceof JobState.Completing);
  }

  private static void add(Map<Long, List<ArchivedRow>> found, List<ArchivedRow> rows) {
    for (ArchivedRow row : rows) {
      List<ArchivedRow> of = found.get(key(row));
      if (of != null) {
        of.add(row);
      }
    }
  }

  private List<ArchivedRow> rows(Handle handle, ArchivedTable table, List<Long> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    return handle
        .createQuery(
            "SELECT * FROM "
                + table.table()
                + " WHERE cluster_id = :cluster AND job_id BETWEEN :first AND :last AND job_id IN"
                + " (<ids>) ORDER BY job_id, attempt")
        .bind("cluster", names.cluster())
        .bind("first", ids.getFirst())
        .bind("last", ids.getLast())
        .bindList("ids", ids)
        .map((row, _) -> names.row(table, row))
        .list();
  }

  private List<ArchivedRow> texts(Handle handle, Set<String> ids) {
    List<String> sorted = ids.stream().sorted().toList();
    if (sorted.isEmpty()) {
      return List.of();
    }
    return handle
        .createQuery("SELECT * FROM job_text WHERE id IN (<ids>) ORDER BY id")
        .bindList("ids", sorted)
        .map((row, _) -> names.row(ArchivedTable.TEXT, row))
        .list();
  }
}
