package io.dure.foresight;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.insight.forecast.StartForecaster;
import io.dure.model.command.Command;
import io.dure.model.forecast.ForecastHistory;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.forecast.WaitQuantiles;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.ReservationRequest;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is forecast of the jobs of a cluster. */
@Tag("pure")
class ForecasterTest {
  private static Map<Integer, JobStartForecast> forecasts(TestCluster cluster, long seed) {
    StartForecaster all =
        StartForecaster.ofAll(
            new StartForecaster.Question(
                cluster.state(), cluster.now(), ForecastHistory.EMPTY, seed));
    assertTrue(all.result().isEmpty());
    while (all.step(100)) {
      assertNotNull(all.result());
    }
    assertFalse(all.step());
    return all.result();
  }

  private static JobBuilder whole(int nodes, int minutes, int runs) {
    return job().nodes(nodes).exclusive().time(minutes).runs(60L * runs);
  }

  private static double minutes(TestCluster cluster, @Nullable Instant at) {
    return Duration.between(cluster.now(), Objects.requireNonNull(at)).toSeconds() / 60.0;
  }

  /** Jobs of two hours that run for ten minutes each. */
  private static TestCluster experienced() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    for (int i = 0; i < 12; i++) {
      cluster.submit(ALICE, whole(1, 120, 10));
      cluster.minutes(12);
    }
    return cluster;
  }

  @Test
  void whoeverEndsEarlyLetsOthersExpectAnEarlyStart() {
    TestCluster cluster = experienced();
    cluster.submit(ALICE, whole(1, 120, 10));
    int waits = cluster.submit(ALICE, whole(1, 120, 10));
    JobStartForecast forecast = Objects.requireNonNull(forecasts(cluster, 1).get(waits));
    assertEquals(120.0, minutes(cluster, forecast.byLimits()), 1.0);
    assertEquals(10.0, minutes(cluster, forecast.p50()), 3.0);
    assertTrue(!forecast.p10().isAfter(forecast.p50()));
    assertTrue(forecast.p90().isAfter(forecast.p50()));
  }

  @Test
  void withoutHistoryTheLimitsSpeak() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    cluster.submit(ALICE, whole(1, 60, 60));
    int waits = cluster.submit(BOB, whole(1, 60, 60));
    JobStartForecast forecast = Objects.requireNonNull(forecasts(cluster, 1).get(waits));
    assertEquals(forecast.byLimits(), forecast.p50());
  }

  @Test
  void nothingIsSaidOfWhoIsHeldOrNeverStarts() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int runs = cluster.submit(ALICE, whole(1, 60, 60));
    int held = cluster.submit(ALICE, whole(1, 60, 60).held());
    int never = cluster.submit(ALICE, whole(1, 60, 60).dependency("afternotok:" + runs));
    int large = cluster.submit(ALICE, whole(9, 60, 60));
    int waits = cluster.submit(ALICE, whole(1, 60, 60));
    Map<Integer, JobStartForecast> all = forecasts(cluster, 1);
    assertFalse(all.containsKey(held));
    assertFalse(all.containsKey(never));
    assertFalse(all.containsKey(large));
    assertTrue(all.containsKey(waits));
  }

  /** A book by which all waits are a tenth of what is imagined. */
  private static ForecastHistory hasty(TestCluster cluster) {
    ForecastHistory book = ForecastHistory.EMPTY;
    Instant now = cluster.now();
    for (long wait = 1000; wait < 1_000_000; wait *= 3) {
      Instant said = now.plusSeconds(wait);
      JobStartForecast forecast =
          new JobStartForecast(
              now, now, said, said, null, new WaitQuantiles(wait / 2, wait, wait * 2));
      for (int i = 0; i < 60; i++) {
        book = book.noted(forecast, now.plusSeconds(wait / 10));
      }
    }
    return book;
  }

  private static JobStartForecast corrected(TestCluster cluster, int job) {
    StartForecaster all =
        StartForecaster.ofAll(
            new StartForecaster.Question(cluster.state(), cluster.now(), hasty(cluster), 1));
    while (all.step()) {
      // One future after the other.
    }
    return Objects.requireNonNull(all.result().get(job));
  }

  @Test
  void noExperienceStartsAJobBeforeItMayBegin() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    Instant begin = cluster.now().plus(Duration.ofHours(20));
    int later = cluster.submit(ALICE, whole(1, 60, 60).begin(begin));
    JobStartForecast forecast = corrected(cluster, later);
    assertEquals(begin, forecast.p10());
    assertEquals(begin, forecast.p50());
    assertFalse(forecast.p90().isBefore(begin));
  }

  /** Its limit does not fit before what is reserved for others, whoever ends early. */
  @Test
  void noExperienceStartsAJobWithinWhatOthersReserved() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    cluster.submit(ALICE, whole(1, 30, 20));
    cluster.minutes(1);
    Instant from = cluster.now().plus(Duration.ofHours(1));
    Instant until = from.plus(Duration.ofHours(10));
    reserve(cluster, from, until);
    int waits = cluster.submit(BOB, whole(1, 600, 60));
    int fits = cluster.submit(BOB, whole(1, 10, 5));
    JobStartForecast forecast = corrected(cluster, waits);
    assertFalse(forecast.p10().isBefore(until), forecast.toString());
    assertEquals(until, forecast.from());
    assertTrue(corrected(cluster, fits).p50().isBefore(from));
  }

  private static void reserve(TestCluster cluster, Instant from, Instant until) {
    ReservationRequest request =
        new ReservationRequest(
            "maintenance",
            from,
            until,
            null,
            null,
            List.of("ALL"),
            null,
            null,
            null,
            null,
            new NameListEdit(NameListEdit.Mode.SET, List.of("root")),
            null,
            null,
            List.of(),
            List.of(),
            null,
            null,
            false,
            null,
            null,
            null,
            null,
            null,
            null);
    assertNull(cluster.refusal(TestCluster.ROOT, new Command.CreateReservation(request)));
  }

  @Test
  void theSameQuestionHasTheSameAnswer() {
    TestCluster cluster = experienced();
    for (int i = 0; i < 10; i++) {
      cluster.submit(i % 2 == 0 ? ALICE : BOB, whole(1, 60, 10));
    }
    assertEquals(forecasts(cluster, 4), forecasts(cluster, 4));
  }
}
