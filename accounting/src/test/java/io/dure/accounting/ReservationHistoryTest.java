package io.dure.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.accounting.retention.ArchiveLoader;
import io.dure.accounting.retention.Retention;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.ReservationUse;
import io.dure.protocol.accounting.UsageQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows of reservations, and what their jobs used. */
@Tag("process")
@ParameterizedClass
@EnumSource(SqlDialect.class)
class ReservationHistoryTest {
  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, true, false, null, null, null);
  private static final Instant DAY = RecordedJobs.START;

  @Parameter SqlDialect dialect;
  @TempDir Path temp;
  private AccountingDatabase database;
  private RecordWriter writer;
  private long position;

  @BeforeEach
  void open() throws IOException {
    database = TestDatabases.fresh(dialect, temp);
    var _ = database.migrate();
    writer = new RecordWriter(database, "main", "first", ZoneOffset.UTC, row -> {});
    position = writer.position();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @AfterAll
  static void stopServers() throws IOException {
    TestDatabases.stop();
  }

  private void store(AccountingRecord... records) throws StalePositionException {
    writer.store(position, Arrays.asList(records), position + 1);
    position++;
  }

  private static Instant at(long minutes) {
    return DAY.plusSeconds(minutes * 60);
  }

  private static AccountingRecord.ReservationTime time(
      long at, long start, long end, String nodes, long cpus) {
    return new AccountingRecord.ReservationTime(
        at(at),
        7,
        "class",
        at(start),
        at(end),
        nodes,
        TresAmounts.NONE.with(TresAmounts.CPU, cpus),
        List.of("SPEC_NODES"),
        List.of("alice"),
        List.of(),
        false);
  }

  private static AccountingRecord.ReservationTime gone(long at, long start, long end) {
    AccountingRecord.ReservationTime was = time(at, start, end, "n1", 4);
    return new AccountingRecord.ReservationTime(
        was.at(),
        was.id(),
        was.name(),
        was.start(),
        was.end(),
        was.nodes(),
        was.tres(),
        was.flags(),
        was.users(),
        was.accounts(),
        true);
  }

  private List<ReservationUse> rows() {
    return new ClusterLines(database, "main")
        .find(
            new ClusterHistoryQuery(
                ClusterHistoryQuery.Part.RESERVATIONS, at(-10_000), at(100_000)))
        .reservations();
  }

  /** Begin, end and CPUs of each row, in minutes. */
  private List<String> times() {
    return rows().stream()
        .map(row ->
            minutes(row.start())
                + "-"
                + minutes(row.end())
                + " "
                + row.nodes()
                + " "
                + row.amounts().getFirst().count())
        .toList();
  }

  private static long minutes(Instant at) {
    return (at.getEpochSecond() - DAY.getEpochSecond()) / 60;
  }

  @Test
  void aChangeBeforeItsBeginLeavesOneRowAndOneLaterAnother() throws Exception {
    store(time(0, 60, 120, "n1", 4));
    store(time(10, 50, 110, "n[1-2]", 8));
    assertEquals(List.of("50-110 n[1-2] 8"), times());
    store(time(50, 50, 110, "n[1-2]", 8)); // it has begun
    store(time(60, 50, 130, "n[1-2]", 8)); // and lasts longer
    assertEquals(List.of("50-130 n[1-2] 8"), times());
    store(time(70, 50, 130, "n2", 4));
    assertEquals(List.of("50-70 n[1-2] 8", "70-130 n2 4"), times());
    store(gone(100, 50, 130));
    assertEquals(List.of("50-70 n[1-2] 8", "70-100 n2 4"), times());
  }

  @Test
  void oneThatIsDeletedBeforeItBeginsWasNone() throws Exception {
    store(time(0, 60, 120, "n1", 4));
    store(gone(30, 60, 120));
    assertEquals(List.of(), times());
  }

  @Test
  void oneThatComesAgainHasARowForEachTime() throws Exception {
    store(time(0, 60, 120, "n1", 4), time(60, 60, 120, "n1", 4));
    store(time(120, 1500, 1560, "n1", 4));
    assertEquals(List.of("60-120 n1 4", "1500-1560 n1 4"), times());
  }

  /** Jobs may hold one beyond its end, and it may be given more time then. */
  @Test
  void oneThatWasOverGoesOn() throws Exception {
    store(time(0, 0, 60, "n1", 4));
    store(time(70, 0, 120, "n1", 4));
    assertEquals(List.of("0-120 n1 4"), times());
    store(time(130, 0, 200, "n[1-2]", 8));
    assertEquals(List.of("0-120 n1 4", "130-200 n[1-2] 8"), times());
    store(time(140, 0, 260, "n[1-2]", 8));
    assertEquals(List.of("0-120 n1 4", "130-260 n[1-2] 8"), times());
    store(time(260, 0, 300, "n1", 4));
    assertEquals(List.of("0-120 n1 4", "130-260 n[1-2] 8", "260-300 n1 4"), times());
  }

  @Test
  void oneThatChangesInTheSecondOfItsEndGoesOn() throws Exception {
    store(time(0, 0, 60, "n1", 4));
    store(time(60, 0, 90, "n2", 4));
    assertEquals(List.of("0-60 n1 4", "60-90 n2 4"), times());
  }

  @Test
  void whatItsJobsUsedIsTold() throws Exception {
    Job other = RecordedJobs.ended(1, "alice", 0);
    Job own = RecordedJobs.ended(2, "alice", 0);
    own = own.withSpec(own.spec().withReservations(List.of("class")));
    Job one = RecordedJobs.running(3, "alice");
    JobState.Running run = (JobState.Running) one.state();
    // It named several, or none, and ran in this one.
    one = one.withState(run.withAllocation(run.allocation().withReservation("class")));
    store(
        time(-60, 0, 600, "n1", 4),
        RecordedJobs.attempt(other),
        RecordedJobs.attempt(own),
        RecordedJobs.attempt(one));
    List<ReservationUse> uses =
        new UsageHistory(database, "main", ZoneOffset.UTC)
            .report(
                new UsageQuery(at(0), at(60), UsageQuery.Part.RESERVATIONS, List.of(), ALL),
                at(10_000),
                List.of())
            .reservations();
    assertEquals(1, uses.size());
    assertEquals(3600, uses.getFirst().seconds());
    // Two CPUs for a minute, and two from the second 13 on.
    assertEquals(
        List.of(new ReservationUse.Amount("cpu", 4, 120 + 2 * (3600 - 13))),
        uses.getFirst().amounts());
  }

  @Test
  void itGoesWhenItIsOldAndComesBack() throws Exception {
    store(time(0, 60, 120, "n1", 4));
    List<ReservationUse> before = rows();
    Retention retention =
        new Retention(
            database,
            "main",
            ZoneOffset.UTC,
            new RetentionSettings(
                Map.of(
                    RecordKind.RESERVATIONS,
                    new RetentionSettings.Rule(new RetentionAge(30, RetentionAge.Unit.DAYS), true)),
                temp.resolve("archives").toString(),
                null,
                true),
            null);
    assertEquals(List.of(), retention.run(at(29 * 1440), () -> true));
    List<Retention.Purged> purged = retention.run(at(32 * 1440), () -> true);
    assertEquals(1, purged.getFirst().rows());
    assertEquals(List.of(), rows());
    assertEquals(
        1,
        new ArchiveLoader(database, ZoneOffset.UTC, _ -> true)
            .load(purged.getFirst().archives().getFirst())
            .added());
    assertEquals(before, rows());
  }
}
