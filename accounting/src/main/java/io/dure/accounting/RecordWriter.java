package io.dure.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
import io.dure.model.jobtext.TextId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * Stores the records of one cluster, each once: the position of the last one moves in the same
 * transaction, and only from where the caller knows it to be. Any thread, one at a time.
 */
public final class RecordWriter {
  private static final Table JOBS = new Table("job", JobTable.KEY, JobTable.COLUMNS, List.of());
  private static final Table STEPS = new Table("step", StepTable.KEY, StepTable.COLUMNS, List.of());
  private static final Table TEXTS =
      new Table("job_text", List.of("id"), List.of("content"), List.of("named_at"));

  private final AccountingDatabase database;
  private final String cluster;
  private final String origin;
  private final ZoneId zone;
  private final Consumer<String> refused;

  /**
   * A writer for a cluster.
   *
   * @param origin the name that the cluster's state got when it was made
   * @param zone time zone of the hours, days and months that its use is summed up for
   * @param refused is told of a row that is left out, since the database refuses its values
   */
  public RecordWriter(
      AccountingDatabase database,
      String cluster,
      String origin,
      ZoneId zone,
      Consumer<String> refused) {
    this.zone = zone;
    this.refused = refused;
    this.database = database;
    this.cluster = cluster;
    this.origin = origin;
  }

  /**
   * A table and its columns.
   *
   * @param rising those of the columns that keep the larger one of two values; they come last
   */
  private record Table(String name, List<String> key, List<String> columns, List<String> rising) {
    String upsert(SqlDialect dialect, int rows) {
      return dialect.upsert(name, key, columns, rising, rows);
    }
  }

  private record ClusterRow(long id, String origin, long position, boolean summed) {}

  private Optional<ClusterRow> find(Handle handle) {
    return handle
        .createQuery("SELECT id, origin, position, summed FROM cluster WHERE name = ?")
        .bind(0, cluster)
        .map((row, _) ->
            new ClusterRow(row.getLong(1), row.getString(2), row.getLong(3), row.getInt(4) != 0))
        .findOne();
  }

  /**
   * The position up to which the database has the records of the cluster, 0 for none. A cluster
   * that it does not know is added.
   *
   * @throws UnusableDatabaseException if it knows another cluster of that name
   */
  public long position() {
    return database
        .jdbi()
        .inTransaction(handle -> {
          Optional<ClusterRow> known = find(handle);
          if (known.isEmpty()) {
            handle.execute(
                "INSERT INTO cluster (name, origin, position, summed) VALUES (?, ?, 0, 1)",
                cluster,
                origin);
            return 0L;
          }
          if (known.get().origin().isEmpty()) {
            // Accounts were made for it before it came.
            handle.execute("UPDATE cluster SET origin = ? WHERE name = ?", origin, cluster);
          } else {
            requireOwn(known.get());
          }
          if (!known.get().summed()) {
            recount(handle, known.get().id());
          }
          return known.get().position();
        });
  }

  private void requireOwn(ClusterRow known) {
    if (!known.origin().isEmpty() && !known.origin().equals(origin)) {
      throw new UnusableDatabaseException(
          "the accounting database has records of another cluster "
              + cluster
              + " (origin "
              + known.origin()
              + ", this one "
              + origin
              + "): give one of them another ClusterName",
          new IllegalStateException());
    }
  }

  /**
   * Does nothing unless the database knows another cluster of that name.
   *
   * @throws UnusableDatabaseException if it does
   */
  public void check() {
    database.jdbi().withHandle(this::find).ifPresent(this::requireOwn);
  }

  /** A release that kept no sums made the rows, or the sums are to be made anew. */
  private void recount(Handle handle, long id) {
    handle.execute("UPDATE cluster SET summed = 1 WHERE id = ?", id);
    UsageSums.recount(handle, database, id, zone);
  }

  /**
   * Stores further records, all or none.
   *
   * @param expected the position after the last call
   * @param position of the last of these records
   * @throws StalePositionException if the database is at another position
   * @throws org.jdbi.v3.core.JdbiException if it does not answer; whether they are stored is then
   *     unknown, and the position tells
   */
  public void store(long expected, List<AccountingRecord> records, long position)
      throws StalePositionException {
    boolean stored;
    try {
      stored =
          store(expected, records, position, new TableRow.RowWriter.Together(database.dialect()));
    } catch (JdbiException e) {
      if (!DatabaseFailure.isOfData(e, database.dialect())) {
        throw e;
      }
      stored =
          store(
              expected,
              records,
              position,
              new TableRow.RowWriter.Separately(database.dialect(), refused));
    }
    if (!stored) {
      throw new StalePositionException(cluster, expected);
    }
  }

  private boolean store(
      long expected, List<AccountingRecord> records, long position, TableRow.RowWriter rows) {
    return database
        .jdbi()
        .inTransaction(handle -> {
          int moved =
              handle.execute(
                  "UPDATE cluster SET position = ? WHERE name = ? AND origin = ? AND position = ?",
                  position,
                  cluster,
                  origin,
                  expected);
          if (moved == 1) {
            write(handle, records, rows);
          }
          return moved == 1;
        });
  }

  private void write(Handle handle, List<AccountingRecord> records, TableRow.RowWriter rows) {
    long id = find(handle).orElseThrow().id();
    Map<AttemptId, AccountingRecord.JobAttempt> newest = new LinkedHashMap<>();
    Map<StepTable.Key, StepTable> changed = new LinkedHashMap<>();
    List<AccountingRecord.StepPart> parts = new ArrayList<>();
    Map<TextId, JobTextTable.Said> said = new LinkedHashMap<>();
    for (AccountingRecord record : records) {
      switch (record) {
        case AccountingRecord.JobAttempt attempt -> newest.put(attempt.attempt(), attempt);
        case AccountingRecord.StepBegun begun ->
            changed.put(new StepTable.Key(begun.attempt(), begun.step()), StepTable.begun(begun));
        case AccountingRecord.JobText text ->
            said.put(text.id(), said(text, newest.get(text.attempt())));
        case AccountingRecord.StepPart part -> parts.add(part);
        case AccountingRecord.JobPause _,
            AccountingRecord.NodeOutage _,
            AccountingRecord.NodesOut _,
            AccountingRecord.ClusterCapacity _,
            AccountingRecord.AccountsChange _,
            AccountingRecord.ReservationTime _ ->
            rows.write(
                handle,
                ClusterTables.subject(record),
                () -> ClusterTables.write(handle, id, record));
        case AccountingRecord.JobOver _ -> {} // of no account here
        case AccountingRecord.JobCorrected put -> correct(handle, id, put, newest);
      }
    }
    readStored(handle, id, parts, changed);
    for (AccountingRecord.StepPart part : parts) {
      StepTable row = changed.get(new StepTable.Key(part.attempt(), part.step()));
      if (row != null) {
        row.ended(part);
      }
    }
    Map<AttemptId, AttemptUse> before = AttemptUses.counted(handle, id, newest.keySet());
    List<AccountingRecord.JobAttempt> attempts = new ArrayList<>(newest.values());
    List<Integer> left =
        rows.write(
            handle, upsert(JOBS), attempts.stream().map(job -> JobTable.row(id, job)).toList());
    // What has no row is not counted: its next record would count it again.
    left.reversed().forEach(place -> attempts.remove(place.intValue()));
    rows.write(handle, "sums of use", () -> count(handle, id, attempts, before));
    var _ =
        rows.write(
            handle, upsert(STEPS), changed.values().stream().map(step -> step.row(id)).toList());
    var _ = rows.write(handle, upsert(TEXTS), JobTextTable.rows(said));
  }

  /**
   * Ends attempts that are not over and that the cluster does not have any more, with their steps:
   * a run when it began, another when it was eligible or submitted. A record that comes later
   * replaces that end.
   *
   * @return how many they were
   */
  public int end(List<AttemptId> attempts, String actor, Instant now) {
    return database
        .jdbi()
        .inTransaction(handle -> {
          // Batches of records wait, and are not overtaken.
          handle.execute("UPDATE cluster SET position = position WHERE name = ?", cluster);
          Optional<ClusterRow> known = find(handle);
          return known.isEmpty() ? 0 : end(handle, known.get().id(), attempts, actor, now);
        });
  }

  private static AccountingRecord.JobAttempt over(ResultSet row) throws SQLException {
    Job job = JobTable.RECORD.decode(row.getBytes(3));
    return new AccountingRecord.JobAttempt(
        new AttemptId(row.getInt(1), row.getInt(2)),
        JobTable.over(job),
        false,
        JobTable.askedBilling(row.getString(4), job));
  }

  private int end(Handle handle, long id, List<AttemptId> attempts, String actor, Instant now) {
    List<AccountingRecord> ends = new ArrayList<>();
    for (List<Integer> jobs : AttemptUses.idLists(attempts)) {
      handle
          .createQuery(
              "SELECT job_id, attempt, record, tres_req FROM job WHERE cluster_id = :cluster AND job_id IN"
                  + " (<jobs>) AND end_time = :never ORDER BY job_id, attempt")
          .bind("cluster", id)
          .bind("never", SqlDialect.NEVER)
          .bindList("jobs", jobs)
          .map((row, _) -> over(row))
          .stream()
          .filter(one -> attempts.contains(one.attempt()))
          .forEach(ends::add);
    }
    for (AccountingRecord one : ends) {
      if (one instanceof AccountingRecord.JobAttempt(AttemptId attempt, _, _, _)) {
        for (String table : List.of("step", "suspension")) {
          handle.execute(
              "UPDATE "
                  + table
                  + " SET end_time = start_time WHERE cluster_id = ? AND job_id = ? AND attempt = ?"
                  + " AND end_time = ?",
              id,
              attempt.jobId(),
              attempt.number(),
              SqlDialect.NEVER);
        }
        ClusterTables.write(handle, id, JobTable.told(attempt, actor, now));
      }
    }
    write(handle, ends, new TableRow.RowWriter.Together(database.dialect()));
    return ends.size();
  }

  /** Puts an attempt right, as it is after the records before; one that is gone stays gone. */
  private static void correct(
      Handle handle,
      long cluster,
      AccountingRecord.JobCorrected put,
      Map<AttemptId, AccountingRecord.JobAttempt> newest) {
    AttemptId attempt = put.attempt();
    Optional.ofNullable(newest.get(attempt))
        .or(() -> stored(handle, cluster, attempt))
        .ifPresent(one ->
            newest.put(
                attempt,
                new AccountingRecord.JobAttempt(
                    attempt, put.correction().of(one.job()), one.requeued(), one.askedBilling())));
  }

  private static Optional<AccountingRecord.JobAttempt> stored(
      Handle handle, long cluster, AttemptId attempt) {
    return handle
        .createQuery(
            "SELECT record, requeued, tres_req FROM job WHERE cluster_id = ? AND job_id = ? AND"
                + " attempt = ?")
        .bind(0, cluster)
        .bind(1, attempt.jobId())
        .bind(2, attempt.number())
        .map((row, _) -> {
          Job job = JobTable.RECORD.decode(row.getBytes(1));
          return new AccountingRecord.JobAttempt(
              attempt, job, row.getInt(2) != 0, JobTable.askedBilling(row.getString(3), job));
        })
        .findOne();
  }

  /** A text is told with the job that names it. */
  private static JobTextTable.Said said(
      AccountingRecord.JobText text, AccountingRecord.@Nullable JobAttempt of) {
    return new JobTextTable.Said(
        text.text(), JobTable.seconds(of == null ? null : of.job().attemptTime()));
  }

  private IntFunction<String> upsert(Table table) {
    return count -> table.upsert(database.dialect(), count);
  }

  /** Changes the sums by what attempts that are over used, instead of what they used before. */
  private void count(
      Handle handle,
      long id,
      Collection<AccountingRecord.JobAttempt> attempts,
      Map<AttemptId, AttemptUse> before) {
    List<AttemptUse> first = new ArrayList<>();
    List<AttemptUse> more = new ArrayList<>();
    List<AttemptUse> less = new ArrayList<>();
    for (AccountingRecord.JobAttempt attempt : attempts) {
      AttemptUse now = JobTable.use(attempt);
      AttemptUse known = before.get(attempt.attempt());
      if (!now.equals(known)) {
        if (now.over()) {
          (known == null ? first : more).add(now);
        }
        if (known != null) {
          less.add(known);
        }
      }
    }
    UsageSums sums = new UsageSums(database.dialect(), zone);
    count(handle, id, sums, first, 1);
    sums.write(handle, id);
    if (!less.isEmpty()) {
      UsageSums changes = UsageSums.ofKept(handle, database.dialect(), id, zone);
      count(handle, id, changes, more, 1);
      count(handle, id, changes, less, -1);
      changes.write(handle, id);
    }
  }

  private static void count(
      Handle handle, long id, UsageSums sums, List<AttemptUse> uses, int sign) {
    Map<AttemptId, List<AttemptUse.Interval>> pauses = AttemptUses.pauses(handle, id, uses);
    uses.forEach(use -> sums.count(use, pauses.getOrDefault(use.attempt(), List.of()), sign));
  }

  /** Adds the steps that began in earlier batches. */
  private static void readStored(
      Handle handle,
      long cluster,
      List<AccountingRecord.StepPart> parts,
      Map<StepTable.Key, StepTable> changed) {
    Set<StepTable.Key> missing = new LinkedHashSet<>();
    for (AccountingRecord.StepPart part : parts) {
      StepTable.Key key = new StepTable.Key(part.attempt(), part.step());
      if (!changed.containsKey(key)) {
        missing.add(key);
      }
    }
    for (List<Integer> jobs :
        AttemptUses.idLists(missing.stream().map(StepTable.Key::attempt).toList())) {
      handle
          .createQuery(
              // The range: AttemptUses.counted says why.
              "SELECT job_id, attempt, step, start_time, node_list, tasks, launched, exit_code,"
                  + " exit_signal, end_time, used FROM step WHERE cluster_id = :cluster"
                  + " AND job_id BETWEEN :first AND :last AND job_id IN (<jobs>)")
          .bind("cluster", cluster)
          .bind("first", jobs.getFirst())
          .bind("last", jobs.getLast())
          .bindList("jobs", jobs)
          .map((row, _) -> {
            StepTable.Key key = key(row);
            return Map.entry(key, row(key, row));
          })
          .forEach(entry -> {
            if (missing.contains(entry.getKey())) {
              changed.put(entry.getKey(), entry.getValue());
            }
          });
    }
  }

  private static StepTable.Key key(ResultSet row) throws SQLException {
    return new StepTable.Key(new AttemptId(row.getInt(1), row.getInt(2)), row.getInt(3));
  }

  private static StepTable row(StepTable.Key key, ResultSet row) throws SQLException {
    byte[] launched = row.getBytes(7);
    byte[] used = row.getBytes(11);
    return new StepTable(
        key,
        new StepTable.Beginning(
            row.getLong(4),
            row.getString(5),
            row.getInt(6),
            launched == null ? null : StepTable.LAUNCHED.decode(launched)),
        new ExitStatus(row.getInt(8), row.getInt(9)),
        row.getLong(10),
        used == null ? null : StepTable.USED.decode(used));
  }
}
