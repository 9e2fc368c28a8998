package io.dure.controller.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.collection.IntMap;
import io.dure.model.forecast.ForecastHistory;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.forecast.WaitQuantiles;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is told of a job that is not submitted, where its own futures take too long. */
@Tag("pure")
class TestOnlyForecastTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000);

  private static long nanos(int milliseconds) {
    return Duration.ofMillis(milliseconds).toNanos();
  }

  @Test
  void whatWillNotComeInTimeIsNotWaitedFor() {
    assertTrue(TestOnlyForecast.mayCome(0, nanos(100)));
    assertFalse(TestOnlyForecast.mayCome(0, nanos(400)), "not one future");
    assertTrue(TestOnlyForecast.mayCome(0.3, nanos(400)));
    assertFalse(TestOnlyForecast.mayCome(0.2, nanos(500)), "all would take 2.5 seconds");
    assertTrue(TestOnlyForecast.mayCome(1, nanos(1400)), "more futures make it better");
    assertFalse(TestOnlyForecast.mayCome(1, nanos(1500)));
  }

  /** Jobs that the limits start after so many hours are expected after half of that. */
  private static IntMap<JobStartForecast> queue(int jobs) {
    IntMap<JobStartForecast> all = IntMap.empty();
    for (int i = 1; i <= jobs; i++) {
      Instant middle = NOW.plusSeconds(1800L * i);
      Instant limits = i % 5 == 0 ? null : NOW.plusSeconds(3600L * i);
      all =
          all.with(
              i,
              new JobStartForecast(
                  NOW, NOW, middle, middle, limits, new WaitQuantiles(0, 1800L * i, 9999)));
    }
    return all;
  }

  @Test
  void whoStartsBesideOthersByLimitsIsToldWhatTheyAre() {
    Instant planned = NOW.plus(Duration.ofHours(50));
    Instant told =
        TestOnlyForecast.like(
            new TestOnlyForecast.Word(planned, NOW, ForecastHistory.EMPTY, queue(100)));
    assertEquals(25, Duration.between(NOW, told).toMinutes() / 60.0, 1.0);
    assertEquals(
        planned,
        TestOnlyForecast.like(
            new TestOnlyForecast.Word(planned, NOW, ForecastHistory.EMPTY, queue(9))));
    Instant late = NOW.plus(Duration.ofHours(60));
    assertEquals(
        late,
        TestOnlyForecast.like(
            new TestOnlyForecast.Word(planned, late, ForecastHistory.EMPTY, queue(100))));
  }
}
