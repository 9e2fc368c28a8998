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

  /** The position at the opening. */
  private final long opened;

  /**
   * A record.
   *
   * @param position the count of the event that it is of
   */
  public record Entry(long position, AccountingRecord record) {}

  /**
   * Records that were appended together.
   *
   * @param previous no records are missing between it and {@code last}; before it, those between
   *     the end of the batch before and it
   * @param last count of the events up to which it has the records
   * @param bytes that the entries take in the log
   */
  public record Batch(long previous, long last, List<Entry> entries, int bytes) {}

  /**
   * What stands before the entries of a batch.
   *
   * @param previous as in {@link Batch}: the position before them, unless records are missing
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
    opened = position;
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

  /** The log in an opened journal, which is closed if it is none. */
  public static AccountingLog of(Path directory, RecoveredJournal found) throws IOException {
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

  /**
   * The count of events up to which it has all records that it can have: at least that of the last
   * event that it has records of; 0 for none.
   */
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

  /** Records of further events, all of each, on their way into the log. One thread. */
  public static final class Part {
    private final RecordCodec<Entry>.Row row = CODEC.row();
    private final long previous;
    private long first = Long.MAX_VALUE;
    private long last;
    private int count;

    private Part(long position) {
      previous = position;
      last = position;
    }

    /** Adds a record, unless the log has it: one of an event that the log has the records of. */
    public void add(Entry entry) {
      if (entry.position() > previous) {
        row.add(entry);
        first = Math.min(first, entry.position());
        last = entry.position();
        count++;
      }
    }

    /** How much it will be in the log. */
    public int bytes() {
      return row.size();
    }
  }

  /**
   * An empty part behind what was appended, to be appended before further records are. Meanwhile
   * other threads may {@link #cover} events that it has none of.
   */
  public Part part() {
    return new Part(position());
  }

  /** A part of records behind so many events, to be appended once the log has those before. */
  public Part part(long behind) {
    return new Part(behind);
  }

  /**
   * Appends a part, and returns at once.
   *
   * @param at now
   */
  public void append(Instant at, Part part) {
    lock.lock();
    try {
      if (part.first <= position) {
        throw new IllegalArgumentException(
            "a part behind " + part.previous + ", and the log is at " + position);
      }
      if (part.count > 0) {
        append(at, position, part.last, part.row.toByteArray());
        unmarked += part.count;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends the records of further events, all of each, and returns at once. What is of events that
   * it has records of is left out.
   *
   * @param at now
   */
  public void append(Instant at, List<Entry> entries) {
    Part part = part();
    entries.forEach(part::add);
    append(at, part);
  }

  /**
   * Notes that all records of the first so many events were appended, as the last of these may have
   * made none. A log that is opened behind a snapshot of that state is known to be whole by it.
   */
  public void cover(Instant at, long count) {
    lock.lock();
    try {
      if (count > position) {
        append(at, position, count, new byte[0]);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the records up to that many events are not to be had: what follows is behind it. */
  public void skip(Instant at, long count) {
    lock.lock();
    try {
      if (count > position) {
        append(at, count, count, new byte[0]);
      }
    } finally {
      lock.unlock();
    }
  }

  private void append(Instant at, long previous, long last, byte[] body) {
    byte[] payload =
        ByteBuffer.allocate(HEAD + body.length)
            .put(RECORDS)
            .put(VERSION)
            .putLong(previous)
            .putLong(last)
            .putLong(at.toEpochMilli())
            .put(body)
            .array();
    var _ = journal.append(List.of(payload));
    position = last;
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
    return opened; // what was appended since then is there, though not durable yet
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
    public @Nullable Batch next() throws IOException {
      while (true) {
        JournalRecord record = records.next();
        if (record == null) {
          return null;
        }
        if (head(record).last() > after) {
          return batch(directory, record, after);
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

  /** Takes the batches of a log. */
  public interface BatchSink {
    /** Takes the next one. */
    void take(Batch batch) throws IOException;
  }

  /**
   * Reads all that a directory has, in order. Only reads, so a controller may write there.
   *
   * @throws IOException where reading ended early, with file and offset
   */
  public static void read(Path directory, BatchSink sink) throws IOException {
    JournalDump.records(directory, (_, record) -> sink.take(batch(directory, record, 0)));
  }

  private static Batch batch(Path directory, JournalRecord record, long after)
      throws JournalRefusedException {
    Head head = head(directory, record);
    byte[] payload = record.payload();
    List<Entry> all = CODEC.decodeAll(Arrays.copyOfRange(payload, HEAD, payload.length));
    return new Batch(
        head.previous(),
        head.last(),
        all.stream().filter(entry -> entry.position() > after).toList(),
        payload.length);
  }

  private Head head(JournalRecord record) throws JournalRefusedException {
    return head(directory, record);
  }

  private static Head head(Path directory, JournalRecord record) throws JournalRefusedException {
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
