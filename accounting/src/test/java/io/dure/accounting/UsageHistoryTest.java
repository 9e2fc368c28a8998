package io.dure.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ExitStatus;
import io.dure.model.TaskIndices;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Sums of use against the use of each job, added up second by second. */
@Tag("process")
class UsageHistoryTest {
  private static final Instant BEGIN = Instant.parse("2026-03-27T21:13:07Z");
  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, false, true, null, null, null);

  @TempDir Path temp;

  @AfterAll
  static void stopServers() throws IOException {
    TestDatabases.stop();
  }

  private static void refused(String row) {
    throw new AssertionError(row);
  }

  /** A run as the books are told of it, and as it is added up here. */
  private record Run(int id, String user, int cpus, List<long[]> times, boolean over) {
    long seconds(long from, long until) {
      return times.stream()
          .mapToLong(part -> Math.max(0, Math.min(part[1], until) - Math.max(part[0], from)))
          .sum();
    }
  }

  private static Allocation held(int cpus) {
    List<Integer> cores = IntStream.range(0, cpus).boxed().toList();
    return new Allocation("debug", List.of(new NodeShare("n1", cores, cpus, 100L * cpus, 1)));
  }

  /** Random runs of some days, suspended now and then; the last of them are not over. */
  private static List<Run> runs(Random random, long now) {
    List<Run> runs = new ArrayList<>();
    for (int id = 1; id <= 120; id++) {
      boolean over = id <= 110;
      long start = BEGIN.getEpochSecond() + random.nextInt(4 * 86_400);
      long length = random.nextBoolean() ? random.nextInt(300) : random.nextInt(200_000);
      long end = over ? Math.min(start + length, now) : now;
      List<long[]> parts = new ArrayList<>();
      long at = Math.min(start, end);
      while (random.nextInt(3) == 0 && end - at > 100) {
        long pause = at + 1 + random.nextInt((int) Math.min(end - at - 50, 50_000));
        parts.add(new long[] {at, pause});
        at = Math.min(end, pause + random.nextInt(10_000));
      }
      parts.add(new long[] {at, end});
      runs.add(
          new Run(id, random.nextBoolean() ? "alice" : "bob", 1 + random.nextInt(4), parts, over));
    }
    return runs;
  }

  /** What the books are told of a run, in order. */
  private static List<AccountingRecord> records(Run run) {
    List<AccountingRecord> records = new ArrayList<>();
    Job waiting = RecordedJobs.waiting(run.id(), run.user());
    records.add(RecordedJobs.attempt(waiting));
    Instant start = Instant.ofEpochSecond(run.times().getFirst()[0]);
    Job running = RecordedJobs.started(waiting, held(run.cpus()), start);
    records.add(RecordedJobs.attempt(running));
    AttemptId attempt = AttemptId.of(running);
    Duration paused = Duration.ZERO;
    for (int i = 1; i < run.times().size(); i++) {
      Instant from = Instant.ofEpochSecond(run.times().get(i - 1)[1]);
      Instant to = Instant.ofEpochSecond(run.times().get(i)[0]);
      records.add(new AccountingRecord.JobPause(attempt, from, null));
      records.add(new AccountingRecord.JobPause(attempt, from, to));
      paused = paused.plus(Duration.between(from, to));
    }
    if (run.over()) {
      JobState.SuspensionTotals pauses =
          paused.isZero()
              ? null
              : new JobState.SuspensionTotals(paused, Duration.ZERO, start, null);
      Instant end = Instant.ofEpochSecond(run.times().getLast()[1]);
      // Its end is corrected now and then, as by a node that comes back.
      for (long wrong : run.id() % 5 == 0 ? new long[] {7000, 0} : new long[] {0}) {
        records.add(
            RecordedJobs.attempt(
                running.withState(
                    new JobState.Ended(
                        held(run.cpus()),
                        start,
                        end.plusSeconds(wrong),
                        new JobOutcome.Completed(ExitStatus.OK),
                        null,
                        pauses))));
      }
    }
    return records;
  }

  @ParameterizedTest
  @CsvSource({
    "SQLITE, UTC, 1",
    "SQLITE, Asia/Kolkata, 2",
    "SQLITE, Europe/Berlin, 3",
    "SQLITE, Europe/Berlin, 4",
    "MARIADB, Asia/Seoul, 5",
    "POSTGRESQL, Europe/Berlin, 6"
  })
  void sumsAreTheUseOfEachJob(SqlDialect dialect, ZoneId zone, long seed) throws Exception {
    Random random = new Random(seed);
    long now = BEGIN.plus(Duration.ofDays(5)).getEpochSecond();
    List<Run> runs = runs(random, now);
    try (AccountingDatabase database = TestDatabases.fresh(dialect, temp)) {
      database.migrate();
      RecordWriter writer =
          new RecordWriter(database, "main", "first", zone, UsageHistoryTest::refused);
      long position = writer.position();
      List<AccountingRecord> batch = new ArrayList<>();
      for (Run run : runs) {
        for (AccountingRecord record : records(run)) {
          batch.add(record);
          if (random.nextInt(6) == 0) {
            writer.store(position, batch, position + batch.size());
            position += batch.size();
            batch.clear();
          }
        }
      }
      writer.store(position, batch, position + batch.size() + 1);
      check(database, zone, runs, now, random);

      database.jdbi().useHandle(handle -> handle.execute("UPDATE cluster SET summed = 0"));
      assertTrue(writer.position() > 0);
      check(database, zone, runs, now, random);
    }
  }

  private static void check(
      AccountingDatabase database, ZoneId zone, List<Run> runs, long now, Random random) {
    UsageHistory history = new UsageHistory(database, "main", zone);
    for (int i = 0; i < 60; i++) {
      long from =
          i == 0
              ? Instant.parse("0001-01-01T00:00:00Z").getEpochSecond()
              : UsageSpan.HOUR.begin(
                  BEGIN.getEpochSecond() - 86_400 + random.nextInt(6 * 86_400), zone);
      long until =
          i % 10 == 0
              ? now + 86_400
              : UsageSpan.HOUR.begin(from + 3600 + random.nextInt(4 * 86_400), zone);
      Map<String, Long> expected = new TreeMap<>();
      for (Run run : runs) {
        long seconds = run.seconds(from, Math.min(until, now));
        if (seconds > 0) {
          expected.merge(run.user() + " cpu", seconds * run.cpus(), Long::sum);
          expected.merge(run.user() + " mem", seconds * run.cpus() * 100, Long::sum);
        }
      }
      Map<String, Long> found = new TreeMap<>();
      for (UsageReport.OwnerUse row :
          report(history, UsageQuery.Part.OWNERS, from, until, now).owners()) {
        assertEquals(row.user(), row.account());
        found.put(row.user() + " " + row.tres(), row.seconds());
      }
      found.keySet().removeIf(key -> !key.endsWith(" cpu") && !key.endsWith(" mem"));
      assertEquals(expected, found, from + " to " + until + " in " + zone);
    }
  }

  private static UsageReport report(
      UsageHistory history, UsageQuery.Part part, long from, long until, long now) {
    return history.report(
        new UsageQuery(
            Instant.ofEpochSecond(from), Instant.ofEpochSecond(until), part, List.of(), ALL),
        Instant.ofEpochSecond(now),
        List.of());
  }

  @ParameterizedTest
  @EnumSource(SqlDialect.class)
  void whatTheClusterHadIsAccountedForWholly(SqlDialect dialect) throws Exception {
    long begin = Instant.parse("2026-03-02T10:00:00Z").getEpochSecond();
    try (AccountingDatabase database = TestDatabases.fresh(dialect, temp)) {
      database.migrate();
      RecordWriter writer =
          new RecordWriter(database, "main", "first", ZoneId.of("UTC"), UsageHistoryTest::refused);
      TresAmounts node = TresAmounts.NONE.with(TresAmounts.CPU, 4).with(TresAmounts.NODE, 1);
      TresAmounts both = TresAmounts.NONE.with(TresAmounts.CPU, 8).with(TresAmounts.NODE, 2);
      Instant at = Instant.ofEpochSecond(begin);
      Job waiting =
          RecordedJobs.waiting(1, "alice")
              .withSubmitTime(at.plusSeconds(600))
              .withEligibleTime(at.plusSeconds(600));
      Job running = RecordedJobs.started(waiting, held(2), at.plusSeconds(1200));
      writer.store(
          writer.position(),
          List.of(
              new AccountingRecord.ClusterCapacity(at, "n[1-2]", 2, both),
              new AccountingRecord.ClusterCapacity(at.plusSeconds(5), "n[1-2]", 2, both),
              new AccountingRecord.NodeOutage(
                  "n2", at.plusSeconds(1800), "DOWN", "broken", 0, node),
              new AccountingRecord.NodeOutage(
                  "n2", at.plusSeconds(1900), "DOWN", "broken", 0, node),
              new AccountingRecord.NodeOutage("n2", at.plusSeconds(3000), "", "", 0, node),
              new AccountingRecord.NodeOutage(
                  "n1", at.plusSeconds(3000), "POWERED_DOWN", "", 0, node),
              new AccountingRecord.NodesOut(at.plusSeconds(3100), "n[2-3]"),
              new AccountingRecord.NodesOut(at.plusSeconds(3200), "n2"),
              RecordedJobs.attempt(waiting),
              RecordedJobs.attempt(running),
              RecordedJobs.attempt(
                  running.withState(
                      new JobState.Ended(
                          held(2),
                          at.plusSeconds(1200),
                          at.plusSeconds(4200),
                          new JobOutcome.Completed(ExitStatus.OK),
                          null)))),
          9);
      UsageHistory history = new UsageHistory(database, "main", ZoneId.of("UTC"));
      List<UsageReport.ClusterUse> rows =
          report(history, UsageQuery.Part.CLUSTER, begin, begin + 7200, begin + 7200).cluster();
      // Waiting for 600 s with one CPU; 8 CPUs for two hours.
      assertEquals(
          new UsageReport.ClusterUse(
              "cpu", 8, 6000, 4800, 400, 7200 * 8 - 6000 - 4800 - 400 - 600, 600, 0, 57_600),
          rows.getFirst());
      assertEquals("node", rows.get(1).tres());
      List<UsageReport.JobSize> sizes =
          report(history, UsageQuery.Part.JOB_SIZES, begin, begin + 3600, begin + 7200).sizes();
      assertEquals(List.of(new UsageReport.JobSize("alice", "alice", "", 2, 1, 4800)), sizes);
    }
  }

  @Test
  void whatAJobWasBilledAndItsLicencesAreSummedUp() throws Exception {
    long begin = Instant.parse("2026-03-02T10:00:00Z").getEpochSecond();
    try (AccountingDatabase database = TestDatabases.fresh(SqlDialect.SQLITE, temp)) {
      database.migrate();
      RecordWriter writer =
          new RecordWriter(database, "main", "first", ZoneId.of("UTC"), UsageHistoryTest::refused);
      Instant at = Instant.ofEpochSecond(begin);
      Allocation weighted = held(2).withBilling(7L).with(List.of(new License("matlab@flex", 3)));
      writer.store(
          writer.position(),
          List.of(
              RecordedJobs.attempt(
                  RecordedJobs.started(RecordedJobs.waiting(1, "alice"), weighted, at)
                      .withState(
                          new JobState.Ended(
                              weighted,
                              at,
                              at.plusSeconds(600),
                              new JobOutcome.Completed(ExitStatus.OK),
                              null)))),
          1);
      UsageHistory history = new UsageHistory(database, "main", ZoneId.of("UTC"));
      Map<String, Long> used = new TreeMap<>();
      for (UsageReport.OwnerUse row :
          report(history, UsageQuery.Part.OWNERS, begin, begin + 3600, begin + 7200).owners()) {
        used.put(row.tres(), row.seconds());
      }
      assertEquals(7 * 600L, used.get(TresAmounts.BILLING));
      assertEquals(3 * 600L, used.get("license/matlab@flex"));
    }
  }

  @Test
  void everyTaskOfAnArrayWaits() throws Exception {
    long begin = Instant.parse("2026-03-02T10:00:00Z").getEpochSecond();
    try (AccountingDatabase database = TestDatabases.fresh(SqlDialect.SQLITE, temp)) {
      database.migrate();
      RecordWriter writer =
          new RecordWriter(database, "main", "first", ZoneId.of("UTC"), UsageHistoryTest::refused);
      Instant at = Instant.ofEpochSecond(begin);
      TaskIndices three = new TaskIndices(List.of(new TaskIndices.Range(1, 3, 1)));
      Job array =
          RecordedJobs.waiting(1, "alice")
              .withEligibleTime(at.plusSeconds(100))
              .withArray(2, new ArrayPart.Waiting(1, new ArrayPart.Shape(3, 1, 3, 1), three, 0));
      TresAmounts all = TresAmounts.NONE.with(TresAmounts.CPU, 8);
      writer.store(
          writer.position(),
          List.of(
              new AccountingRecord.ClusterCapacity(at, "n1", 1, all),
              RecordedJobs.attempt(array),
              RecordedJobs.attempt(
                  array.withState(
                      new JobState.Ended(
                          null,
                          null,
                          at.plusSeconds(700),
                          new JobOutcome.Cancelled(ExitStatus.OK, 0),
                          null)))),
          1);
      UsageHistory history = new UsageHistory(database, "main", ZoneId.of("UTC"));
      assertEquals(
          3 * 600,
          report(history, UsageQuery.Part.CLUSTER, begin, begin + 3600, begin + 7200)
              .cluster()
              .getFirst()
              .planned());
    }
  }
}
