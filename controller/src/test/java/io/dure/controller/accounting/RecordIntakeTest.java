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
}
