package io.dure.faults.books;

import io.dure.accounting.StalePositionException;
import io.dure.model.accounting.record.AccountingRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An accounting database: a server's that controllers share, or one that a controller has on its
 * disk. It keeps all records that it was ever given, so that each that came twice is seen.
 */
public final class SimulatedBooks {
  private static final int RECENT = 6;

  private final String name;
  private final boolean own;
  private final RecordTruth truth;
  private final LongSupplier time;
  private final SplittableRandom random;
  private List<AccountingRecord> rows = new ArrayList<>();
  private long position;
  private @Nullable String origin;

  /** How many rows there were at the last positions, for a machine that loses power. */
  private final TreeMap<Long, Integer> recent = new TreeMap<>();

  private @Nullable Copy backup;
  private long awayUntil;
  private long losingUntil;
  private int lostPercent;
  private long slowUntil;
  private long slowBy;

  private record Copy(List<AccountingRecord> rows, long position, @Nullable String origin) {}

  /**
   * Empty.
   *
   * @param own whether they lie on a controller's disk
   * @param time the moment in microseconds
   */
  SimulatedBooks(
      String name, boolean own, RecordTruth truth, LongSupplier time, SplittableRandom random) {
    this.name = name;
    this.own = own;
    this.truth = truth;
    this.time = time;
    this.random = random;
  }

  /** The position up to which they have the records of the cluster that was made then. */
  long position(String created) {
    answer();
    if (origin == null) {
      origin = created;
    } else if (!origin.equals(created)) {
      throw new IllegalStateException("books of the cluster of " + origin + ", not " + created);
    }
    return position;
  }

  private void answer() {
    if (time.getAsLong() < awayUntil) {
      throw new BooksAwayException("the database does not answer");
    }
  }

  /** Whether an answer is lost on its way. */
  private boolean loses() {
    return time.getAsLong() < losingUntil && random.nextInt(100) < lostPercent;
  }

  /** Stores records, all or none; what is wrong with them is told. */
  void store(long expected, List<AccountingRecord> records, long next)
      throws StalePositionException {
    answer();
    if (loses()) {
      throw new BooksAwayException("the connection broke before");
    }
    if (expected != position) {
      throw new StalePositionException("world", expected);
    }
    truth.compare(name, records, expected, next);
    recent.put(position, rows.size());
    if (recent.size() > RECENT) {
      recent.pollFirstEntry();
    }
    rows.addAll(records);
    position = next;
    if (loses()) {
      throw new BooksAwayException("the connection broke after");
    }
  }

  /** Whether other controllers write into them, too. */
  boolean isShared() {
    return !own;
  }

  /** How long an answer takes. */
  long latency() {
    return 500L + random.nextInt(5000) + (time.getAsLong() < slowUntil ? slowBy : 0);
  }

  /** They answer nothing for so long. */
  public void leave(long micros) {
    awayUntil = time.getAsLong() + micros;
  }

  /** Connections break, in the middle of what is asked or before the answer. */
  public void lose(long micros, int percent) {
    losingUntil = time.getAsLong() + micros;
    lostPercent = percent;
  }

  /** Answers take longer. */
  public void slow(long micros, long by) {
    slowUntil = time.getAsLong() + micros;
    slowBy = by;
  }

  /** All is well again. */
  void mend() {
    awayUntil = 0;
    losingUntil = 0;
    slowUntil = 0;
  }

  /** Someone makes a backup. */
  public void backUp() {
    backup = new Copy(List.copyOf(rows), position, origin);
  }

  /** They are what they were at the backup; false if there is none. */
  public boolean putBack() {
    Copy copy = backup;
    if (copy != null) {
      rows = new ArrayList<>(copy.rows());
      position = copy.position();
      origin = copy.origin();
      recent.clear();
    }
    return copy != null;
  }

  /** The controller's disk is lost: nothing is left of them there, nor of the backup. */
  public void loseDisk() {
    if (!own) {
      return;
    }
    rows = new ArrayList<>();
    position = 0;
    origin = null;
    backup = null;
    recent.clear();
  }

  /** The controller's disk is backed up. */
  public void backUpDisk() {
    if (own) {
      backUp();
    }
  }

  /** The controller's disk is put back. */
  public void putBackDisk() {
    if (own) {
      var _ = putBack();
    }
  }

  /** The controller's machine loses power: the last transactions there may be gone. */
  public void losePower() {
    if (!own) {
      return;
    }
    for (int lost = random.nextInt(recent.size() + 1); lost > 0; lost--) {
      var last = recent.pollLastEntry();
      position = last.getKey();
      rows = new ArrayList<>(rows.subList(0, last.getValue()));
    }
    recent.clear();
  }

  /** Whether they have as many records as there are. */
  boolean isWhole() {
    return rows.size() >= truth.size();
  }

  /** Whether they are just what the journal says. */
  void check() {
    truth.compareAll(name, rows);
  }
}
