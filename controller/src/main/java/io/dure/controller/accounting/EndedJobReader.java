package io.dure.controller.accounting;

import io.dure.journal.AccountingLog;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.job.Job;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The jobs that ended, in order, for JobCompType. One thread. */
public final class EndedJobReader {
  private final AccountingFeed feed;
  private final boolean alone;

  /**
   * Those of a log.
   *
   * @param alone whether nothing else lets go of what the log has
   */
  EndedJobReader(AccountingFeed feed, boolean alone) {
    this.feed = feed;
    this.alone = alone;
  }

  /**
   * A job that ended.
   *
   * @param position the count of the event that ended it
   */
  public record Ended(long position, Job job) {}

  /**
   * Waits until more than so many events are recorded, and durably.
   *
   * @return how many are; no more than before if there will be none
   * @throws IOException if the disk refuses
   */
  public long await(long events) throws InterruptedException, IOException {
    if (!feed.awaitMore(events)) {
      return events;
    }
    long recorded = feed.recorded();
    feed.log().sync();
    return recorded;
  }

  /**
   * The count of events behind which it has all.
   *
   * @throws IOException if the disk refuses
   */
  public long reachesBackTo() throws IOException {
    return feed.log().reachesBackTo();
  }

  /**
   * The jobs behind a position; those that are not there any more are left out.
   *
   * @throws IOException if the disk refuses
   */
  public Cursor behind(long position) throws IOException {
    return new Cursor(feed.log().follow(Math.max(position, feed.log().reachesBackTo())));
  }

  /**
   * Lets go of what is old before a position, unless what brings records to a database does.
   *
   * @throws IOException if the disk refuses
   */
  public void release(long position) throws IOException {
    if (alone) {
      AccountingReader.releaseUpTo(feed.log(), position, feed.clock());
    }
  }

  /** Reads on and on. */
  public static final class Cursor implements AutoCloseable {
    private final AccountingLog.Follower follower;

    private Cursor(AccountingLog.Follower follower) {
      this.follower = follower;
    }

    /**
     * The next ones that were recorded together, null while there are no more.
     *
     * @throws IOException if the disk refuses
     */
    public @Nullable List<Ended> next() throws IOException {
      AccountingLog.Batch batch = follower.next();
      if (batch == null) {
        return null;
      }
      List<Ended> ended = new ArrayList<>();
      for (AccountingLog.Entry entry : batch.entries()) {
        if (entry.record() instanceof AccountingRecord.JobOver(_, Job job)) {
          ended.add(new Ended(entry.position(), job));
        }
      }
      return ended;
    }

    @Override
    public void close() throws IOException {
      follower.close();
    }
  }
}
