package io.dure.bench.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.JobHistory;
import io.dure.accounting.RecordWriter;
import io.dure.accounting.StalePositionException;
import io.dure.accounting.UsageHistory;
import io.dure.model.TaskIndices;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.command.JobSelector;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/** Measures one database. */
final class AccountingBench {
  private static final int BATCH = 10_000;
  private static final int ENDS = 100_000;
  private static final int REPETITIONS = 21;

  /** Where what is asked for differs much in size. */
  private static final int MANY = 101;

  /** What sacct asks for unless it is told otherwise: steps too, and the last attempts alone. */
  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, true, false, null, null, null);

  private final RecordWriter writer;
  private final JobHistory history;
  private final UsageHistory usage;
  private final SyntheticRecords records;
  private final int jobs;
  private final MachineUse use;
  private long position;

  /** Fills a database with so many jobs, unless it did so before. */
  AccountingBench(AccountingDatabase database, int jobs, MachineUse use) {
    var _ = database.migrate();
    writer = new RecordWriter(database, "bench", "bench", ZoneOffset.UTC, AccountingBench::refuse);
    history = new JobHistory(database, "bench");
    usage = new UsageHistory(database, "bench", ZoneOffset.UTC);
    records = new SyntheticRecords(jobs);
    this.jobs = jobs;
    this.use = use;
  }

  private static void refuse(String row) {
    throw new IllegalStateException("refused: " + row);
  }

  /** The figures, each with its unit, as they are found. */
  void measure(Consumer<String> lines) throws StalePositionException {
    position = writer.position();
    if (position == 0) {
      fill(lines);
    }
    ask(lines);
  }

  private void fill(Consumer<String> lines) throws StalePositionException {
    writer.store(position, List.of(SyntheticRecords.capacity()), position + 1);
    position++;
    int ends = Math.min(ENDS, jobs / 2);
    // A database that is old is asked, and the rest of it is as full.
    lines.accept(rate(0, jobs - ends, this::both) + " of whole runs");
    lines.accept(rate(jobs - ends, jobs, records::begin) + " that begin");
    lines.accept(rate(jobs - ends, jobs, records::end) + " that end");
  }

  private void ask(Consumer<String> lines) {
    Random random = new Random(1);
    lines.accept("sacct -j " + p50(_ -> job(random)));
    lines.accept("a user's day " + p50(_ -> today(random)));
    lines.accept(
        "an account's month "
            + p50(MANY, () -> count(month(random, random.nextInt(SyntheticRecords.ACCOUNTS)))));
    lines.accept("a month of the busiest account " + p50(_ -> month(random, 0)));
    lines.accept(
        "sreport cluster Utilization of the year " + year(UsageQuery.Part.CLUSTER, Duration.ZERO));
    lines.accept(
        "sreport user TopUsage of the year " + year(UsageQuery.Part.OWNERS, Duration.ZERO));
    lines.accept(
        "sreport of accounts and users of 30 days "
            + year(UsageQuery.Part.OWNERS, Duration.ofDays(335)));
  }

  private String year(UsageQuery.Part part, Duration without) {
    Instant end = SyntheticRecords.START.plusSeconds(SyntheticRecords.YEAR);
    UsageQuery query =
        new UsageQuery(
            SyntheticRecords.START.plus(without), end, part, List.of(TresAmounts.CPU), ALL);
    return p50(() -> {
      UsageReport report = usage.report(query, end, List.of());
      return report.owners().size() + report.cluster().size();
    });
  }

  private List<AccountingRecord> both(int id) {
    List<AccountingRecord> all = new ArrayList<>(records.begin(id).subList(1, 2));
    all.addAll(records.end(id));
    return all;
  }

  /** Jobs a second, from the one number to before the other. */
  private String rate(int from, int until, IntFunction<List<AccountingRecord>> made)
      throws StalePositionException {
    long nanos = 0;
    MachineUse.Times processor = MachineUse.Times.NONE;
    List<AccountingRecord> batch = new ArrayList<>();
    for (int id = from + 1; id <= until; id++) {
      batch.addAll(made.apply(id));
      if (batch.size() >= BATCH || id == until) {
        MachineUse.Times before = use.processorTimes();
        long begin = System.nanoTime();
        writer.store(position, batch, position + batch.size());
        processor = processor.plus(use.processorTimes()).minus(before);
        nanos += System.nanoTime() - begin;
        position += batch.size();
        batch.clear();
      }
    }
    int count = until - from;
    return String.format(
        Locale.ROOT,
        "%,.0f jobs/s (%.0f microseconds of processors each here, %.0f in the server)",
        count / (nanos / 1e9),
        processor.own().toNanos() / 1e3 / count,
        processor.servers().toNanos() / 1e3 / count);
  }

  private String p50(IntFunction<JobHistoryQuery> queries) {
    return p50(() -> count(queries.apply(0)));
  }

  private static String p50(IntSupplier question) {
    return p50(REPETITIONS, question);
  }

  private static String p50(int repetitions, IntSupplier question) {
    long[] nanos = new long[repetitions];
    long found = 0;
    for (int i = 0; i < repetitions; i++) {
      long begin = System.nanoTime();
      found += question.getAsInt();
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    return String.format(
        Locale.ROOT,
        "p50 %.1f ms, most %.1f ms (%d rows)",
        nanos[repetitions / 2] / 1e6,
        nanos[repetitions - 1] / 1e6,
        found / repetitions);
  }

  private int count(JobHistoryQuery query) {
    Instant now = SyntheticRecords.START.plusSeconds(SyntheticRecords.YEAR);
    JobHistory.Page page = history.find(query, now);
    int jobs = page.jobs().size();
    while (page.last() != null) {
      page = history.find(query.withAfter(page.last()), now);
      jobs += page.jobs().size();
    }
    return jobs;
  }

  private JobHistoryQuery job(Random random) {
    return ALL.withJobs(List.of(new JobSelector(1 + random.nextInt(jobs), (TaskIndices) null)));
  }

  private static JobHistoryQuery today(Random random) {
    Instant end = SyntheticRecords.START.plusSeconds(SyntheticRecords.YEAR);
    return ALL.withUsers(List.of(SyntheticRecords.user(random.nextInt(SyntheticRecords.USERS))))
        .withFrom(end.minus(Duration.ofDays(1)))
        .withUntil(end);
  }

  private static JobHistoryQuery month(Random random, int account) {
    Instant from = SyntheticRecords.START.plus(Duration.ofDays(30L * random.nextInt(11)));
    return ALL.withAccounts(List.of(SyntheticRecords.account(account)))
        .withFrom(from)
        .withUntil(from.plus(Duration.ofDays(30)));
  }
}
