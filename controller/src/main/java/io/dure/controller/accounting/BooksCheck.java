package io.dure.controller.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.JobHistory;
import io.dure.accounting.RecordWriter;
import io.dure.accounting.StalePositionException;
import io.dure.journal.AccountingLog;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares what an accounting database has with what the records of a log make, up to the position
 * of the database: attempts of jobs and their steps, to the second. It only reads both. What was
 * recorded before the log begins is not compared.
 */
public final class BooksCheck {
  private static final int RECORDS_A_BATCH = 10_000;

  /** A database that is written meanwhile is read again that often. */
  private static final int ATTEMPTS = 10;

  /** Whatever a clock said, no job began later. */
  private static final Instant LATE = Instant.parse("9999-01-01T00:00:00Z");

  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, true, true, null, null, null);

  private final AccountingDatabase books;
  private final String cluster;
  private final Path log;
  private final Path scratch;

  private boolean whole = true;
  private long begins;
  private long position;
  private long agreed;
  private long compared;
  private List<String> differences = new ArrayList<>();

  /**
   * What came of it.
   *
   * @param agreed rows of jobs and steps that are equal
   * @param compared rows that were compared
   * @param begins the position behind which the log has all records
   * @param position that of the database
   * @param differences a line for each row that differs
   */
  public record Result(
      long agreed, long compared, long begins, long position, List<String> differences) {}

  private BooksCheck(AccountingDatabase books, String cluster, Path log, Path scratch) {
    this.books = books;
    this.cluster = cluster;
    this.log = log;
    this.scratch = scratch;
  }

  /**
   * Compares.
   *
   * @param log directory of the log; a controller may write there
   * @param scratch a directory for a database that is made for the comparison, and stays
   * @throws IOException if the log cannot be read, or the database changes all the time
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer
   */
  public static Result compare(AccountingDatabase books, String cluster, Path log, Path scratch)
      throws IOException {
    JobHistory history = new JobHistory(books, cluster);
    for (int i = 0; i < ATTEMPTS; i++) {
      BooksCheck check = new BooksCheck(books, cluster, log, scratch.resolve("due-" + i + ".db"));
      check.position = history.position();
      check.run();
      if (history.position() == check.position) {
        return new Result(
            check.agreed, check.compared, check.begins, check.position, check.differences);
      }
    }
    throw new IOException(
        "the accounting database was written all the time: compare again when less happens");
  }

  private void run() throws IOException {
    try (AccountingDatabase due = AccountingDatabase.inFile(scratch)) {
      var _ = due.migrate();
      try {
        fill(due);
      } catch (StalePositionException e) {
        throw new IOException(scratch + " is in use", e);
      }
      JobHistory expected = new JobHistory(due, cluster);
      AttemptId after = null;
      do {
        JobHistory.Page page = expected.find(ALL.withAfter(after), LATE);
        compare(page.jobs(), after, page.last());
        after = page.last();
      } while (after != null);
    }
  }

  /** Collects records until they are worth a transaction. */
  private static final class Batches implements AccountingLog.BatchSink {
    private final RecordWriter writer;
    private final long until;
    private final List<AccountingRecord> records = new ArrayList<>();
    private long stored;
    private long last;
    private long first = -1;
    private boolean gap;

    Batches(RecordWriter writer, long until) {
      this.writer = writer;
      this.until = until;
      stored = writer.position();
    }

    @Override
    public void take(AccountingLog.Batch batch) throws IOException {
      if (batch.last() > until) {
        return;
      }
      gap |= first >= 0 && batch.previous() > last;
      first = first < 0 || batch.previous() > last ? batch.previous() : first;
      batch.entries().forEach(entry -> records.add(entry.record()));
      last = batch.last();
      if (records.size() >= RECORDS_A_BATCH) {
        store();
      }
    }

    void store() throws IOException {
      try {
        if (last > stored) {
          writer.store(stored, records, last);
          stored = last;
          records.clear();
        }
      } catch (StalePositionException e) {
        throw new IOException(e);
      }
    }
  }

  private void fill(AccountingDatabase due) throws IOException, StalePositionException {
    Batches batches =
        new Batches(
            new RecordWriter(
                due,
                cluster,
                "check",
                ZoneId.systemDefault(),
                row -> differences.add("cannot be compared: " + row)),
            position);
    AccountingLog.read(log, batches);
    batches.store();
    begins = Math.max(0, batches.first);
    whole = begins == 0 && !batches.gap;
    if (batches.last < position) {
      differences.add(
          "the database has the records of "
              + position
              + " events, the log those of "
              + batches.last);
    }
  }

  /** Compares the attempts behind one, up to another. */
  private void compare(List<RecordedJob> due, @Nullable AttemptId after, @Nullable AttemptId upTo) {
    Map<AttemptId, RecordedJob> found = new LinkedHashMap<>();
    JobHistory history = new JobHistory(books, cluster);
    AttemptId from = after == null && !due.isEmpty() && !whole ? before(due.getFirst()) : after;
    boolean more = !due.isEmpty() || whole;
    while (more) {
      JobHistory.Page page = history.find(ALL.withAfter(from), LATE);
      for (RecordedJob job : page.jobs()) {
        if (upTo == null || !isBehind(job.attempt(), upTo)) {
          found.put(job.attempt(), job);
        }
      }
      from = page.last();
      more = from != null && (upTo == null || !isBehind(from, upTo));
    }
    for (RecordedJob job : due) {
      compare(job, found.remove(job.attempt()));
    }
    if (whole) {
      found.keySet().forEach(attempt -> differ(name(attempt) + ": the log has no record of it"));
    }
  }

  private static AttemptId before(RecordedJob job) {
    return new AttemptId(job.attempt().jobId(), job.attempt().number() - 1);
  }

  private static boolean isBehind(AttemptId one, AttemptId other) {
    return one.jobId() != other.jobId()
        ? one.jobId() > other.jobId()
        : one.number() > other.number();
  }

  private static String name(AttemptId attempt) {
    return "job " + attempt.jobId() + ", attempt " + attempt.number();
  }

  private void differ(String line) {
    compared++;
    differences.add(line);
  }

  /** A job that has no workload key, with the one that slurmdbd gave it, if that is one. */
  private static Job keyed(Job due, Job found) {
    String given = found.spec().wckey();
    return due.spec().wckey() == null && given != null && given.startsWith("*")
        ? due.withSpec(due.spec().withWckey(given))
        : due;
  }

  private void compare(RecordedJob due, @Nullable RecordedJob found) {
    String name = name(due.attempt());
    if (found == null) {
      differ(name + ": the database does not have it");
      return;
    }
    if (keyed(due.job(), found.job()).equals(found.job()) && due.requeued() == found.requeued()) {
      compared++;
      agreed++;
    } else {
      differ(name + ": the database has " + text(found) + ", the log says " + text(due));
    }
    Map<Integer, RecordedStep> steps = new LinkedHashMap<>();
    found.steps().forEach(step -> steps.put(step.step(), step));
    for (RecordedStep step : due.steps()) {
      RecordedStep other = steps.remove(step.step());
      if (step.equals(other)) {
        compared++;
        agreed++;
      } else {
        differ(
            name
                + ", step "
                + step.step()
                + ": the database has "
                + (other == null ? "none" : text(other))
                + ", the log says "
                + text(step));
      }
    }
    if (whole) {
      steps
          .keySet()
          .forEach(step -> differ(name + ", step " + step + ": the log has no record of it"));
    }
  }

  private static String text(RecordedJob job) {
    JobState state = job.job().state();
    return (job.requeued() ? "a run that was requeued, " : "") + state;
  }

  private static String text(RecordedStep step) {
    return step.start() + " to " + step.end() + ", " + step.exit();
  }
}
