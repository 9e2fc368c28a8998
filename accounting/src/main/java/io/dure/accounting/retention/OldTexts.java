package io.dure.accounting.retention;

import io.dure.accounting.AccountingDatabase;
import io.dure.model.job.Job;
import io.dure.protocol.codec.RecordCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Scripts and environments that no job names any more. A text knows when a job last told of it, and
 * is told again at least once on each day on which jobs name it; so all jobs that name it are gone
 * once those of the days around are.
 */
final class OldTexts {
  private static final Duration GRACE = Duration.ofDays(2);
  private static final int AT_ONCE = 500;
  private static final RecordCodec<Job> RECORD = RecordCodec.of(Job.class).exact();

  private final AccountingDatabase database;

  OldTexts(AccountingDatabase database) {
    this.database = database;
  }

  /** Removes them, where jobs that ended before a moment are gone. */
  void remove(Instant cutoff, BooleanSupplier goesOn) {
    // First: what comes later was told of later.
    Set<String> live = live();
    long before = Math.min(cutoff.getEpochSecond(), oldestAttempt()) - GRACE.toSeconds();
    List<String> old;
    String after = "";
    do {
      String last = after;
      old =
          database.reading(handle ->
              handle
                  .createQuery(
                      "SELECT id FROM job_text WHERE id > ? AND named_at < ? ORDER BY id LIMIT "
                          + AT_ONCE)
                  .bind(0, last)
                  .bind(1, before)
                  .mapTo(String.class)
                  .list());
      after = old.isEmpty() ? after : old.getLast();
      remove(old.stream().filter(id -> !live.contains(id)).toList(), before);
    } while (!old.isEmpty() && goesOn.getAsBoolean());
  }

  private void remove(List<String> ids, long before) {
    if (ids.isEmpty()) {
      return;
    }
    database
        .jdbi()
        .useTransaction(handle ->
            handle
                .createUpdate("DELETE FROM job_text WHERE id IN (<ids>) AND named_at < :before")
                .bindList("ids", ids)
                .bind("before", before)
                .execute());
  }

  /** Since when the oldest attempt was there of those that are over and kept. */
  private long oldestAttempt() {
    return database.reading(handle ->
        handle
            .createQuery("SELECT MIN(submit_time) FROM job WHERE end_time < ?")
            .bind(0, AccountingDatabase.NEVER)
            .map((row, _) -> {
              long first = row.getLong(1);
              return row.wasNull() ? AccountingDatabase.NEVER : first;
            })
            .one());
  }

  /** The texts of jobs that are not over, however old they are. */
  private Set<String> live() {
    return database.reading(handle -> {
      Set<String> live = new HashSet<>();
      handle
          .createQuery(
              "SELECT record FROM job WHERE cluster_id IN (SELECT id FROM cluster) AND end_time ="
                  + " ?")
          .bind(0, AccountingDatabase.NEVER)
          .map((row, _) -> RECORD.decode(row.getBytes(1)))
          .forEach(job -> live.addAll(OldJobs.texts(job)));
      return live;
    });
  }
}
