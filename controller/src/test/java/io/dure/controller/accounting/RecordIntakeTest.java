package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.record.AccountingRecorder;
import io.dure.journal.AccountingLog;
import io.dure.journal.JournalSettings;
import io.dure.model.command.Command;
import io.dure.model.request.Workload;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of many large jobs at once. */
@Tag("process")
class RecordIntakeTest {
  private static final int MIB = 1 << 20;
  private static final int JOBS = 22;

  @TempDir Path directory;
  private final TestCluster cluster = ClusterBuilder.of(1).start();

  private static RecordIntake intake(AccountingLog log, ClusterState state) {
    RecordIntake intake =
        new RecordIntake(
            log, InstantSource.system(), new RecordSeeker((_, _) -> {}, List.of()), new KeptLog());
    intake.begin(state);
    return intake;
  }

  /** No two have the same command line, which would be kept once. */
  private void submit(int number) {
    Command.SubmitJob plain = JobBuilder.job().held().submission();
    Workload.BatchSpec batch = (Workload.BatchSpec) plain.workload();
    String line = "sbatch " + number + " ";
    Command.SubmitJob large =
        new Command.SubmitJob(
            plain.spec(),
            batch.with().submitLine(line + "x".repeat(MIB - line.length())).build(),
            plain.texts());
    var _ = cluster.ask(TestCluster.ALICE, large);
  }

  private List<AccountingLog.Entry> due() {
    List<AccountingLog.Entry> all = new ArrayList<>();
    for (TestCluster.Step step : cluster.steps()) {
      AccountingRecorder.records(step.before(), step.event(), step.after(), step.after().texts())
          .forEach(
              record -> all.add(new AccountingLog.Entry(step.after().origin().events(), record)));
    }
    return all;
  }

  /** Another controller gets one part after the other: links have a bound. */
  private void given(AccountingLog log) throws IOException {
    List<AccountingLog.Entry> all = new ArrayList<>();
    List<RecordSeeker.Given> parts = new ArrayList<>();
    RecordSeeker seeker =
        new RecordSeeker(
            (_, frame) -> {
              try (RecordGiver giver = new RecordGiver(log)) {
                byte[] answer = giver.answer(frame, log.position());
                parts.add(
                    Objects.requireNonNull(RecordSeeker.answer(Objects.requireNonNull(answer))));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            List.of("n2"));
    Instant now = Instant.EPOCH;
    for (long at = log.reachesBackTo(); at < log.position(); at = parts.getLast().upTo()) {
      now = now.plusSeconds(3600);
      seeker.ask(at, now);
      all.addAll(parts.getLast().entries());
    }
    assertEquals(due(), all);
    assertEquals(2, parts.size());
  }

  @Test
  void theLogHasThemInPartsOfWholeEventsEachOnce() throws IOException, InterruptedException {
    ClusterState first = cluster.steps().getFirst().before();
    for (int i = 0; i < JOBS; i++) {
      submit(i);
    }
    List<Event> events = cluster.steps().stream().map(TestCluster.Step::event).toList();
    JournalSettings settings = new JournalSettings(MIB, 64L * MIB, Duration.ofSeconds(1));
    try (AccountingLog log = AccountingLog.open(directory, settings, new SoundDisk())) {
      RecordIntake interrupted = intake(log, first);
      List<Event> left = interrupted.happened(events, cluster.state());
      assertFalse(left.isEmpty(), "16 MiB are enough at once");
      assertTrue(log.position() < cluster.state().origin().events());
      assertEquals(log.position(), interrupted.complete());
      // The events are read again from the journal.
      RecordIntake intake = intake(log, first);
      left = events;
      while (!left.isEmpty()) {
        left = intake.happened(left, cluster.state());
      }
      assertEquals(cluster.state().origin().events(), intake.complete());
      log.sync();
      given(log);
    }
    List<AccountingLog.Batch> batches = new ArrayList<>();
    AccountingLog.read(directory, batches::add);
    batches.removeIf(batch -> batch.entries().isEmpty()); // the log began behind some events
    assertEquals(due(), batches.stream().flatMap(batch -> batch.entries().stream()).toList());
    assertEquals(2, batches.size());
    assertEquals(batches.getFirst().last(), batches.getLast().previous());
  }

  /** The others have the records up to that many events, and this one the state behind as many. */
  private void joins(int had, int begun, long mostAhead) throws IOException, InterruptedException {
    for (int i = 0; i < JOBS; i++) {
      submit(i);
    }
    List<TestCluster.Step> steps = cluster.steps();
    List<Event> events = steps.stream().map(TestCluster.Step::event).toList();
    ClusterState first = steps.getFirst().before();
    JournalSettings settings = new JournalSettings(MIB, 64L * MIB, Duration.ofSeconds(1));
    try (AccountingLog theirs =
            AccountingLog.open(directory.resolve("theirs"), settings, new SoundDisk());
        AccountingLog own =
            AccountingLog.open(directory.resolve("own"), settings, new SoundDisk())) {
      RecordIntake other = intake(theirs, first);
      giveAll(other, events.subList(0, had), steps.get(had - 1).after());
      own.cover(Instant.EPOCH, first.origin().events());
      List<byte[]> questions = new ArrayList<>();
      RecordIntake intake =
          new RecordIntake(
              own,
              InstantSource.system(),
              new RecordSeeker((_, frame) -> questions.add(frame), List.of("n2")),
              new KeptLog(),
              mostAhead);
      intake.begin(steps.get(begun - 1).after());
      giveAll(intake, events.subList(begun, events.size()), cluster.state());
      assertTrue(intake.isMissing());
      assertEquals(first.origin().events(), intake.complete());
      intake.seek();
      answerAll(theirs, intake, questions);
      if (mostAhead == 0) {
        assertTrue(intake.isMissing(), "what was not kept is missing, too");
        giveAll(other, events.subList(had, events.size()), cluster.state());
        answerAll(theirs, intake, questions);
      }
      assertFalse(intake.isMissing());
      assertEquals(cluster.state().origin().events(), intake.complete());
      own.sync();
    }
    List<AccountingLog.Entry> all = new ArrayList<>();
    AccountingLog.read(directory.resolve("own"), batch -> all.addAll(batch.entries()));
    assertEquals(due(), all);
  }

  private static void giveAll(RecordIntake intake, List<Event> events, ClusterState after) {
    List<Event> left = events;
    while (!left.isEmpty()) {
      left = intake.happened(left, after);
    }
  }

  /** Answers the last question and those that come of it, as far as the others know. */
  private static void answerAll(AccountingLog theirs, RecordIntake intake, List<byte[]> questions)
      throws IOException, InterruptedException {
    theirs.sync();
    for (int answered = -1; answered < questions.size(); ) {
      answered = questions.size();
      try (RecordGiver giver = new RecordGiver(theirs)) {
        byte[] answer = giver.answer(questions.getLast(), theirs.position());
        if (answer != null) {
          intake.given(Objects.requireNonNull(RecordSeeker.answer(answer)));
        }
      }
    }
  }

  @Test
  void nobodyElseNeedHaveTheRecordsBehindTheMissingOnes() throws Exception {
    int half = JOBS / 2;
    joins(half, half, Long.MAX_VALUE);
  }

  @Test
  void recordsThatOthersHaveTooAreKeptOnce() throws Exception {
    joins(JOBS - 2, JOBS / 2, Long.MAX_VALUE);
  }

  @Test
  void recordsThatAreTooManyToKeepAreAskedFor() throws Exception {
    joins(JOBS / 2, JOBS / 2, 0);
  }
}
