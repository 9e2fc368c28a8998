package io.dure.insight.forecast;

import io.dure.model.forecast.ForecastHistory;
import io.dure.model.forecast.ForecastOutcome;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.forecast.WaitQuantiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Corrects what was imagined by what came of earlier forecasts that looked as far ahead. The middle
 * is multiplied by the factor that would have made the absolute errors of those smallest; the
 * distances of low and high from it by what nine in ten of them would have needed (a conformal
 * prediction interval, normalised by the rollouts' own spread: Papadopoulos and others 2008, over a
 * sliding window). One thread.
 */
final class ForecastCalibration {
  /** Fewer tell nothing of their own. */
  private static final int LEAST = 30;

  /** Seconds below which errors are not told apart by their parts. */
  private static final double SMALL = 300;

  /** What part is to be outside on each side. */
  private static final double OUTSIDE = 0.1;

  /** What corrects the middle at most. */
  private static final double LEAST_FACTOR = 0.1;

  private static final double MOST_FACTOR = 4;

  /** What corrects the distances from it at most. */
  private static final double MOST_SPREAD = 30;

  /** How far runs that were drawn one by one are from the truth, where nothing is known. */
  private static final Correction UNKNOWN = new Correction(1, 1.8, 2.2);

  private final ForecastHistory book;
  private final Map<Integer, Correction> made = new TreeMap<>();

  /**
   * What raw forecasts of a level are corrected by.
   *
   * @param middle factor of the middle
   * @param below factor of the distance from low to middle
   * @param above factor of the distance from middle to high
   */
  private record Correction(double middle, double below, double above) {}

  ForecastCalibration(ForecastHistory book) {
    this.book = book;
  }

  /**
   * The forecast that is made of what was imagined.
   *
   * @param raw from the earliest start on
   * @param certain seconds until the earliest start: what is certain is not corrected
   */
  JobStartForecast of(Instant now, long certain, WaitQuantiles raw, @Nullable Instant byLimits) {
    Correction by = made.computeIfAbsent(ForecastHistory.level(raw.middle()), this::correction);
    double middle = Math.max(0, (raw.middle() + SMALL) * by.middle() - SMALL);
    double low = raw.middle() - by.below() * (raw.middle() - raw.low() + SMALL);
    double high = raw.middle() + by.above() * (raw.high() - raw.middle() + SMALL);
    Instant from = now.plusSeconds(certain);
    return new JobStartForecast(
        now,
        from.plusSeconds(Math.round(Math.clamp(low, 0, middle))),
        from.plusSeconds(Math.round(middle)),
        from.plusSeconds(Math.round(Math.max(high, middle))),
        byLimits,
        raw,
        certain == 0 ? null : from);
  }

  private Correction correction(int level) {
    List<ForecastOutcome> known = new ArrayList<>();
    for (int near : ForecastHistory.nearest(level)) {
      if (known.size() < LEAST) {
        known.addAll(book.of(near));
      }
    }
    if (known.size() < LEAST) {
      return UNKNOWN;
    }
    List<Double> below = new ArrayList<>();
    List<Double> above = new ArrayList<>();
    for (ForecastOutcome one : known) {
      WaitQuantiles raw = one.raw();
      below.add((raw.middle() - one.waited()) / (raw.middle() - raw.low() + SMALL));
      above.add((one.waited() - raw.middle()) / (raw.high() - raw.middle() + SMALL));
    }
    // An outage or a clock that leapt makes outcomes of which none tells of a usual day.
    return new Correction(
        Math.clamp(middle(known), LEAST_FACTOR, MOST_FACTOR),
        Math.min(most(below), MOST_SPREAD),
        Math.min(most(above), MOST_SPREAD));
  }

  /** The factor by which the sum of absolute errors would have been smallest. */
  private static double middle(List<ForecastOutcome> known) {
    List<ForecastOutcome> byRatio = new ArrayList<>(known);
    byRatio.sort(Comparator.comparingDouble(ForecastCalibration::ratio));
    double all = 0;
    for (ForecastOutcome one : byRatio) {
      all += one.raw().middle() + SMALL;
    }
    double sum = 0;
    for (ForecastOutcome one : byRatio) {
      sum += one.raw().middle() + SMALL;
      if (sum >= all / 2) {
        return ratio(one);
      }
    }
    return 1;
  }

  private static double ratio(ForecastOutcome one) {
    return (one.waited() + SMALL) / (one.raw().middle() + SMALL);
  }

  /** What all but a few are below. */
  private static double most(List<Double> some) {
    List<Double> rising = new ArrayList<>(some);
    rising.sort(Comparator.naturalOrder());
    int index = (int) Math.ceil((1 - OUTSIDE) * (rising.size() + 1)) - 1;
    return rising.get(Math.min(index, rising.size() - 1));
  }
}
