package io.dure.twin.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.Event;
import io.dure.journal.EventJournal;
import io.dure.journal.Journal;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.model.ExitStatus;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("pure")
class PointInTimeJournalReaderTest {
  @TempDir Path directory;

  @BeforeEach
  void aDayOfACluster() throws Exception {
    WrittenJournal.write(directory);
  }

  private static List<String> jobs(PointInTimeJournalReader.PointInTime found) {
    return found.beginning().jobs().stream()
        .map(one -> one.job().name() + " " + word(one.record().state()) + " " + lasts(one.job()))
        .toList();
  }

  private static String word(JobState state) {
    return state.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }

  private static String lasts(TraceJob job) {
    return job.run().equals(TraceJob.ENDLESS) ? "?" : Long.toString(job.run().toSeconds());
  }

  private static List<String> came(PointInTimeJournalReader.PointInTime found, Instant from) {
    return found.came().stream()
        .map(job ->
            job.name() + " " + Duration.between(from, job.submit()).toSeconds() + " " + lasts(job))
        .toList();
  }

  @Test
  void theEndOfAJournalIsWhatRunsAndWaits() throws Exception {
    PointInTimeJournalReader.PointInTime found =
        PointInTimeJournalReader.read(directory, Instant.MAX);
    assertEquals(List.of("5 running ?", "7_4 pending ?", "7_5 pending ?"), jobs(found));
    assertEquals(List.of(), found.came());
    assertEquals(List.of(new SkippedRecords("job that is held", 1, 0)), found.left());
    assertEquals(WrittenJournal.at(1000), found.newest());
    assertEquals(7, found.beginning().jobs().get(1).job().origin().number());
    assertEquals(2, found.beginning().jobs().get(1).job().origin().throttle());
  }

  @Test
  void aMomentOfThePastKnowsWhatCameOfIt() throws Exception {
    Instant then = WrittenJournal.at(100);
    PointInTimeJournalReader.PointInTime found = PointInTimeJournalReader.read(directory, then);
    // 1 ran for 300 s, 2 waited and ran for 50 s, 3 was cancelled while it waited.
    assertEquals(List.of("1 running 300", "2 pending 50"), jobs(found));
    assertEquals(then, found.beginning().at());
    // 4 came and ran, 5 came and still runs, 6 is held; of the array 7 one task ran.
    assertEquals(List.of("4 100 60", "5 200 ?", "7_3 500 20"), came(found, then));
    assertEquals(
        List.of(new SkippedRecords("job that was cancelled while it waited", 1, 0)), found.left());
  }

  @Test
  void aJournalOfANewerReleaseIsRefusedWithFileRecordAndRemedy() throws Exception {
    JournalSettings settings = new JournalSettings(1 << 20, 1 << 24, Duration.ofMillis(10));
    try (Journal open =
        RecoveredJournal.open(directory, settings, new WrittenJournal.Quiet()).journal()) {
      var _ = open.append(List.of(new byte[] {3, 2, 1, 1})).get();
    }
    String said = refusal();
    assertTrue(said.startsWith(directory.toString() + "/"), said);
    assertTrue(said.contains(": record 33 is of an unknown kind; start the newer program"), said);
  }

  @Test
  void theJournalOfOneOfSeveralControllersIsNotTakenForDamaged() throws Exception {
    directory = Files.createDirectory(directory.resolve("other"));
    JournalSettings settings = new JournalSettings(1 << 20, 1 << 24, Duration.ofMillis(10));
    try (Journal open =
        RecoveredJournal.open(directory, settings, new WrittenJournal.Quiet()).journal()) {
      var _ = open.append(List.of(new byte[] {2, 1, 1, 1})).get();
    }
    String said = refusal();
    assertTrue(said.contains(": record 1 belongs to a replicated journal"), said);
  }

  @Test
  void aJournalWhoseBeginningIsGoneIsRefused() throws Exception {
    Path log = Files.createDirectory(directory.resolve("other"));
    JournalSettings settings = new JournalSettings(1 << 20, 1 << 24, Duration.ofMillis(10));
    try (Journal open =
        RecoveredJournal.open(log, settings, new WrittenJournal.Quiet()).journal()) {
      Event end =
          new Event.JobEnding(
              9,
              1,
              new JobOutcome.Completed(ExitStatus.OK),
              WrittenJournal.at(5),
              List.of(),
              PostRunAction.END,
              false);
      var _ = open.append(EventJournal.records(WrittenJournal.at(5), List.of(end))).get();
    }
    directory = log;
    String said = refusal();
    assertTrue(said.contains(": record 1 does not follow from those before it ("), said);
    assertTrue(said.endsWith("; restore the whole directory from a backup"), said);
  }

  @Test
  void aDamagedJournalIsRefusedWithItsPlace() throws Exception {
    Path file;
    try (Stream<Path> all = Files.list(directory)) {
      file = all.filter(one -> one.toString().contains("journal-")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[2000] ^= 1;
    Files.write(file, bytes);
    String said = refusal();
    assertTrue(said.matches(file + ":[0-9]+: record [0-9]+ cannot be read; restore .*"), said);
  }

  private String refusal() {
    return assertThrows(
            TraceException.class, () -> PointInTimeJournalReader.read(directory, Instant.MAX))
        .text();
  }

  @Test
  void aMomentBeforeTheJournalIsRefused() {
    TraceException early =
        assertThrows(
            TraceException.class,
            () -> PointInTimeJournalReader.read(directory, WrittenJournal.at(-60)));
    assertTrue(early.text().contains("its journal goes back to "), early.text());
  }
}
