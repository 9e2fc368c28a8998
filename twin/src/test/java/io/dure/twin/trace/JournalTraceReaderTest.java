package io.dure.twin.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.Event;
import io.dure.journal.EventJournal;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Qos;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.job.PostRunAction;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("pure")
class JournalTraceReaderTest {
  private static final Instant BEGIN = Instant.ofEpochSecond(1_700_000_000);
  private static final UserIdentity ANN = new UserIdentity(7, 7, "ann", "users");

  /** Nothing happens that anybody would have to hear of. */
  private static final class Quiet implements JournalListener {
    @Override
    public void failed(IOException cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable bug) {
      throw new AssertionError(bug);
    }
  }

  private static Instant at(long second) {
    return BEGIN.plusSeconds(second);
  }

  private static JobSpec spec() throws Exception {
    String line = "-dt 0 -e submit_batch_job | -sim-walltime 1 -J sum -p main -n 2 -t 10 job.sh\n";
    ByteArrayInputStream in = new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8));
    WorkloadTrace trace = TraceOpener.read("one.events", in, SwfReadOptions.PLAIN);
    return ((TraceJobRequest.SbatchRequest) trace.jobs().getFirst().demand()).spec();
  }

  private static Event submitted(int job, long second) throws Exception {
    Workload.BatchSpec batch = Workload.BatchSpec.nothing("/");
    return new Event.JobSubmitted(
        job, at(second), ANN, spec(), batch, 1, Hold.NONE, List.of(), null, null);
  }

  private static Event started(int job, int run, long second) {
    Allocation place = new Allocation("main", List.of(new NodeShare("n1", List.of(0, 1), 2, 0, 2)));
    return new Event.JobStarted(job, run, place, at(second), null, false, false);
  }

  private static Event ending(int job, int run, long second) {
    JobOutcome outcome = new JobOutcome.Completed(ExitStatus.OK);
    return new Event.JobEnding(
        job, run, outcome, at(second), List.of("n1"), PostRunAction.END, false);
  }

  private static void write(Path directory, List<Event> events) throws Exception {
    JournalSettings settings = new JournalSettings(1 << 20, 1 << 24, Duration.ofMillis(10));
    try (Journal journal = RecoveredJournal.open(directory, settings, new Quiet()).journal()) {
      var _ = journal.append(EventJournal.records(BEGIN, events)).get();
    }
  }

  @Test
  void jobsAreWhatTheirEventsSay(@TempDir Path directory) throws Exception {
    write(
        directory,
        List.of(
            submitted(1, 0),
            submitted(2, 5),
            submitted(3, 6),
            submitted(4, 7),
            started(1, 1, 10),
            new Event.JobEligible(2, at(8)),
            started(2, 1, 20),
            ending(1, 1, 110),
            ending(2, 1, 30),
            started(2, 2, 200),
            ending(2, 2, 260),
            started(4, 1, 300),
            new Event.JobsPurged(List.of(1))));
    WorkloadTrace trace = TraceOpener.read(directory, SwfReadOptions.PLAIN);
    assertEquals(
        List.of(
            new TraceJob("1", at(0), Duration.ofSeconds(100), "ann", demand()),
            new TraceJob("2", at(8), Duration.ofMinutes(1), "ann", demand())),
        trace.jobs());
    assertEquals(
        List.of(
            new SkippedRecords("never started", 1, 0),
            new SkippedRecords("had not ended yet", 1, 0)),
        trace.skipped());
  }

  @Test
  void aPauseIsNoPartOfARunAndAPreemptedJobCameOnce(@TempDir Path directory) throws Exception {
    write(
        directory,
        List.of(
            submitted(1, 0),
            submitted(2, 5),
            new Event.JobEligible(2, at(6)),
            started(1, 1, 10),
            new Event.JobSuspended(1, 1, at(30), JobState.Suspended.Cause.PREEMPTION, 2),
            started(2, 1, 31),
            ending(2, 1, 40),
            new Event.JobEligible(2, at(50)),
            started(2, 2, 60),
            ending(2, 2, 90),
            new Event.JobResumed(1, 1, at(90), null),
            ending(1, 1, 110)));
    assertEquals(
        List.of(
            new TraceJob("1", at(0), Duration.ofSeconds(40), "ann", demand()),
            new TraceJob("2", at(6), Duration.ofSeconds(30), "ann", demand())),
        TraceOpener.read(directory, SwfReadOptions.PLAIN).jobs());
  }

  @Test
  void tasksKeepTheirThrottleAndComponentsTheirPlaces(@TempDir Path directory) throws Exception {
    write(
        directory,
        List.of(
            submitted(1, 0),
            new Event.ArrayTaskSplit(1, 7, 2),
            new Event.ArrayThrottled(1, 3),
            component(4, 5, new HetComponent(4, 0, 2)),
            component(5, 5, new HetComponent(4, 1, 2)),
            started(2, 1, 10),
            started(5, 1, 10),
            started(4, 1, 10),
            ending(5, 1, 20),
            ending(4, 1, 20),
            ending(2, 1, 20)));
    assertEquals(
        List.of(
            new TraceJob.Origin(1, 7, 3),
            new TraceJob.Origin(4, null, 0, new TraceJob.Component(0, 2)),
            new TraceJob.Origin(4, null, 0, new TraceJob.Component(1, 2))),
        TraceOpener.read(directory, SwfReadOptions.PLAIN).jobs().stream()
            .map(TraceJob::origin)
            .toList());
  }

  private static Event component(int job, long second, HetComponent het) throws Exception {
    return submitted(job, second) instanceof Event.JobSubmitted e
        ? new Event.JobSubmitted(
            e.jobId(),
            e.at(),
            e.owner(),
            e.spec(),
            e.workload(),
            e.priority(),
            e.hold(),
            e.waitingFor(),
            e.requestId(),
            het)
        : null;
  }

  @Test
  void qualitiesOfServiceAreThoseOfTheCluster(@TempDir Path directory) throws Exception {
    Qos fast = Qos.plain(AccountingTree.initial().nextQos(), "fast", "");
    write(
        directory,
        List.of(
            new Event.AccountingChanged(List.of(new AccountingChange.QosSet(fast)), at(0), "root"),
            submitted(1, 0),
            started(1, 1, 10),
            ending(1, 1, 20)));
    AccountingTree accounts = TraceOpener.read(directory, SwfReadOptions.PLAIN).accounts();
    assertNotNull(accounts);
    assertNotNull(accounts.qos("fast"));
  }

  private static TraceJobRequest demand() throws Exception {
    return new TraceJobRequest.SbatchRequest(spec());
  }

  @Test
  void aDirectoryWithoutJobsIsRefused(@TempDir Path directory) throws Exception {
    TraceException empty =
        assertThrows(TraceException.class, () -> TraceOpener.read(directory, SwfReadOptions.PLAIN));
    assertTrue(empty.text().contains("no job in the journal came and ended"));
    write(directory, List.of(submitted(1, 0)));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "journal-*")) {
      for (Path file : files) {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
      }
    }
    assertThrows(TraceException.class, () -> TraceOpener.read(directory, SwfReadOptions.PLAIN));
  }
}
