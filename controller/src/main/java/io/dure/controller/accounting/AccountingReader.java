package io.dure.controller.accounting;

import io.dure.accounting.StalePositionException;
import io.dure.journal.AccountingLog;
import io.dure.model.accounting.record.AccountingRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Brings records from the log to the books, each once and in order, from the position that the
 * books had when it began. After a failure the next reader begins where the books are then. One
 * thread.
 */
public final class AccountingReader implements AutoCloseable {
  private static final int RECORDS_A_BATCH = 10_000;

  /**
   * Bytes of records, and characters of scripts and environments, behind which a batch takes no
   * more: it is in memory as a whole, and slurmdbd refuses one beyond its bound.
   */
  private static final long BYTES_A_BATCH = 16L << 20;

  /** How long delivered records are kept, for a database that is restored from a backup. */
  private static final Duration KEEP = Duration.ofDays(2);

  private final AccountingLog records;
  private final Books books;
  private final Release release;
  private final Logger log;
  private final AccountingLog.Follower follower;
  private long position;

  /**
   * When records are let go of.
   *
   * @param clock by which they become old
   * @param needed the count of events behind which others than the books still need records
   */
  public record Release(InstantSource clock, LongSupplier needed) {}

  /** The database, as it is written. */
  public interface Books {
    /**
     * Stores further records, all or none, and with them where they end.
     *
     * @param expected the position before
     * @throws StalePositionException if the books are at another position
     * @throws IOException if they do not answer
     */
    void store(long expected, List<AccountingRecord> records, long position)
        throws StalePositionException, IOException;
  }

  /**
   * Begins.
   *
   * @param position that the books have
   * @throws IOException if the disk refuses
   */
  public AccountingReader(
      AccountingLog records, Books books, long position, Release release, Logger log)
      throws IOException {
    this.records = records;
    this.books = books;
    this.position = position;
    this.release = release;
    this.log = log;
    follower = records.follow(Math.max(position, records.reachesBackTo()));
  }

  /**
   * Delivers a batch of what is durable in the log. A reader that threw is of no more use: it may
   * be behind records that the books do not have.
   *
   * @return false if there is nothing more
   * @throws IOException if the disk refuses, or the books do not answer
   */
  public boolean deliver() throws StalePositionException, IOException {
    AccountingLog.@Nullable Batch next = follower.next();
    if (next == null) {
      return false;
    }
    List<AccountingRecord> batch = new ArrayList<>();
    long last = position;
    long bytes = 0;
    while (next != null) {
      if (next.previous() > last) {
        log.error(
            "accounting database: the records of events {} to {} are not there any more, and are"
                + " missing",
            last + 1,
            next.previous());
      }
      for (AccountingLog.Entry entry : next.entries()) {
        if (entry.record() instanceof AccountingRecord.JobOver) {
          continue; // of no account there
        }
        batch.add(entry.record());
      }
      last = next.last();
      bytes += next.bytes();
      boolean full = batch.size() >= RECORDS_A_BATCH || bytes >= BYTES_A_BATCH;
      next = full ? null : follower.next();
    }
    books.store(position, batch, last);
    position = last;
    releaseUpTo(records, Math.min(position, release.needed().getAsLong()), release.clock());
    return true;
  }

  /** Lets go of what is delivered and old. */
  static void releaseUpTo(AccountingLog records, long delivered, InstantSource clock)
      throws IOException {
    records.release(delivered, clock.instant().minus(KEEP));
  }

  @Override
  public void close() throws IOException {
    follower.close();
  }
}
