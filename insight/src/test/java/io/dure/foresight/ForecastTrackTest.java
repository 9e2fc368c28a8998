package io.dure.foresight;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.derived.ForecastTracker;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.forecast.HorizonAccuracy;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.forecast.WaitQuantiles;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is told of the starts of jobs is remembered, and held against their starts. */
@Tag("pure")
class ForecastTrackTest {
  private static final long MINUTE = 60;

  private final TestCluster cluster = ClusterBuilder.of(1).start();

  /** Tells that a job starts after so many seconds, half of that at least, twice at most. */
  private FirstForecast told(int job, long seconds) {
    return new FirstForecast(
        job,
        new JobStartForecast(
            cluster.now(),
            cluster.now().plusSeconds(seconds / 2),
            cluster.now().plusSeconds(seconds),
            cluster.now().plusSeconds(seconds * 2),
            cluster.now().plusSeconds(seconds * 3),
            new WaitQuantiles(seconds / 2, seconds, seconds * 2)));
  }

  private void tell(FirstForecast... some) {
    cluster.tell(new Command.NoteForecasts(List.of(some)));
  }

  private ForecastTracker track() {
    return cluster.state().forecasts();
  }

  private List<HorizonAccuracy> accuracy() {
    return track().book().accuracy();
  }

  /** A job that waits because it may not begin before that. */
  private int waiting(Duration wait) {
    return cluster.submit(ALICE, job().begin(cluster.now().plus(wait)));
  }

  @Test
  void aStartIsHeldAgainstWhatWasTold() {
    int early = waiting(Duration.ofMinutes(10));
    tell(told(early, 8 * MINUTE));
    assertEquals(List.of(early), track().open().keys());
    cluster.minutes(11);
    assertTrue(track().open().isEmpty());
    HorizonAccuracy one = accuracy().getFirst();
    assertEquals(1, one.jobs());
    assertEquals(1, one.within());
    assertEquals(2 * MINUTE, one.meanError(), 30);
    assertEquals(14 * MINUTE, one.meanErrorByLimits(), 30);
  }

  @Test
  void aStartOutsideIsNotCovered() {
    int late = waiting(Duration.ofHours(3));
    tell(told(late, 30 * MINUTE));
    cluster.minutes(185);
    assertEquals(0, accuracy().getFirst().within());
  }

  @Test
  void theFirstWordCounts() {
    int job = waiting(Duration.ofMinutes(30));
    FirstForecast first = told(job, 10 * MINUTE);
    tell(first);
    cluster.minutes(5);
    tell(told(job, 25 * MINUTE));
    assertEquals(first.forecast(), track().open().get(job));
  }

  @Test
  void whatStartsAtOnceTeachesNothing() {
    int job = waiting(Duration.ofSeconds(20));
    tell(told(job, 20));
    cluster.minutes(2);
    assertTrue(track().open().isEmpty());
    assertTrue(accuracy().isEmpty());
  }

  @Test
  void whoeverIsHeldOrAsksForSomethingElseIsForgotten() {
    int held = waiting(Duration.ofMinutes(10));
    int gone = waiting(Duration.ofMinutes(10));
    tell(told(held, 600), told(gone, 600));
    cluster.ask(ALICE, new Command.HoldJob(new JobSelector(held, null), true));
    assertFalse(track().open().contains(held));
    tell(told(held, 600));
    assertFalse(track().open().contains(held), "nothing can be told of it");
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(gone, null), null, false, false));
    assertTrue(track().open().isEmpty());
    assertTrue(accuracy().isEmpty());
  }

  @Test
  void anArrayIsToldOfByItsFirstTask() {
    cluster.submit(ALICE, job().nodes(1).exclusive().time(60).runs(600));
    cluster.seconds(5);
    int array = cluster.submit(ALICE, job().nodes(1).exclusive().time(30).runs(300).array("1-3"));
    tell(told(array, 8 * MINUTE));
    assertEquals(List.of(array), track().open().keys());
    cluster.minutes(12);
    assertTrue(track().open().isEmpty(), "its first task has started");
    HorizonAccuracy one = accuracy().getFirst();
    assertEquals(1, one.jobs());
    assertEquals(2 * MINUTE, one.meanError(), 45);
    tell(told(array, 8 * MINUTE));
    assertTrue(track().open().isEmpty(), "the others are not like those that come");
    cluster.checkReplay();
  }

  /** Whoever started while it was worked out is not left out: only who waits long would be left. */
  @Test
  void aStartBeforeTheNoteCountsAsWell() {
    int started = waiting(Duration.ofMinutes(2));
    int soon = waiting(Duration.ofSeconds(40));
    FirstForecast first = told(started, 5 * MINUTE);
    FirstForecast second = told(soon, 5 * MINUTE);
    cluster.minutes(4);
    tell(first, second);
    assertTrue(track().open().isEmpty());
    assertEquals(1, accuracy().getFirst().jobs());
    assertEquals(3 * MINUTE, accuracy().getFirst().meanError(), 30);
    cluster.checkReplay();
  }

  @Test
  void whoeverIsNotThereIsTakenNoNoteOf() {
    tell(told(4711, 600));
    assertTrue(track().open().isEmpty());
  }

  @Test
  void allOfItOutlivesTheController() {
    int done = waiting(Duration.ofMinutes(10));
    tell(told(done, 500));
    cluster.minutes(12);
    int open = waiting(Duration.ofMinutes(10));
    tell(told(open, 500));
    cluster.checkReplay();
    cluster.restartController();
    assertEquals(List.of(open), track().open().keys());
    assertEquals(1, accuracy().getFirst().jobs());
  }
}
