package io.dure.journal;

import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SnapshotItems;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The records for the accounting database, in a journal of their own (docs/accounting.md): in the
 * order of the events that made them, until they are delivered and old. One thread appends; any
 * other may do the rest.
 */
public final class AccountingLog implements AutoCloseable {
  private static final byte RECORDS = 1;
  private static final byte VERSION = 1;
  private static final int HEAD = 2 + 3 * Long.BYTES;
  private static final int RECORDS_A_MARK = 20_000;
  private static final RecordCodec<Entry> CODEC = RecordCodec.of(Entry.class).exact().sharing();

  private final Path directory;
  private final Journal journal;

  /** Heads of the first records of files, by the sequence of these. */
  private final Map<Long, Head> heads = new ConcurrentSkipListMap<>();

  /** Guards what follows, which belongs together. */
  private final ReentrantLock lock = new ReentrantLock();

  private long position;
  private int unmarked;

  /**
   * A record.
   *
   * @param position the count of the event that it is of
   */
  public record Entry(long position, AccountingRecord record) {}

  /**
   * What stands before the entries of a batch.
   *
   * @param previous position of the entry before them, 0 for none
   */
  private record Head(long previous, long last, Instant at) {}

  private AccountingLog(Path directory, RecoveredJournal found) throws IOException {
    this.directory = directory;
    journal = found.journal();
    journal.keepFrom(1); // until it is told what is delivered
    position = mark(found.snapshot());
    for (JournalRecord record : found.records()) {
      position = Math.max(position, head(record).last());
    }
  }

  /**
   * Opens the log of a directory, which is made if it is not there.
   *
   * @throws IOException as {@link RecoveredJournal#open} does
   */
  public static AccountingLog open(
      Path directory, JournalSettings settings, JournalListener listener) throws IOException {
    return of(directory, RecoveredJournal.open(directory, settings, listener));
  }

  /** The log in an opened journal. */
  static AccountingLog of(Path directory, RecoveredJournal found) throws IOException {
    boolean done = false;
    try {
      AccountingLog log = new AccountingLog(directory, found);
      found.origin().renew(found.journal().lastAppended());
      done = true;
      return log;
    } finally {
      if (!done) {
        found.journal().close();
      }
    }
  }

  private static long mark(@Nullable SnapshotItems snapshot) throws IOException {
    byte[] item = snapshot == null ? null : snapshot.open().next();
    return item == null ? 0 : ByteBuffer.wrap(item).getLong();
  }

  /** The last event that it has records of, 0 for none. */
  public long position() {
    lock.lock();
    try {
      return position;
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is room for more; see {@link Journal#accepting}. */
  public boolean accepting() {
    return journal.accepting();
  }

  /**
   * Appends the records of further events, all of each, and returns at once. What is of events that
   * it has records of is left out.
   *
   * @param at now
   */
  public void append(Instant at, List<Entry> entries) {
    lock.lock();
    try {
      long known = position;
      List<Entry> fresh = entries;
      if (!entries.isEmpty() && entries.getFirst().position() <= known) {
        fresh = entries.stream().filter(entry -> entry.position() > known).toList();
      }
      if (!fresh.isEmpty()) {
        var _ = journal.append(List.of(payload(at, known, fresh)));
        position = fresh.getLast().position();
        unmarked += fresh.size();
      }
    } finally {
      lock.unlock();
    }
  }

  private static byte[] payload(Instant at, long previous, List<Entry> entries) {
    RecordCodec<Entry>.Row row = CODEC.row();
    entries.forEach(row::add);
    byte[] body = row.toByteArray();
    return ByteBuffer.allocate(HEAD + body.length)
        .put(RECORDS)
        .put(VERSION)
        .putLong(previous)
        .putLong(entries.getLast().position())
        .putLong(at.toEpochMilli())
        .put(body)
        .array();
  }

  /**
   * Waits until everything that was appended is durable, and from time to time marks where it is,
   * so that the next opening need not read all of it. Not for the thread that appends.
   *
   * @throws IOException if the disk refuses, or the log is closed
   */
  public void sync() throws IOException, InterruptedException {
    long sequence;
    long known;
    boolean marks;
    lock.lock();
    try {
      sequence = journal.lastAppended();
      known = position;
      marks = unmarked >= RECORDS_A_MARK;
      unmarked = marks ? 0 : unmarked;
    } finally {
      lock.unlock();
    }
    journal.awaitDurable(sequence);
    if (marks) {
      journal.snapshot(sequence, ByteBuffer.allocate(Long.BYTES).putLong(known).array());
    }
  }

  /**
   * Lets go of what is delivered and older than that, file by file, with the next mark.
   *
   * @param delivered position up to which the database has the records
   * @param before what was appended later stays
   */
  public void release(long delivered, Instant before) throws IOException {
    long keep = 1;
    for (Map.Entry<Long, Head> start : starts().entrySet()) {
      Head head = start.getValue();
      if (head.previous() <= delivered && head.at().isBefore(before)) {
        keep = start.getKey();
      }
    }
    journal.keepFrom(keep);
  }

  /** The position behind which nothing is missing, up to the last. */
  public long reachesBackTo() throws IOException {
    for (Head head : starts().values()) {
      return head.previous();
    }
    return position();
  }

  /** Records behind a position, and those that are appended later. One thread. */
  public final class Follower implements AutoCloseable {
    private final JournalFollower records;
    private final long after;

    private Follower(JournalFollower records, long after) {
      this.records = records;
      this.after = after;
    }

    /**
     * Further records, of whole events; null while there are none that are durable.
     *
     * @throws IOException if the disk refuses, or they are not there any more
     */
    public @Nullable List<Entry> next() throws IOException {
      while (true) {
        JournalRecord record = records.next();
        if (record == null) {
          return null;
        }
        if (head(record).last() > after) {
          byte[] payload = record.payload();
          List<Entry> all = CODEC.decodeAll(Arrays.copyOfRange(payload, HEAD, payload.length));
          return all.stream().filter(entry -> entry.position() > after).toList();
        }
      }
    }

    @Override
    public void close() throws IOException {
      records.close();
    }
  }

  /**
   * Follows the records behind a position. Any thread.
   *
   * @throws IllegalArgumentException if some of them are there no more
   */
  public Follower follow(long after) throws IOException {
    long back = reachesBackTo();
    if (after < back) {
      throw new IllegalArgumentException(
          "the log does not reach back to " + after + " but " + back);
    }
    long from = journal.fileStarts().getFirst();
    for (Map.Entry<Long, Head> start : starts().entrySet()) {
      from = start.getValue().previous() <= after ? start.getKey() : from;
    }
    return new Follower(journal.follow(from - 1), after);
  }

  /** The heads of the first records of all files that have one. */
  private Map<Long, Head> starts() throws IOException {
    List<Long> files = journal.fileStarts();
    heads.keySet().retainAll(files);
    for (long start : files) {
      if (!heads.containsKey(start)) {
        try (JournalFollower first = journal.follow(start - 1)) {
          JournalRecord record = first.next();
          if (record != null) {
            heads.put(start, head(record));
          }
        }
      }
    }
    return new TreeMap<>(heads);
  }

  private Head head(JournalRecord record) throws JournalRefusedException {
    ByteBuffer payload = ByteBuffer.wrap(record.payload());
    if (payload.remaining() < HEAD || payload.get() != RECORDS || payload.get() != VERSION) {
      throw new JournalRefusedException(
          directory
              + ": record "
              + record.sequence()
              + " is of an unknown kind; start the newer program that wrote it");
    }
    return new Head(payload.getLong(), payload.getLong(), Instant.ofEpochMilli(payload.getLong()));
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
