package io.dure.accounting;

import static io.dure.accounting.RecordedJobs.attempt;
import static io.dure.accounting.RecordedJobs.batch;
import static io.dure.accounting.RecordedJobs.ended;
import static io.dure.accounting.RecordedJobs.part;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.accounting.retention.ArchiveLoader;
import io.dure.accounting.retention.BadArchiveException;
import io.dure.accounting.retention.Retention;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.Workload;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What leaves the database when it is old, and comes back from its archive. */
@Tag("process")
@ParameterizedClass
@EnumSource(SqlDialect.class)
class RetentionTest {
  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, true, false, null, null, null);

  /** Two months after the jobs of {@link RecordedJobs}. */
  private static final Instant NOW = Instant.parse("2026-03-10T12:30:00Z");

  private static final Instant YEAR = Instant.parse("2026-01-01T00:00:00Z");
  private static final RetentionAge MONTH = new RetentionAge(1, RetentionAge.Unit.MONTHS);

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

  private Path archives() {
    return temp.resolve("archives");
  }

  private List<Path> files() throws IOException {
    if (!Files.exists(archives())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(archives())) {
      return files.sorted().toList();
    }
  }

  private Retention retention(RetentionAge after, boolean archived, RecordKind... kinds) {
    Map<RecordKind, RetentionSettings.Rule> rules = new EnumMap<>(RecordKind.class);
    for (RecordKind kind : kinds) {
      rules.put(kind, new RetentionSettings.Rule(after, archived));
    }
    return new Retention(
        database,
        "main",
        ZoneOffset.UTC,
        new RetentionSettings(rules, archives().toString(), null, true),
        null);
  }

  private long purge(boolean archived, RecordKind... kinds) throws Exception {
    return retention(MONTH, archived, kinds).run(NOW, () -> true).stream()
        .mapToLong(Retention.Purged::rows)
        .sum();
  }

  private long load(Path file) throws IOException {
    return new ArchiveLoader(database, ZoneOffset.UTC, _ -> true).load(file).added();
  }

  private List<RecordedJob> jobs() {
    JobHistory history = new JobHistory(database, "main");
    List<RecordedJob> all = new ArrayList<>();
    JobHistory.Page page = history.find(ALL, NOW);
    all.addAll(page.jobs());
    while (page.last() != null) {
      page = history.find(ALL.withAfter(page.last()), NOW);
      all.addAll(page.jobs());
    }
    return all;
  }

  private long count(String table) {
    return database.reading(
        handle -> handle.createQuery("SELECT COUNT(*) FROM " + table).mapTo(Long.class).one());
  }

  private UsageReport report(UsageQuery.Part part) {
    return new UsageHistory(database, "main", ZoneOffset.UTC)
        .report(new UsageQuery(YEAR, NOW, part, List.of(), ALL), NOW, List.of());
  }

  /** So many jobs with a step each, all of January. */
  private void fill(int jobs) throws StalePositionException {
    for (int id = 1; id <= jobs; id++) {
      Job job = ended(id, id % 2 == 0 ? "alice" : "bob", id % 3);
      store(attempt(job), batch(job), part(job, id % 3, 1000L * id, true));
    }
  }

  private static Job withScript(Job job, String script) {
    return job.withWorkload(
        Workload.BatchSpec.nothing("/").with().script(TextId.of(script)).build());
  }

  private static Job at(Job job, Instant end) {
    JobState.Ended state = (JobState.Ended) job.state();
    return job.withSubmitTime(end.minusSeconds(100))
        .withState(
            new JobState.Ended(
                state.allocation(), end.minusSeconds(60), end, state.outcome(), null));
  }

  private static AccountingRecord.JobText told(Job job, String text) {
    return new AccountingRecord.JobText(AttemptId.of(job), TextId.of(text), text);
  }

  @Test
  void whatIsOldGoesIntoAnArchiveAndComesBack() throws Exception {
    fill(1200);
    Job young = at(ended(5000, "alice", 0), Instant.parse("2026-02-01T00:00:00Z"));
    store(attempt(young));
    List<RecordedJob> before = jobs();
    assertEquals(1201, before.size());
    UsageReport used = report(UsageQuery.Part.OWNERS);
    assertFalse(used.owners().isEmpty());
    assertEquals(2400, purge(true, RecordKind.JOBS));
    assertEquals(List.of(young), jobs().stream().map(RecordedJob::job).toList());
    assertEquals(0, count("step"));
    assertEquals(used, report(UsageQuery.Part.OWNERS));
    assertEquals(
        List.of("main_job_archive_2026-01-01T00:00:00_2026-02-01T00:00:00.jsonl.gz"),
        files().stream().map(file -> file.getFileName().toString()).toList());
    assertEquals(0, purge(true, RecordKind.JOBS));
    assertEquals(2400, load(files().getFirst()));
    assertEquals(before, jobs());
    assertEquals(used, report(UsageQuery.Part.OWNERS));
    assertEquals(0, load(files().getFirst()));
    assertEquals(before, jobs());
    // They go again, and the archive is the one that there is.
    assertEquals(2400, purge(true, RecordKind.JOBS));
    assertEquals(1, files().size());
  }

  @Test
  void whatIsCutShortIsCompletedAndIsInOneArchive() throws Exception {
    fill(1200);
    List<RecordedJob> before = jobs();
    long gone = 0;
    int runs = 0;
    while (count("job") > 0) {
      AtomicInteger left = new AtomicInteger(runs);
      gone +=
          retention(MONTH, true, RecordKind.JOBS)
              .run(NOW, () -> left.getAndDecrement() > 0)
              .stream()
              .mapToLong(Retention.Purged::rows)
              .sum();
      assertTrue(files().size() <= 1, files().toString());
      runs++;
      assertTrue(runs < 20, "it does not come to its end");
    }
    assertTrue(runs > 2, "it was not cut short");
    // A run that is cut short does not count what it did before it was.
    assertTrue(gone <= 2400);
    assertEquals(0, count("step"));
    assertEquals(2400, load(files().getFirst()));
    assertEquals(before, jobs());
  }

  @Test
  void whatComesLateGoesIntoAnArchiveOfItsOwn() throws Exception {
    fill(3);
    assertEquals(6, purge(true, RecordKind.JOBS));
    Job late = ended(9, "alice", 0);
    store(attempt(late));
    assertEquals(1, purge(true, RecordKind.JOBS));
    assertEquals(2, files().size());
    assertEquals(0, count("job"));
    for (Path file : files()) {
      assertTrue(load(file) > 0);
    }
    assertEquals(4, jobs().size());
  }

  @Test
  void withoutAnArchiveItGoes() throws Exception {
    fill(600);
    assertEquals(1200, purge(false, RecordKind.JOBS));
    assertEquals(List.of(), jobs());
    assertEquals(List.of(), files());
  }

  @Test
  void jobsThatAreNotOverStay() throws Exception {
    Job running = RecordedJobs.running(1, "alice");
    Job completing = completing(2, PostRunAction.END);
    store(attempt(running), batch(running), attempt(completing), batch(completing));
    assertEquals(0, purge(true, RecordKind.JOBS, RecordKind.STEPS, RecordKind.SUSPENSIONS));
    assertEquals(2, jobs().size());
    assertEquals(2, count("step"));
    assertEquals(List.of(), files());
  }

  private static Job completing(int id, PostRunAction afterwards) {
    Job over = ended(id, "alice", 0);
    JobState.Ended end = (JobState.Ended) over.state();
    return over.withState(
        new JobState.Completing(
            end.allocation(),
            end.start(),
            end.end(),
            end.outcome(),
            List.of("n1"),
            afterwards,
            Hold.NONE,
            false,
            null,
            false));
  }

  @Test
  void attemptsThatWereRequeuedGo() throws Exception {
    Job run = withScript(completing(1, PostRunAction.REQUEUE), "old");
    Job next =
        run.withState(RecordedJobs.waiting(1, "alice").state())
            .withWorkload(Workload.BatchSpec.nothing("/"))
            .withRequeuedAt(NOW.minusSeconds(100));
    store(attempt(run), told(run, "old"), batch(run));
    store(new AccountingRecord.JobAttempt(AttemptId.of(run), run, true), attempt(next));
    assertEquals(2, count("job"));
    assertEquals(2, purge(true, RecordKind.JOBS));
    assertEquals(List.of(next), jobs().stream().map(RecordedJob::job).toList());
    assertEquals(1, count("job") + count("step") + count("job_text"));
    assertEquals(3, load(files().getFirst()));
    assertEquals(2, count("job"));
  }

  @Test
  void stepsAndSuspensionsMayGoBeforeTheirJobs() throws Exception {
    fill(3);
    Job job = ended(1, "alice", 0);
    store(
        new AccountingRecord.JobPause(
            AttemptId.of(job), RecordedJobs.START, RecordedJobs.START.plusSeconds(5)));
    assertEquals(3, purge(true, RecordKind.STEPS));
    assertEquals(0, count("step"));
    assertEquals(1, purge(true, RecordKind.SUSPENSIONS));
    assertEquals(0, count("suspension"));
    assertEquals(3, jobs().size());
    assertEquals(2, files().size());
    for (Path file : files()) {
      assertTrue(load(file) > 0);
    }
    assertEquals(3, count("step"));
    assertEquals(1, count("suspension"));
  }

  @Test
  void textsGoWithTheLastJobThatNamesThem() throws Exception {
    Job old = withScript(ended(1, "alice", 0), "old");
    Job shared = withScript(ended(2, "alice", 0), "shared");
    Job live = withScript(RecordedJobs.running(3, "alice"), "live");
    Job later = withScript(at(ended(4, "alice", 0), NOW), "shared");
    store(attempt(old), told(old, "old"), attempt(shared), told(shared, "shared"));
    store(attempt(live), told(live, "live"), attempt(later), told(later, "shared"));
    assertEquals(3, count("job_text"));
    assertEquals(2, purge(true, RecordKind.JOBS));
    assertEquals(2, count("job_text"));
    assertEquals(3, load(files().getFirst()));
    assertEquals(3, count("job_text"));
  }

  @Test
  void anOldEntryOfACrontabKeepsNoTextsOfOthers() throws Exception {
    Job old = withScript(ended(1, "alice", 0), "old");
    Job run =
        withScript(at(ended(2, "bob", 0), NOW), "entry")
            .with()
            .submitTime(RecordedJobs.START)
            .requeuedAt(NOW.minusSeconds(100))
            .build();
    store(attempt(old), told(old, "old"), attempt(run), told(run, "entry"));
    assertEquals(1, purge(false, RecordKind.JOBS));
    assertEquals(
        List.of(TextId.of("entry").toString()),
        database.reading(
            handle -> handle.createQuery("SELECT id FROM job_text").mapTo(String.class).list()));
  }

  @Test
  void reportsOfWhatTheClusterHadStay() throws Exception {
    TresAmounts all = TresAmounts.NONE.with(TresAmounts.CPU, 8).with(TresAmounts.NODE, 2);
    TresAmounts one = TresAmounts.NONE.with(TresAmounts.CPU, 4).with(TresAmounts.NODE, 1);
    Instant at = Instant.parse("2026-01-05T10:20:00Z");
    store(new AccountingRecord.ClusterCapacity(at, "n[1-2]", 2, all));
    store(outage("n1", at.plusSeconds(4000), "DOWN", one));
    store(outage("n1", at.plusSeconds(90_000), "", one));
    store(outage("n2", at.plusSeconds(100_000), "POWERED_DOWN", one));
    store(outage("n2", at.plusSeconds(120_000), "", one));
    store(new AccountingRecord.ClusterCapacity(at.plusSeconds(500_000), "n1", 1, one));
    store(new AccountingRecord.ClusterCapacity(at.plusSeconds(600_000), "n[1-2]", 2, all));
    store(outage("n2", Instant.parse("2026-01-31T23:00:00Z"), "DOWN", one));
    store(outage("n2", Instant.parse("2026-02-02T00:00:00Z"), "", one));
    fill(10);
    UsageReport before = report(UsageQuery.Part.CLUSTER);
    assertFalse(before.cluster().isEmpty());
    assertEquals(4, purge(true, RecordKind.EVENTS));
    assertEquals(1, count("capacity"));
    assertEquals(1, count("outage"));
    assertEquals(before, report(UsageQuery.Part.CLUSTER));
    assertEquals(4, load(files().getFirst()));
    assertEquals(before, report(UsageQuery.Part.CLUSTER));
    assertEquals(0, load(files().getFirst()));
    assertEquals(before, report(UsageQuery.Part.CLUSTER));
  }

  private static AccountingRecord.NodeOutage outage(
      String node, Instant at, String state, TresAmounts tres) {
    return new AccountingRecord.NodeOutage(node, at, state, "broken", 0, tres);
  }

  @Test
  void changesThatAreTheSameAllComeBack() throws Exception {
    AccountingRecord.AccountsChange change =
        new AccountingRecord.AccountsChange(
            RecordedJobs.START, "root", "Add Users", "(id=1)", "fairshare='7'");
    store(change, change, change);
    assertEquals(3, purge(true, RecordKind.TRANSACTIONS));
    assertEquals(0, count("txn"));
    assertEquals(3, load(files().getFirst()));
    assertEquals(0, load(files().getFirst()));
    assertEquals(3, count("txn"));
  }

  @Test
  void sumsGoWhenTheyAreOld() throws Exception {
    fill(10);
    store(attempt(at(ended(99, "alice", 0), NOW.minusSeconds(3600))));
    UsageReport before = report(UsageQuery.Part.OWNERS);
    assertTrue(purge(true, RecordKind.USAGE) > 0);
    UsageReport young = report(UsageQuery.Part.OWNERS);
    assertEquals(
        List.of("alice"),
        young.owners().stream().map(UsageReport.OwnerUse::user).distinct().toList());
    assertTrue(load(files().getFirst()) > 0);
    assertEquals(before, report(UsageQuery.Part.OWNERS));
    assertEquals(0, load(files().getFirst()));
  }

  @Test
  void sumsThatAreGoneAreNotPutRight() throws Exception {
    Job old = ended(1, "alice", 0);
    Job last = at(ended(2, "alice", 0), Instant.parse("2026-02-01T00:00:20Z"));
    store(attempt(old), attempt(last));
    assertTrue(purge(false, RecordKind.USAGE) > 0);
    JobCorrection key = new JobCorrection(null, null, null, "proj");
    store(
        new AccountingRecord.JobCorrected(AttemptId.of(old), key),
        new AccountingRecord.JobCorrected(AttemptId.of(last), key));
    assertEquals(List.of("proj 40"), keys());
    for (String span : List.of("usage_usual", "cluster_sum")) {
      assertEquals(0, count(span + " WHERE start_time < 1769904000"));
    }
  }

  /** Its sums stay as they are: when it was suspended is not known any more. */
  @Test
  void aJobWithoutItsSuspensionsIsNotPutRight() throws Exception {
    Job job = ended(1, "alice", 0);
    JobState.Ended state = (JobState.Ended) job.state();
    Instant start = Objects.requireNonNull(state.start());
    Duration pause = Duration.ofSeconds(40);
    var pauses = new JobState.SuspensionTotals(pause, Duration.ZERO, start.plus(pause), null);
    Job paused =
        job.withState(
            new JobState.Ended(
                state.allocation(), start, state.end(), state.outcome(), null, pauses));
    store(new AccountingRecord.JobPause(AttemptId.of(job), start, start.plus(pause)));
    store(attempt(paused));
    List<String> before = keys();
    assertEquals(1, before.size());
    assertEquals(1, purge(false, RecordKind.SUSPENSIONS));
    JobCorrection key = new JobCorrection(null, null, null, "proj");
    store(new AccountingRecord.JobCorrected(AttemptId.of(job), key));
    assertEquals(before, keys());
  }

  private List<String> keys() {
    return report(UsageQuery.Part.OWNERS).owners().stream()
        .filter(use -> use.tres().equals(TresAmounts.CPU) && use.seconds() != 0)
        .map(use -> use.wckey() + " " + use.seconds())
        .toList();
  }

  @Test
  void sumsThatAreMadeAnewKeepWhatIsGone() throws Exception {
    fill(10);
    store(attempt(at(ended(99, "alice", 0), NOW.minusSeconds(3600))));
    UsageReport before = report(UsageQuery.Part.OWNERS);
    assertEquals(20, purge(false, RecordKind.JOBS));
    database
        .jdbi()
        .useHandle(handle -> {
          handle.execute("UPDATE cluster SET summed = 0");
          handle.execute("UPDATE usage_usual SET cpu = 0 WHERE start_time >= 1769904000");
        });
    assertEquals(position, writer.position());
    assertEquals(before, report(UsageQuery.Part.OWNERS));
  }

  private static List<String> lines(Path file) throws IOException {
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private Path archive(List<String> lines) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return Files.write(temp.resolve("changed.jsonl.gz"), bytes.toByteArray());
  }

  private String refusal(Path file) {
    BadArchiveException refusal = assertThrows(BadArchiveException.class, () -> load(file));
    assertEquals(0, count("job") + count("step"), "something of it was loaded");
    return String.valueOf(refusal.getMessage()).replace(file + "", "FILE");
  }

  @Test
  void ofADamagedArchiveNothingIsLoaded() throws Exception {
    fill(20);
    assertEquals(40, purge(true, RecordKind.JOBS));
    Path whole = files().getFirst();
    List<String> lines = lines(whole);
    assertEquals(42, lines.size());
    List<String> changed = new ArrayList<>(lines);
    changed.set(6, lines.get(6).replace("\"job_id\":", "\"job_id\":\"x\",\"id\":"));
    assertEquals("FILE:7: no value of job_id", refusal(archive(changed)));
    changed.set(6, "{\"table\":\"job; DROP TABLE job\"}");
    assertEquals("FILE:7: no table job; DROP TABLE job", refusal(archive(changed)));
    changed.set(6, "{\"table\":\"job\",\"job_id, attempt\":7}");
    assertEquals("FILE:7: job has no job_id, attempt", refusal(archive(changed)));
    assertEquals(
        "FILE:41: it has 39 rows, and had 40",
        refusal(
            archive(Stream.concat(lines.stream().limit(40), Stream.of(lines.getLast())).toList())));
    assertEquals(
        "FILE:31: the file ends here, and its end is missing",
        refusal(archive(lines.subList(0, 30))));
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = temp.resolve("cut");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    assertTrue(refusal(cut).contains("the file is damaged"), refusal(cut));
    Path text = Files.writeString(temp.resolve("text"), "INSERT INTO job");
    assertTrue(refusal(text).contains("no archive"), refusal(text));
    changed = new ArrayList<>(lines);
    changed.set(0, lines.getFirst().replace("\"main\"", "\"other\""));
    assertEquals("FILE:1: the database does not know the cluster other", refusal(archive(changed)));
    changed.set(0, lines.getFirst().replace("\"first\"", "\"second\""));
    assertEquals(
        "FILE:1: it is of another cluster main (origin second, the database has first)",
        refusal(archive(changed)));
    assertEquals(40, load(whole));
  }

  /** A pipe, or a file that is replaced, may have other rows when it is read again. */
  @Test
  void ofAFileThatIsReplacedMeanwhileNothingForgedIsLoaded() throws Exception {
    fill(20);
    assertEquals(40, purge(true, RecordKind.JOBS));
    List<String> lines = lines(files().getFirst());
    Path file = archive(lines);
    List<String> forged = new ArrayList<>(lines);
    forged.set(6, lines.get(6).replace("\"job_id\":", "\"cluster_id\":2,\"job_id\":"));
    Path other = temp.resolve("forged.jsonl.gz");
    Files.move(archive(forged), other);
    archive(lines);
    AtomicInteger opened = new AtomicInteger();
    ArchiveLoader loader =
        new ArchiveLoader(
            database,
            ZoneOffset.UTC,
            _ -> {
              if (opened.getAndIncrement() == 0) {
                replace(other, file);
              }
              return true;
            });
    BadArchiveException refusal = assertThrows(BadArchiveException.class, () -> loader.load(file));
    assertEquals(file + ":7: job has no cluster_id", refusal.getMessage());
    assertEquals(2, opened.get());
  }

  private static void replace(Path by, Path file) {
    try {
      Files.move(by, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
