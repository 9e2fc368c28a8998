package io.dure.controller.accounting;

import io.dure.journal.AccountingLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives other controllers of a group the records that they lack, part by part. One thread. */
public final class RecordGiver implements AutoCloseable {
  private static final int RECORDS_A_PART = 2000;

  /** With a last batch of 16 MiB and the records of one event less than the 64 MiB of a link. */
  private static final int BYTES_A_PART = 8 << 20;

  private final AccountingLog log;

  /** Behind the last part, for the next one of the same controller. */
  private AccountingLog.@Nullable Follower follower;

  private long at;

  /** With the log from which it gives. */
  public RecordGiver(AccountingLog log) {
    this.log = log;
  }

  /**
   * The answer to a message.
   *
   * @param complete count of events whose records are durable in the log
   * @return null if the message asks nothing, or this controller does not have it either
   * @throws IOException if the disk refuses
   */
  public byte @Nullable [] answer(byte[] frame, long complete) throws IOException {
    RecordSeeker.Wanted wanted = RecordSeeker.question(frame);
    if (wanted == null || complete <= wanted.after()) {
      return null;
    }
    AccountingLog.Follower source = from(wanted.after());
    boolean done = false;
    try {
      byte[] answer = answer(wanted, source, complete);
      done = true;
      return answer;
    } finally {
      if (!done) {
        close(); // it is behind what was read and is not given
      }
    }
  }

  private byte[] answer(RecordSeeker.Wanted wanted, AccountingLog.Follower source, long complete)
      throws IOException {
    long previous = at;
    long upTo = at;
    List<AccountingLog.Entry> entries = new ArrayList<>();
    long bytes = 0;
    boolean full = false;
    AccountingLog.Batch next = source.next();
    while (next != null) {
      if (next.previous() > upTo && !entries.isEmpty()) {
        close(); // the next part begins behind what is missing here, too
        return RecordSeeker.message(
            new RecordSeeker.Given(wanted.after(), previous, upTo, entries));
      }
      previous = next.previous() > upTo ? next.previous() : previous;
      entries.addAll(next.entries());
      upTo = next.last();
      bytes += next.bytes();
      full = entries.size() >= RECORDS_A_PART || bytes >= BYTES_A_PART;
      next = full ? null : source.next();
    }
    at = upTo;
    // Events at the end may have made no records.
    long end = full ? upTo : Math.max(upTo, complete);
    return RecordSeeker.message(new RecordSeeker.Given(wanted.after(), previous, end, entries));
  }

  private AccountingLog.Follower from(long after) throws IOException {
    AccountingLog.Follower known = follower;
    if (known != null && at == after) {
      return known;
    }
    close();
    at = Math.max(after, log.reachesBackTo());
    known = log.follow(at);
    follower = known;
    return known;
  }

  @Override
  public void close() throws IOException {
    if (follower != null) {
      follower.close();
      follower = null;
    }
  }
}
