package io.dure.accounting;

import static io.dure.accounting.RecordedJobs.attempt;
import static io.dure.accounting.RecordedJobs.batch;
import static io.dure.accounting.RecordedJobs.ended;
import static io.dure.accounting.RecordedJobs.part;
import static io.dure.accounting.RecordedJobs.running;
import static io.dure.accounting.RecordedJobs.started;
import static io.dure.accounting.RecordedJobs.waiting;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ExitStatus;
import io.dure.model.TaskIndices;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.JobSelector;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.Workload;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.protocol.accounting.RecordedText;
import io.dure.surface.facts.SlurmJobState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes into the database, and what comes out of it. */
@Tag("process")
@ParameterizedClass
@EnumSource(SqlDialect.class)
class RecordWriterTest {
  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, true, false, null, null, null);

  @Parameter SqlDialect dialect;
  @TempDir Path temp;
  private AccountingDatabase database;
  private RecordWriter writer;
  private final List<String> refused = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    database = TestDatabases.fresh(dialect, temp);
    assertEquals(dialect == SqlDialect.POSTGRESQL ? 9 : 10, database.migrate());
    assertEquals(0, database.migrate());
    assertEquals(
        List.of("0 migrations of " + database.name() + " would be done"), database.rehearsal());
    writer = new RecordWriter(database, "main", "first", ZoneOffset.UTC, refused::add);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @AfterAll
  static void stopServers() throws IOException {
    TestDatabases.stop();
  }

  private List<RecordedJob> find(UnaryOperator<JobHistoryQuery> change) {
    JobHistory history = new JobHistory(database, "main");
    JobHistoryQuery query = change.apply(ALL);
    List<RecordedJob> all = new ArrayList<>();
    Instant now = RecordedJobs.START.plusSeconds(86_400);
    JobHistory.Page page = history.find(query, now);
    all.addAll(page.jobs());
    while (page.last() != null) {
      page = history.find(query.withAfter(page.last()), now);
      all.addAll(page.jobs());
    }
    return all;
  }

  private List<Integer> ids(UnaryOperator<JobHistoryQuery> change) {
    return find(change).stream().map(job -> job.attempt().jobId()).toList();
  }

  @Test
  void aRowIsWhatWasLastRecordedOfIt() throws Exception {
    assertEquals(0, writer.position());
    Job job = waiting(1, "alice");
    writer.store(0, List.of(attempt(job)), 5);
    assertEquals(List.of(job), find(all -> all).stream().map(RecordedJob::job).toList());
    Job over = ended(1, "alice", 3);
    writer.store(5, List.of(attempt(running(1, "alice")), batch(over), attempt(over)), 9);
    RecordedJob found = find(all -> all).getFirst();
    assertEquals(over, found.job());
    assertEquals(1, found.steps().size());
    assertEquals(9, writer.position());
  }

  @Test
  void theTimesInWhichAnAttemptStoodStillComeWithIt() throws Exception {
    Job plain = ended(1, "alice", 0);
    Instant from = RecordedJobs.START.plusSeconds(20);
    JobState.SuspensionTotals pauses =
        new JobState.SuspensionTotals(
            Duration.ofSeconds(5), Duration.ofSeconds(9), from.plusSeconds(5), null);
    JobState.Ended over = (JobState.Ended) ended(2, "alice", 0).state();
    Job paused =
        ended(2, "alice", 0)
            .withState(
                new JobState.Ended(
                    over.allocation(), over.start(), over.end(), over.outcome(), null, pauses));
    Job still = running(3, "alice");
    Job suspended =
        still.withState(
            new JobState.Suspended(
                (JobState.Running) still.state(), from, JobState.Suspended.Cause.OPERATOR, null));
    writer.store(
        writer.position(),
        List.of(
            attempt(plain),
            attempt(paused),
            new AccountingRecord.JobPause(AttemptId.of(paused), from, from.plusSeconds(5)),
            attempt(suspended),
            new AccountingRecord.JobPause(AttemptId.of(suspended), from, null)),
        9);
    assertEquals(
        List.of(
            List.of(),
            List.of(new RecordedJob.Pause(from, from.plusSeconds(5))),
            List.of(new RecordedJob.Pause(from, null))),
        find(all -> all).stream().map(RecordedJob::pauses).toList());
  }

  @Test
  void aRowIsPutRightBehindWhatWasRecordedBefore() throws Exception {
    Job over = ended(1, "alice", 3);
    AttemptId attempt = AttemptId.of(over);
    JobCorrection first = new JobCorrection("mine", null, null, null);
    writer.store(
        writer.position(),
        List.of(
            attempt(running(1, "alice")),
            attempt(over),
            new AccountingRecord.JobCorrected(attempt, first)),
        1);
    assertEquals(first.of(over), find(all -> all).getFirst().job());
    JobCorrection later = new JobCorrection(null, "measured", new ExitStatus(7, 0), "proj");
    writer.store(1, List.of(new AccountingRecord.JobCorrected(attempt, later)), 2);
    RecordedJob found = find(all -> all).getFirst();
    assertEquals(later.of(first.of(over)), found.job());
    assertEquals("mine", found.job().spec().comment());
    assertEquals(new ExitStatus(7, 0), found.job().runSteps().highest());
    assertEquals(List.of(1), ids(all -> all.withWckeys(List.of("proj"))));
    AttemptId unknown = new AttemptId(9, 1);
    writer.store(2, List.of(new AccountingRecord.JobCorrected(unknown, first)), 3);
    assertEquals(List.of(1), ids(all -> all));
  }

  @Test
  void whatIsBilledForWhatAJobAsksForIsKept() throws Exception {
    Job weighed = ended(1, "alice", 0);
    Job plain = ended(2, "alice", 0);
    writer.store(
        writer.position(),
        List.of(
            new AccountingRecord.JobAttempt(AttemptId.of(weighed), weighed, false, 12L),
            attempt(plain)),
        9);
    assertEquals(
        Arrays.asList(12L, null),
        find(all -> all).stream().map(RecordedJob::askedBilling).toList());
    writer.store(
        9,
        List.of(
            new AccountingRecord.JobCorrected(
                AttemptId.of(weighed), new JobCorrection("mine", null, null, null))),
        10);
    assertEquals(12L, find(all -> all).getFirst().askedBilling());
  }

  @Test
  void partsOfAStepAddUpInOneBatchOrSeveral() throws Exception {
    Job one = ended(1, "alice", 0);
    Job other = ended(2, "alice", 0);
    writer.store(
        writer.position(),
        List.of(
            attempt(one),
            batch(one),
            part(one, 0, 100, false),
            part(one, 4, 50, true),
            attempt(other),
            batch(other),
            part(other, 4, 100, false)),
        1);
    writer.store(1, List.of(part(other, 0, 50, true)), 2);
    for (RecordedJob job : find(all -> all)) {
      RecordedStep step = job.steps().getFirst();
      assertEquals(new ExitStatus(4, 0), step.exit());
      assertEquals(150, assertNotNullValue(step.used()).userMicros());
      assertNotNull(step.end());
    }
  }

  private static <T> T assertNotNullValue(T value) {
    assertNotNull(value);
    return value;
  }

  @Test
  void aWriterThatIsBehindStoresNothing() throws Exception {
    RecordWriter second = new RecordWriter(database, "main", "first", ZoneOffset.UTC, refused::add);
    long begin = writer.position();
    assertEquals(begin, second.position());
    writer.store(begin, List.of(attempt(waiting(1, "alice"))), 4);
    assertThrows(
        StalePositionException.class,
        () -> second.store(begin, List.of(attempt(waiting(2, "alice"))), 4));
    assertEquals(List.of(1), ids(all -> all));
    assertEquals(4, second.position());
  }

  @Test
  void anotherClusterOfTheSameNameIsRefused() {
    assertEquals(0, writer.position());
    RecordWriter other = new RecordWriter(database, "main", "second", ZoneOffset.UTC, refused::add);
    UnusableDatabaseException refusal =
        assertThrows(UnusableDatabaseException.class, other::position);
    assertTrue(refusal.getMessage().contains("another ClusterName"), refusal.getMessage());
    assertThrows(StalePositionException.class, () -> other.store(0, List.of(), 1));
  }

  @Test
  void anAttemptBeforeARequeueIsARowOfItsOwn() throws Exception {
    Job first = ended(1, "alice", 7);
    Job again =
        first
            .with()
            .restarts(1)
            .state(new JobState.Pending(Hold.NONE, null, List.of(), false, true))
            .build();
    AccountingRecord.JobAttempt before = attempt(first);
    writer.store(
        writer.position(),
        List.of(
            new AccountingRecord.JobAttempt(before.attempt(), first, true),
            attempt(again),
            attempt(started(again))),
        3);
    assertEquals(List.of(2), find(all -> all).stream().map(j -> j.attempt().number()).toList());
    List<RecordedJob> both = find(all -> all.withAttempts(true));
    assertEquals(List.of(1, 2), both.stream().map(j -> j.attempt().number()).toList());
    assertTrue(both.getFirst().requeued());
  }

  /** The attempt behind one that is over, from that many seconds on. */
  private static Job again(Job over, long seconds) {
    Instant at = RecordedJobs.START.plusSeconds(seconds);
    return over.with()
        .eligibleTime(null)
        .requeuedAt(at)
        .state(new JobState.Pending(Hold.NONE, at.plusSeconds(600), List.of(), false, true))
        .build();
  }

  /** A job that began then, and was over after half a minute. */
  private static Job ran(Job waiting, Instant begin) {
    JobState.Ended like = (JobState.Ended) ended(1, "alice", 0).state();
    JobState.Ended over =
        new JobState.Ended(like.allocation(), begin, begin.plusSeconds(30), like.outcome(), null);
    return started(waiting).withState(over);
  }

  private List<Integer> attempts(UnaryOperator<JobHistoryQuery> change) {
    return find(change).stream().map(job -> job.attempt().number()).toList();
  }

  @Test
  void theLastRunIsListedUntilTheNextOneCouldBegin() throws Exception {
    Job failed = ended(1, "alice", 7);
    Job next = again(failed, 100);
    writer.store(
        writer.position(),
        List.of(new AccountingRecord.JobAttempt(AttemptId.of(failed), failed, true), attempt(next)),
        1);
    List<UnaryOperator<JobHistoryQuery>> listings =
        List.of(
            all -> all,
            all -> all.withUsers(List.of("alice")),
            all -> all.withStates(List.of("FAILED")),
            all -> all.withJobs(List.of(selector(1))).withStates(List.of("FAILED")));
    for (UnaryOperator<JobHistoryQuery> listing : listings) {
      assertEquals(List.of(1), attempts(listing));
    }
    assertEquals(
        List.of(),
        attempts(all ->
            all.withStates(List.of("PENDING")).withFrom(RecordedJobs.START.plusSeconds(50))));
    assertEquals(List.of(2), attempts(all -> all.withJobs(List.of(selector(1)))));
    assertEquals(
        List.of(1),
        attempts(all ->
            all.withJobs(List.of(selector(1))).withUntil(RecordedJobs.START.plusSeconds(100))));
    assertEquals(List.of(2), attempts(all -> JobHistoryQuery.OPEN));
    Instant eligible = RecordedJobs.START.plusSeconds(700);
    Job waits = next.withEligibleTime(eligible);
    writer.store(1, List.of(attempt(waits)), 2);
    assertEquals(List.of(2), attempts(all -> all));
    assertEquals(List.of(2), attempts(all -> all.withStates(List.of("PENDING"))));
    assertEquals(List.of(), attempts(all -> all.withStates(List.of("FAILED"))));
    // At a time before it the run before was the last one.
    Instant before = RecordedJobs.START.plusSeconds(650);
    for (UnaryOperator<JobHistoryQuery> listing : listings) {
      assertEquals(List.of(1), attempts(all -> listing.apply(all).withUntil(before)));
    }
    Job second = ran(waits, eligible);
    Job third = again(second, 1000).withEligibleTime(RecordedJobs.START.plusSeconds(1600));
    writer.store(
        2, List.of(attempt(second), attempt(ran(third, RecordedJobs.START.plusSeconds(1600)))), 3);
    assertEquals(List.of(3), attempts(all -> all));
    assertEquals(List.of(1), attempts(all -> all.withUntil(before)));
    assertEquals(List.of(1, 2, 3), attempts(all -> all.withAttempts(true)));
  }

  private List<Long> numbers(String select) {
    return database.reading(handle -> handle.createQuery(select).mapTo(Long.class).list());
  }

  @Test
  void anAttemptIsAsOldAsItsReturnToTheQueue() throws Exception {
    Job first = ended(1, "alice", 0);
    Job later = again(first, 30L * 86_400);
    writer.store(writer.position(), List.of(attempt(first), attempt(later)), 1);
    assertEquals(
        List.of(1L, 30L * 86_400),
        numbers(
            "SELECT submit_time - "
                + RecordedJobs.START.getEpochSecond()
                + " FROM job ORDER BY attempt"));
    Instant begin = RecordedJobs.START.plusSeconds(30L * 86_400 + 60);
    writer.store(1, List.of(attempt(ran(later, begin))), 2);
    assertEquals(List.of(0L, 0L), numbers("SELECT long_lived FROM job ORDER BY attempt"));
  }

  @Test
  void aTextKeepsTheLastTimeAtWhichItWasNamed() throws Exception {
    String script = "#!/bin/sh\n";
    TextId id = TextId.of(script);
    String named = "SELECT named_at FROM job_text";
    Job old = waiting(1, "alice");
    Job young = again(ended(2, "alice", 0), 5000);
    long start = RecordedJobs.START.getEpochSecond();
    AttemptId attempt = AttemptId.of(old);
    writer.store(writer.position(), List.of(new AccountingRecord.JobText(attempt, id, script)), 1);
    assertEquals(List.of(SqlDialect.NEVER), numbers(named));
    writer.store(1, List.of(attempt(old), new AccountingRecord.JobText(attempt, id, script)), 2);
    assertEquals(List.of(start + 1), numbers(named));
    AccountingRecord again = new AccountingRecord.JobText(AttemptId.of(young), id, script);
    writer.store(2, List.of(attempt(young), again), 3);
    assertEquals(List.of(start + 5000), numbers(named));
    writer.store(3, List.of(attempt(old), new AccountingRecord.JobText(attempt, id, script)), 4);
    assertEquals(List.of(start + 5000), numbers(named));
  }

  @Test
  void whatTheClusterDoesNotHaveAnyMoreIsEndedWhenItWasLastKnownToBegin() throws Exception {
    Job waits = waiting(1, "alice").withEligibleTime(null);
    Job runs = running(2, "alice");
    Job stays = running(3, "bob");
    Job paused = paused(4, "bob");
    Job over = ended(5, "alice", 3);
    List<AccountingRecord> records =
        new ArrayList<>(
            List.of(
                attempt(waits),
                attempt(runs),
                batch(runs),
                attempt(stays),
                batch(stays),
                attempt(paused),
                new AccountingRecord.JobPause(
                    AttemptId.of(paused), RecordedJobs.START.plusSeconds(60), null),
                attempt(over),
                batch(over)));
    writer.store(writer.position(), records, 9);
    assertEquals(List.of(1, 2, 3, 4), ids(all -> JobHistoryQuery.OPEN));
    Instant now = RecordedJobs.START.plusSeconds(86_400);
    List<AttemptId> gone =
        List.of(waits, runs, paused, over).stream().map(AttemptId::of).collect(toList());
    gone.add(new AttemptId(99, 1));
    assertEquals(3, writer.end(gone, "root", now));
    assertEquals(0, writer.end(gone, "root", now));
    assertEquals(List.of(3), ids(all -> JobHistoryQuery.OPEN));
    assertEquals(9, writer.position());
    assertEquals(
        List.of(
            "2 COMPLETED 2026-01-05T00:00:12Z 2026-01-05T00:00:12Z",
            "3 RUNNING - 2026-01-05T00:00:13Z",
            "4 COMPLETED 2026-01-05T00:00:14Z 2026-01-05T00:00:14Z",
            "5 FAILED 2026-01-05T00:01:15Z 2026-01-05T00:00:15Z"),
        find(all -> all).stream().map(RecordWriterTest::ends).toList());
    assertEquals(
        "1 COMPLETED 2026-01-05T00:00:01Z -",
        ends(find(all -> all.withJobs(List.of(selector(1)))).getFirst()));
    assertEquals(
        List.of("2 2026-01-05T00:00:12Z", "3 null", "5 null"),
        find(all -> all).stream()
            .flatMap(
                job -> job.steps().stream().map(step -> job.attempt().jobId() + " " + step.end()))
            .toList());
    assertEquals(
        List.of("root Fix Runaway Jobs id_job=1", "root Fix Runaway Jobs id_job=2"),
        changes(now).subList(0, 2));
    // What the cluster says of it later is true.
    writer.store(9, List.of(attempt(ended(2, "alice", 1))), 10);
    assertEquals(
        "2 FAILED 2026-01-05T00:01:12Z 2026-01-05T00:00:12Z",
        ends(find(all -> all.withJobs(List.of(selector(2)))).getFirst()));
  }

  private static Job paused(int id, String user) {
    Job runs = running(id, user);
    return runs.withState(
        new JobState.Suspended(
            Objects.requireNonNull(runs.state().runningOrSuspended()),
            RecordedJobs.START.plusSeconds(60),
            JobState.Suspended.Cause.OPERATOR,
            null));
  }

  private List<String> changes(Instant now) {
    return new ClusterLines(database, "main")
            .find(
                new ClusterHistoryQuery(
                    ClusterHistoryQuery.Part.TRANSACTIONS, Instant.EPOCH, now.plusSeconds(1)))
            .transactions()
            .stream()
            .map(one -> one.actor() + " " + one.action() + " " + one.where())
            .toList();
  }

  private static String ends(RecordedJob job) {
    JobState state = job.job().state();
    String start =
        state instanceof JobState.Ended over
            ? Objects.requireNonNullElse(over.start(), "-").toString()
            : Objects.requireNonNull(state.runningOrSuspended()).start().toString();
    String end = state instanceof JobState.Ended over ? over.end().toString() : "-";
    return job.attempt().jobId() + " " + SlurmJobState.base(state) + " " + end + " " + start;
  }

  @Test
  void jobsAreFoundByWhatTheyAre() throws Exception {
    List<AccountingRecord> records = new ArrayList<>();
    for (int id = 1; id <= 12_000; id++) {
      records.add(attempt(ended(id, id % 3 == 0 ? "bob" : "alice", id % 4 == 0 ? 1 : 0)));
    }
    writer.store(writer.position(), records, 12_000);
    assertEquals(12_000, ids(all -> all).size());
    assertEquals(4_000, ids(all -> all.withUsers(List.of("bob"))).size());
    assertEquals(4_000, ids(all -> all.withUsers(List.of("1002"))).size());
    assertEquals(12_000, ids(all -> all.withUsers(List.of("1002", "alice"))).size());
    assertEquals(8_000, ids(all -> all.withAccounts(List.of("alice"))).size());
    assertEquals(List.of(7, 9), ids(all -> all.withNames(List.of("job7", "job9"))));
    assertEquals(List.of(), ids(all -> all.withNodes(List.of("n2"))));
    assertEquals(
        List.of(5, 6),
        ids(all -> all.withJobs(List.of(selector(5), selector(6), selector(99_999)))));
    Instant from = RecordedJobs.START.plusSeconds(1_000);
    Instant until = from.plusSeconds(100);
    // Submitted at their numbers, begun 10 seconds later, run for a minute.
    assertEquals(170, ids(all -> all.withFrom(from).withUntil(until)).size());
    assertEquals(
        25, ids(all -> all.withFrom(from).withUntil(until).withStates(List.of("FAILED"))).size());
    assertEquals(
        List.of(),
        ids(all -> all.withUsers(List.of("'; DROP TABLE job; --", "b\"ob", "a b", "두레"))));
  }

  @Test
  void aJobThatMayNotRunYetIsListedWhereItIsNamed() throws Exception {
    Job held = waiting(1, "alice").withEligibleTime(null);
    writer.store(writer.position(), List.of(attempt(held), attempt(waiting(2, "alice"))), 2);
    assertEquals(List.of(2), ids(all -> all));
    assertEquals(List.of(2), ids(all -> all.withStates(List.of("PENDING"))));
    assertEquals(List.of(1), ids(all -> all.withJobs(List.of(selector(1)))));
  }

  @Test
  void componentsAreFoundAloneOrWithTheirWhole() throws Exception {
    List<AccountingRecord> records = new ArrayList<>();
    for (int id = 4; id <= 6; id++) {
      records.add(attempt(ended(id, "alice", 0).withHet(new HetComponent(4, id - 4, 3))));
    }
    writer.store(writer.position(), records, 3);
    JobSelector second = new JobSelector(4, null, 1);
    assertEquals(List.of(4, 5, 6), ids(all -> all.withJobs(List.of(selector(4)))));
    assertEquals(List.of(5), ids(all -> all.withJobs(List.of(selector(5)))));
    assertEquals(List.of(5), ids(all -> all.withJobs(List.of(second))));
    assertEquals(
        List.of(4, 5, 6), ids(all -> all.withJobs(List.of(selector(5))).withWholeHetJobs(true)));
    assertEquals(
        List.of(4, 5, 6), ids(all -> all.withJobs(List.of(second)).withWholeHetJobs(true)));
    assertEquals(
        List.of(4), ids(all -> all.withJobs(List.of(selector(4))).withWholeHetJobs(false)));
  }

  @Test
  void textsAreKeptOnceAndFoundByTheJobsThatHaveThem() throws Exception {
    String script = "#!/bin/sh\necho 두레\n";
    TextId id = TextId.of(script);
    Workload.BatchSpec batch = Workload.BatchSpec.nothing("/").with().script(id).build();
    Job one = waiting(1, "alice").withWorkload(batch);
    Job two = waiting(2, "alice").withWorkload(batch);
    AttemptId attempt = AttemptId.of(one);
    writer.store(
        writer.position(),
        List.of(attempt(one), new AccountingRecord.JobText(attempt, id, script), attempt(two)),
        2);
    writer.store(2, List.of(new AccountingRecord.JobText(attempt, id, script)), 3);
    assertEquals(List.of(new RecordedText(id, script)), texts(RecordedText.Kind.SCRIPT));
    assertEquals(List.of(), texts(RecordedText.Kind.ENVIRONMENT));
    assertEquals(List.of(), texts(null));
    assertEquals(
        List.of(id, id), find(all -> all).stream().map(j -> j.job().workload().script()).toList());
  }

  private List<RecordedText> texts(RecordedText.@Nullable Kind kind) {
    return new JobHistory(database, "main")
        .find(ALL.withText(kind), RecordedJobs.START.plusSeconds(86_400))
        .texts();
  }

  @Test
  void namesAreKeptAndFoundExactly() throws Exception {
    String long1 = "x".repeat(10_000);
    List<String> names =
        List.of(
            "Bob",
            "bob",
            "bob ",
            "bób",
            "😀 job",
            "a\u0000b",
            "half \ud83d",
            long1,
            long1 + "y",
            "%");
    List<AccountingRecord> records = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Job job = ended(i + 1, "alice", 0);
      records.add(
          attempt(job.withSpec(job.spec().withName(names.get(i)).withAccount(names.get(i)))));
    }
    writer.store(writer.position(), records, 1);
    assertEquals(List.of(), refused);
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      assertEquals(List.of(i + 1), ids(all -> all.withNames(List.of(name))), name);
      List<Integer> found = ids(all -> all.withAccounts(List.of(name)));
      // An index has no room for all of so long an account.
      assertEquals(name.startsWith(long1) ? List.of(8, 9) : List.of(i + 1), found, name);
    }
    assertEquals(long1, find(all -> all.withNames(List.of(long1))).getFirst().job().spec().name());
  }

  @Test
  void aRowThatIsRefusedIsLeftOutAndTheRestStored() throws Exception {
    refuseJob(2);
    writer.store(
        writer.position(),
        List.of(
            attempt(ended(1, "alice", 0)),
            attempt(ended(2, "bob", 0)),
            batch(ended(2, "bob", 0)),
            attempt(ended(3, "alice", 0))),
        7);
    assertEquals(List.of(1, 3), ids(all -> all));
    assertEquals(7, writer.position());
    assertEquals(1, refused.size(), refused.toString());
    assertTrue(refused.getFirst().startsWith("job 2: "), refused.getFirst());
    writer.store(7, List.of(attempt(ended(4, "alice", 0))), 8);
    assertEquals(List.of(1, 3, 4), ids(all -> all));
  }

  private void refuseReservation(int id) {
    database
        .jdbi()
        .useHandle(handle ->
            handle.execute(
                dialect == SqlDialect.SQLITE
                    ? "CREATE TRIGGER refuse BEFORE INSERT ON reservation WHEN NEW.resv_id = "
                        + id
                        + " BEGIN SELECT RAISE(ABORT, 'not this one'); END"
                    : "ALTER TABLE reservation ADD CONSTRAINT refuse CHECK (resv_id <> "
                        + id
                        + ")"));
  }

  private static AccountingRecord.ReservationTime reserved(int id) {
    return new AccountingRecord.ReservationTime(
        RecordedJobs.START,
        id,
        "r" + id,
        RecordedJobs.START,
        RecordedJobs.START.plusSeconds(3600),
        "n1",
        TresAmounts.NONE.with(TresAmounts.CPU, 4),
        List.of(),
        List.of(),
        List.of(),
        false);
  }

  /** Not only rows of jobs may be refused: nothing of a cluster waits behind any record. */
  @Test
  void aRecordOfAnotherKindThatIsRefusedIsLeftOutToo() throws Exception {
    refuseReservation(2);
    writer.store(
        writer.position(),
        List.of(reserved(1), reserved(2), reserved(3), attempt(ended(1, "alice", 0))),
        4);
    assertEquals(4, writer.position());
    assertEquals(List.of(1), ids(all -> all));
    assertEquals(1, refused.size(), refused.toString());
    assertTrue(refused.getFirst().startsWith("reservation r2: "), refused.getFirst());
    List<Integer> stored =
        database
            .jdbi()
            .withHandle(handle ->
                handle
                    .createQuery("SELECT resv_id FROM reservation ORDER BY resv_id")
                    .mapTo(Integer.class)
                    .list());
    assertEquals(List.of(1, 3), stored);
  }

  /** Each further record of such an attempt would count it again. */
  @Test
  void whatIsRefusedIsNotCounted() throws Exception {
    refuseJob(2);
    writer.store(writer.position(), List.of(attempt(ended(2, "bob", 0))), 1);
    writer.store(1, List.of(attempt(ended(2, "bob", 1))), 2);
    assertEquals(2, refused.size(), refused.toString());
    int counted =
        database
            .jdbi()
            .withHandle(handle ->
                handle.createQuery("SELECT COUNT(*) FROM usage_usual").mapTo(Integer.class).one());
    assertEquals(0, counted);
  }

  @Test
  void aUsersJobsAreFoundWhereTheyFillSeveralAnswers() throws Exception {
    List<AccountingRecord> records = new ArrayList<>();
    for (int id = 1; id <= 5200; id++) {
      records.add(attempt(waiting(id, id % 26 == 0 ? "bob" : "alice")));
    }
    writer.store(writer.position(), records, 1);
    List<Integer> alices =
        IntStream.rangeClosed(1, 5200).filter(id -> id % 26 != 0).boxed().toList();
    assertEquals(alices, ids(all -> all.withUsers(List.of("alice"))));
    assertEquals(5200, ids(all -> all).size());
    assertEquals(5200, ids(all -> all.withAccounts(List.of("alice", "bob"))).size());
  }

  @Test
  void eachAttemptHasItsOwnSteps() throws Exception {
    List<AccountingRecord> records = new ArrayList<>();
    Job again = ended(7, "alice", 0);
    for (int number = 1; number <= 1100; number++) {
      AttemptId attempt = new AttemptId(7, number);
      records.add(new AccountingRecord.JobAttempt(attempt, again, number < 1100));
      records.add(
          new AccountingRecord.StepBegun(attempt, number, again.submitTime(), "n1", 1, null));
    }
    for (int id = 100; id < 900; id++) {
      Job job = ended(id, "alice", 0);
      records.add(attempt(job));
      records.add(
          new AccountingRecord.StepBegun(AttemptId.of(job), id, again.submitTime(), "n1", 1, null));
    }
    writer.store(writer.position(), records, 1);
    List<RecordedJob> all = find(query -> query.withAttempts(true));
    assertEquals(1900, all.size());
    for (RecordedJob one : all) {
      AttemptId attempt = one.attempt();
      assertEquals(
          List.of(attempt.jobId() == 7 ? attempt.number() : attempt.jobId()),
          one.steps().stream().map(RecordedStep::step).toList());
    }
    RecordedJob last = find(query -> query.withUsers(List.of("alice"))).getFirst();
    assertEquals(new AttemptId(7, 1100), last.attempt());
    assertEquals(1, last.steps().size());
  }

  private void refuseJob(int id) {
    database
        .jdbi()
        .useHandle(handle ->
            handle.execute(
                dialect == SqlDialect.SQLITE
                    ? "CREATE TRIGGER refuse BEFORE INSERT ON job WHEN NEW.job_id = "
                        + id
                        + " BEGIN SELECT RAISE(ABORT, 'not this one'); END"
                    : "ALTER TABLE job ADD CONSTRAINT refuse CHECK (job_id <> " + id + ")"));
  }

  private static JobSelector selector(int id) {
    return new JobSelector(id, (TaskIndices) null);
  }
}
