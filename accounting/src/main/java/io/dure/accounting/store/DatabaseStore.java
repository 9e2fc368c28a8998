package io.dure.accounting.store;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.ClusterLines;
import io.dure.accounting.DatabaseFailure;
import io.dure.accounting.JobHistory;
import io.dure.accounting.RecordWriter;
import io.dure.accounting.StalePositionException;
import io.dure.accounting.UnusableDatabaseException;
import io.dure.accounting.UsageHistory;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Supplier;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;

/** Records in a database. Any thread. */
public final class DatabaseStore implements AccountingStore {
  private final AccountingDatabase database;
  private final ZoneId zone;
  private final List<String> privateData;
  private final Logger log;

  /**
   * The records of a database, which need not answer.
   *
   * @param zone time zone of the hours, days and months that use is summed up for
   * @param privateData what of them is hidden from others
   */
  public DatabaseStore(
      AccountingDatabase database, ZoneId zone, List<String> privateData, Logger log) {
    this.privateData = privateData;
    this.database = database;
    this.zone = zone;
    this.log = log;
  }

  @Override
  public String name() {
    return database.name();
  }

  @Override
  public List<String> privateData() {
    return privateData;
  }

  @Override
  public boolean isShared() {
    return database.isShared();
  }

  private static <R> R answer(Supplier<R> question) throws IOException {
    try {
      return question.get();
    } catch (JdbiException | UnusableDatabaseException e) {
      throw new IOException(DatabaseFailure.message(e), e);
    }
  }

  /** Gives the database the present schema, and says so in the log. */
  public void migrate() throws IOException {
    int steps = answer(database::migrate);
    if (steps > 0) {
      log.info("accounting database: {} migrations done", steps);
    }
  }

  /**
   * Does nothing if a cluster is the one that the records of its name are of, or there are none.
   *
   * @param origin the name that the cluster's state got when it was made
   * @throws IOException if it is another one, or the database does not answer
   */
  public void check(String cluster, String origin) throws IOException {
    RecordWriter writer = new RecordWriter(database, cluster, origin, zone, log::error);
    answer(() -> {
      writer.check();
      return cluster;
    });
  }

  @Override
  public RecordSink sink(String cluster, String origin) throws IOException {
    migrate();
    RecordWriter writer =
        new RecordWriter(
            database,
            cluster,
            origin,
            zone,
            row ->
                log.error(
                    "accounting database ({}): refuses a row, which is left out: {}",
                    database.name(),
                    row));
    return new RecordSink() {
      @Override
      public long position() throws IOException {
        return answer(writer::position);
      }

      @Override
      public void store(long expected, List<AccountingRecord> records, long position)
          throws StalePositionException, IOException {
        try {
          writer.store(expected, records, position);
        } catch (JdbiException e) {
          throw new IOException(DatabaseFailure.message(e), e);
        }
      }
    };
  }

  @Override
  public JobHistory.Page find(String cluster, JobHistoryQuery query, Instant now)
      throws IOException {
    return answer(() -> new JobHistory(database, cluster).find(query, now));
  }

  @Override
  public UsageReport usage(String cluster, UsageQuery query, Instant now, List<String> tracked)
      throws IOException {
    return answer(() -> new UsageHistory(database, cluster, zone).report(query, now, tracked));
  }

  @Override
  public ClusterHistory history(String cluster, ClusterHistoryQuery query) throws IOException {
    return answer(() -> new ClusterLines(database, cluster).find(query));
  }

  /**
   * The position up to which it has the records of a cluster, 0 for one that it does not know.
   *
   * @throws IOException if the database does not answer
   */
  public long position(String cluster) throws IOException {
    return answer(() ->
        database.reading(handle ->
            handle
                .createQuery("SELECT position FROM cluster WHERE name = ?")
                .bind(0, cluster)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L)));
  }

  @Override
  public void end(String cluster, List<AttemptId> attempts, String actor, Instant now)
      throws IOException {
    RecordWriter writer = new RecordWriter(database, cluster, "", zone, log::error);
    answer(() -> writer.end(attempts, actor, now));
  }

  @Override
  public void close() {
    database.close();
  }
}
