package io.dure.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.jobtext.TextId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * Stores the records of one cluster, each once: the position of the last one moves in the same
 * transaction, and only from where the caller knows it to be. Any thread, one at a time.
 */
public final class RecordWriter {
  private final AccountingDatabase database;
  private final String cluster;
  private final String origin;
  private final ZoneId zone;
  private final String jobs;
  private final String steps;
  private final String texts;

  /**
   * A writer for a cluster.
   *
   * @param origin the name that the cluster's state got when it was made
   * @param zone by whose hours, days and months its use is summed up
   */
  public RecordWriter(AccountingDatabase database, String cluster, String origin, ZoneId zone) {
    this.zone = zone;
    this.database = database;
    this.cluster = cluster;
    this.origin = origin;
    jobs = database.dialect().upsert("job", JobTable.KEY, JobTable.COLUMNS);
    steps = database.dialect().upsert("step", StepTable.KEY, StepTable.COLUMNS);
    texts = TextTable.upsert(database.dialect());
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
          if (!known.get().origin().equals(origin)) {
            throw new UnusableDatabaseException(
                "the accounting database has records of another cluster "
                    + cluster
                    + " (origin "
                    + known.get().origin()
                    + ", this one "
                    + origin
                    + "): give one of them another ClusterName",
                new IllegalStateException());
          }
          if (!known.get().summed()) {
            recount(handle, known.get().id());
          }
          return known.get().position();
        });
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
    boolean stored =
        database
            .jdbi()
            .inTransaction(handle ->
                handle.execute(
                            "UPDATE cluster SET position = ? WHERE name = ? AND origin = ?"
                                + " AND position = ?",
                            position,
                            cluster,
                            origin,
                            expected)
                        == 1
                    && write(handle, records));
    if (!stored) {
      throw new StalePositionException(cluster, expected);
    }
  }

  private boolean write(Handle handle, List<AccountingRecord> records) {
    long id = find(handle).orElseThrow().id();
    Map<AttemptId, AccountingRecord.JobAttempt> newest = new LinkedHashMap<>();
    Map<StepTable.Key, StepTable> changed = new LinkedHashMap<>();
    List<AccountingRecord.StepPart> parts = new ArrayList<>();
    Map<TextId, String> said = new LinkedHashMap<>();
    for (AccountingRecord record : records) {
      switch (record) {
        case AccountingRecord.JobAttempt attempt -> newest.put(attempt.attempt(), attempt);
        case AccountingRecord.StepBegun begun ->
            changed.put(new StepTable.Key(begun.attempt(), begun.step()), StepTable.begun(begun));
        case AccountingRecord.JobText text -> said.put(text.id(), text.text());
        case AccountingRecord.StepPart part -> parts.add(part);
        case AccountingRecord.JobPause pause -> ClusterTables.write(handle, id, pause);
        case AccountingRecord.NodeOutage outage -> ClusterTables.write(handle, id, outage);
        case AccountingRecord.ClusterCapacity has -> ClusterTables.write(handle, id, has);
        case AccountingRecord.AccountsChange change -> ClusterTables.write(handle, id, change);
      }
    }
    for (AccountingRecord.StepPart part : parts) {
      StepTable row =
          changed.computeIfAbsent(
              new StepTable.Key(part.attempt(), part.step()), key -> stored(handle, id, key));
      if (row != null) {
        row.ended(part);
      }
    }
    writeJobs(handle, id, newest);
    TextTable.write(handle, texts, said);
    if (!changed.isEmpty()) {
      PreparedBatch batch = handle.prepareBatch(steps);
      changed.values().forEach(row -> row.add(batch, id));
      var _ = batch.execute();
    }
    return true;
  }

  private void writeJobs(
      Handle handle, long id, Map<AttemptId, AccountingRecord.JobAttempt> attempts) {
    if (attempts.isEmpty()) {
      return;
    }
    Map<AttemptId, AttemptUse> before = AttemptUses.of(handle, id, attempts.keySet());
    PreparedBatch batch = handle.prepareBatch(jobs);
    for (AccountingRecord.JobAttempt attempt : attempts.values()) {
      JobTable.add(batch, id, attempt);
    }
    var _ = batch.execute();
    count(handle, id, attempts.values(), before);
  }

  /** Changes the sums by what attempts that are over used, instead of what they used before. */
  private void count(
      Handle handle,
      long id,
      Collection<AccountingRecord.JobAttempt> attempts,
      Map<AttemptId, AttemptUse> before) {
    List<AttemptUse> more = new ArrayList<>();
    List<AttemptUse> less = new ArrayList<>();
    for (AccountingRecord.JobAttempt attempt : attempts) {
      AttemptUse now = JobTable.use(attempt);
      AttemptUse known = before.get(attempt.attempt());
      if (!now.equals(known)) {
        if (now.over()) {
          more.add(now);
        }
        if (known != null && known.over()) {
          less.add(known);
        }
      }
    }
    Map<AttemptId, List<AttemptUse.Interval>> pauses = AttemptUses.pauses(handle, id, more);
    pauses.putAll(AttemptUses.pauses(handle, id, less));
    UsageSums sums = new UsageSums(database.dialect(), zone);
    more.forEach(use -> sums.count(use, pauses.getOrDefault(use.attempt(), List.of()), 1));
    less.forEach(use -> sums.count(use, pauses.getOrDefault(use.attempt(), List.of()), -1));
    sums.write(handle, id);
  }

  private @Nullable StepTable stored(Handle handle, long id, StepTable.Key key) {
    return handle
        .createQuery(
            "SELECT start_time, node_list, tasks, launched, exit_code, exit_signal, end_time, used"
                + " FROM step WHERE cluster_id = ? AND job_id = ? AND attempt = ? AND step = ?")
        .bind(0, id)
        .bind(1, key.attempt().jobId())
        .bind(2, key.attempt().number())
        .bind(3, key.step())
        .map((row, _) -> row(key, row))
        .findOne()
        .orElse(null);
  }

  private static StepTable row(StepTable.Key key, ResultSet row) throws SQLException {
    byte[] launched = row.getBytes(4);
    byte[] used = row.getBytes(8);
    return new StepTable(
        key,
        new StepTable.Beginning(
            row.getLong(1),
            row.getString(2),
            row.getInt(3),
            launched == null ? null : StepTable.LAUNCHED.decode(launched)),
        new ExitStatus(row.getInt(5), row.getInt(6)),
        row.getLong(7),
        used == null ? null : StepTable.USED.decode(used));
  }
}
