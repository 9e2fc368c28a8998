package io.dure.simulator.twin.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.core.model.JobState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalStartTest {
  @TempDir Path directory;

  @BeforeEach
  void aDayOfACluster() throws Exception {
    WrittenJournal.write(directory);
  }

  private static List<String> jobs(JournalStart.Found found) {
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

  private static List<String> came(JournalStart.Found found, Instant from) {
    return found.came().stream()
        .map(job ->
            job.name() + " " + Duration.between(from, job.submit()).toSeconds() + " " + lasts(job))
        .toList();
  }

  @Test
  void theEndOfAJournalIsWhatRunsAndWaits() throws Exception {
    JournalStart.Found found = JournalStart.read(directory, Instant.MAX);
    assertEquals(List.of("5 running ?", "7_4 pending ?", "7_5 pending ?"), jobs(found));
    assertEquals(List.of(), found.came());
    assertEquals(List.of(new Skip("job that is held", 1, 0)), found.left());
    assertEquals(WrittenJournal.at(1000), found.newest());
    assertEquals(7, found.beginning().jobs().get(1).job().origin().number());
    assertEquals(2, found.beginning().jobs().get(1).job().origin().throttle());
  }

  @Test
  void aMomentOfThePastKnowsWhatCameOfIt() throws Exception {
    Instant then = WrittenJournal.at(100);
    JournalStart.Found found = JournalStart.read(directory, then);
    // 1 ran for 300 s, 2 waited and ran for 50 s, 3 was cancelled while it waited.
    assertEquals(List.of("1 running 300", "2 pending 50"), jobs(found));
    assertEquals(then, found.beginning().at());
    // 4 came and ran, 5 came and still runs, 6 is held; of the array 7 one task ran.
    assertEquals(List.of("4 100 60", "5 200 ?", "7_3 500 20"), came(found, then));
    assertEquals(List.of(new Skip("job that was cancelled while it waited", 1, 0)), found.left());
  }

  @Test
  void aMomentBeforeTheJournalIsRefused() {
    TraceException early =
        assertThrows(
            TraceException.class, () -> JournalStart.read(directory, WrittenJournal.at(-60)));
    assertTrue(early.text().contains("its journal goes back to "), early.text());
  }
}
