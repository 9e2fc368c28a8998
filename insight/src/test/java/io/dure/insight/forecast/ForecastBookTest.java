package io.dure.insight.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.forecast.ForecastHistory;
import io.dure.model.forecast.ForecastOutcome;
import io.dure.model.forecast.HorizonAccuracy;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.forecast.WaitQuantiles;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What came of forecasts corrects the next. */
@Tag("pure")
class ForecastBookTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000);

  private static JobStartForecast said(ForecastHistory book, long low, long middle, long high) {
    return new ForecastCalibration(book).of(NOW, 0, new WaitQuantiles(low, middle, high), null);
  }

  private static long seconds(Instant at) {
    return Duration.between(NOW, at).toSeconds();
  }

  @Test
  void withoutHistoryTheMiddleIsAsImaginedAndTheBoundsAreWider() {
    JobStartForecast forecast = said(ForecastHistory.EMPTY, 3000, 4000, 6000);
    assertEquals(4000, seconds(forecast.p50()));
    assertTrue(seconds(forecast.p10()) < 3000);
    assertTrue(seconds(forecast.p90()) > 6000);
  }

  @Test
  void boundsNeverCross() {
    JobStartForecast forecast = said(ForecastHistory.EMPTY, 0, 0, 0);
    assertEquals(0, seconds(forecast.p50()));
    assertEquals(0, seconds(forecast.p10()));
    assertTrue(!forecast.p90().isBefore(forecast.p50()));
  }

  /** Futures are too short by half and know their spread badly; the book mends both. */
  @Test
  void fourOfFiveStartBetweenTheBoundsWhateverTheFuturesAreWorth() {
    Random random = new Random(5);
    ForecastHistory book = ForecastHistory.EMPTY;
    int within = 0;
    int judged = 0;
    double error = 0;
    double raw = 0;
    for (int i = 0; i < 3000; i++) {
      long middle = 2000L + random.nextInt(50_000);
      JobStartForecast forecast = said(book, middle * 9 / 10, middle, middle * 11 / 10);
      long waited = Math.round(middle * 2 * Math.exp(0.6 * random.nextGaussian()));
      Instant start = NOW.plusSeconds(waited);
      if (i > 1000) {
        judged++;
        within += !start.isBefore(forecast.p10()) && !start.isAfter(forecast.p90()) ? 1 : 0;
        error += Math.abs(seconds(forecast.p50()) - waited);
        raw += Math.abs(middle - waited);
      }
      book = book.noted(forecast, start);
    }
    double part = (double) within / judged;
    assertTrue(part > 0.76 && part < 0.86, "between p10 and p90: " + part);
    assertTrue(error < 0.9 * raw, "off by " + error / judged + ", raw " + raw / judged);
  }

  @Test
  void aBookIsBounded() {
    ForecastHistory book = ForecastHistory.EMPTY;
    for (int i = 0; i < 3000; i++) {
      book = book.noted(said(ForecastHistory.EMPTY, 10, 5000, 20_000), NOW.plusSeconds(i));
    }
    assertEquals(
        ForecastHistory.MOST_OF_LEVEL,
        book.levels().values().stream().mapToInt(List::size).max().orElse(0));
    assertEquals(1, book.levels().size());
  }

  /** What is known of the wait is neither corrected nor learned from. */
  @Test
  void aCertainWaitIsNotCorrected() {
    ForecastHistory book = ForecastHistory.EMPTY;
    for (int i = 0; i < 100; i++) {
      book = book.noted(said(ForecastHistory.EMPTY, 4000, 5000, 6000), NOW.plusSeconds(500));
    }
    assertTrue(seconds(said(book, 4000, 5000, 6000).p50()) < 1000);
    WaitQuantiles raw = new WaitQuantiles(0, 5000, 6000);
    JobStartForecast behind = new ForecastCalibration(book).of(NOW, 86_400, raw, null);
    assertTrue(seconds(behind.p10()) >= 86_400);
    assertTrue(Math.abs(seconds(behind.p50()) - 86_400) < 1000);
    assertEquals(86_400, seconds(behind.from()));
    ForecastHistory more = ForecastHistory.EMPTY.noted(behind, NOW.plusSeconds(90_000));
    ForecastOutcome outcome = more.latest().getFirst();
    assertEquals(3600, outcome.waited());
    assertEquals(seconds(behind.p50()) - 86_400, outcome.p50());
  }

  /** Of a horizon with many jobs and of one with few, each job counts once. */
  @Test
  void allTogetherWeighsJobs() {
    assertNull(ForecastHistory.EMPTY.overall());
    ForecastHistory book = ForecastHistory.EMPTY;
    JobStartForecast day = said(ForecastHistory.EMPTY, 80_000, 86_400, 90_000);
    book = book.noted(day, day.p50().plusSeconds(50_000));
    JobStartForecast hour = said(ForecastHistory.EMPTY, 3000, 3600, 4000);
    for (int i = 0; i < 2 * ForecastHistory.MOST_OF_LEVEL - 1; i++) {
      book = book.noted(hour, hour.p50().plusSeconds(100));
    }
    HorizonAccuracy all = book.overall();
    assertNotNull(all);
    assertEquals(2 * ForecastHistory.MOST_OF_LEVEL, all.jobs());
    assertEquals((50_000 + 799 * 100) / 800.0, all.meanError(), 1e-9);
    ForecastHistory old = new ForecastHistory(book.levels(), List.of());
    assertEquals(ForecastHistory.MOST_OF_LEVEL + 1, old.overall().jobs());
  }

  @Test
  void accuracyIsToldByHorizon() {
    JobStartForecast shortly =
        new JobStartForecast(NOW, NOW, NOW, NOW.plusSeconds(60), null, new WaitQuantiles(0, 0, 9));
    Instant hour = NOW.plusSeconds(3600);
    Instant day = NOW.plusSeconds(86_400);
    JobStartForecast later =
        new JobStartForecast(
            NOW, hour, hour.plusSeconds(600), day, day, new WaitQuantiles(3600, 5000, 9000));
    ForecastHistory book =
        ForecastHistory.EMPTY
            .noted(shortly, NOW.plusSeconds(30))
            .noted(later, hour)
            .noted(later, day);
    List<HorizonAccuracy> all = book.accuracy();
    assertEquals(2, all.size());
    assertEquals(new HorizonAccuracy(Duration.ofSeconds(1024), 1, 30, 1, null), all.getFirst());
    HorizonAccuracy far = all.getLast();
    assertEquals(2, far.jobs());
    assertEquals((600 + 82_200) / 2.0, far.meanError());
    assertEquals(82_800 / 2.0, far.meanErrorByLimits());
    assertEquals(1, far.within());
  }
}
