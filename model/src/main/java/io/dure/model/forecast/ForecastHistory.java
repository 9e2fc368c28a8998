package io.dure.model.forecast;

import io.dure.model.collection.IntMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of the last forecasts, by how far they looked ahead: by it later ones are corrected,
 * and can be judged. Bounded; immutable.
 *
 * @param latest the last of all horizons, the last first; at most {@link #MOST_LATEST}
 * @param levels by {@link #level}, the last first; at most {@link #MOST_OF_LEVEL} each
 */
public record ForecastHistory(IntMap<List<ForecastOutcome>> levels, List<ForecastOutcome> latest) {
  /** Nothing was foretold yet. */
  public static final ForecastHistory EMPTY = new ForecastHistory(IntMap.empty(), List.of());

  public static final int MOST_OF_LEVEL = 400;
  public static final int MOST_LATEST = 1000;
  private static final int LOWEST = 4;
  private static final int HIGHEST = 11;

  /** What an old journal does not know in its order is known by horizons, in turns. */
  public ForecastHistory {
    if (latest.isEmpty() && !levels.isEmpty()) {
      latest = inTurns(levels.values());
    }
  }

  /** Of all levels the last ones, as many of each. */
  private static List<ForecastOutcome> inTurns(List<List<ForecastOutcome>> levels) {
    List<ForecastOutcome> some = new ArrayList<>();
    for (int i = 0; i < MOST_OF_LEVEL; i++) {
      for (List<ForecastOutcome> level : levels) {
        if (i < level.size() && some.size() < MOST_LATEST) {
          some.add(level.get(i));
        }
      }
    }
    return List.copyOf(some);
  }

  /** The job of which that was said started then. */
  public ForecastHistory noted(JobStartForecast said, Instant started) {
    Instant from = said.from();
    Instant limits = said.byLimits();
    ForecastOutcome outcome =
        new ForecastOutcome(
            said.raw(),
            seconds(from, said.p10()),
            seconds(from, said.p50()),
            seconds(from, said.p90()),
            limits == null ? null : seconds(from, limits),
            seconds(from, started));
    int level = level(said.raw().middle());
    return new ForecastHistory(
        levels.with(level, before(outcome, of(level), MOST_OF_LEVEL)),
        before(outcome, latest, MOST_LATEST));
  }

  private static List<ForecastOutcome> before(
      ForecastOutcome outcome, List<ForecastOutcome> known, int most) {
    List<ForecastOutcome> next = new ArrayList<>(Math.min(most, known.size() + 1));
    next.add(outcome);
    next.addAll(known.subList(0, Math.min(known.size(), most - 1)));
    return List.copyOf(next);
  }

  private static long seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toSeconds());
  }

  /** Waits that differ by less than four times have the same number, or the next. */
  public static int level(long seconds) {
    int octaves = 63 - Long.numberOfLeadingZeros(Math.max(1, seconds));
    return Math.clamp(octaves / 2, LOWEST, HIGHEST);
  }

  /** The least wait that is of a later level. */
  private static @Nullable Duration end(int level) {
    return level == HIGHEST ? null : Duration.ofSeconds(1L << 2 * (level + 1));
  }

  /** What came of those of a level, the last first. */
  public List<ForecastOutcome> of(int level) {
    List<ForecastOutcome> known = levels.get(level);
    return known == null ? List.of() : known;
  }

  /** The levels of which something is known, and those beside. */
  public static List<Integer> nearest(int level) {
    List<Integer> all = new ArrayList<>();
    all.add(level);
    for (int away = 1; away <= HIGHEST - LOWEST; away++) {
      if (level - away >= LOWEST) {
        all.add(level - away);
      }
      if (level + away <= HIGHEST) {
        all.add(level + away);
      }
    }
    return all;
  }

  /** How true forecasts were, those that looked least far first; horizons without any left out. */
  public List<HorizonAccuracy> accuracy() {
    List<HorizonAccuracy> all = new ArrayList<>();
    for (int level = LOWEST; level <= HIGHEST; level++) {
      List<ForecastOutcome> known = of(level);
      if (!known.isEmpty()) {
        all.add(accuracy(end(level), known));
      }
    }
    return all;
  }

  /** How true the last forecasts were, whatever they looked ahead; null where there is none. */
  public @Nullable HorizonAccuracy overall() {
    return latest.isEmpty() ? null : accuracy(null, latest);
  }

  private static HorizonAccuracy accuracy(@Nullable Duration upTo, List<ForecastOutcome> known) {
    double error = 0;
    double byLimits = 0;
    int limited = 0;
    int within = 0;
    for (ForecastOutcome one : known) {
      error += Math.abs(one.p50() - one.waited());
      within += one.p10() <= one.waited() && one.waited() <= one.p90() ? 1 : 0;
      Long limits = one.byLimits();
      if (limits != null) {
        limited++;
        byLimits += Math.abs(limits - one.waited());
      }
    }
    return new HorizonAccuracy(
        upTo,
        known.size(),
        error / known.size(),
        (double) within / known.size(),
        limited == 0 ? null : byLimits / limited);
  }
}
