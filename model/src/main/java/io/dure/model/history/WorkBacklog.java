package io.dure.model.history;

import io.dure.model.collection.IntMap;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much work of one resource waits, and waited at most. Work is in seconds of one unit of it,
 * CPU seconds or GPU seconds.
 *
 * @param waiting what waits now for resources alone, by what the jobs ask for and their limits
 * @param peak the most that waited, as it was expected to be held; fades by half in {@link
 *     #HALF_LIFE}
 * @param peakAt the time that it is of, null where nothing ran yet
 * @param backlogs of each job that waits, by its id, the peak when it came, rounded
 * @param asked what the last jobs that ended asked for, to their limits; each end lets it fade by a
 *     hundredth, as the next
 * @param ran what they held in the end
 */
@RecordBuilder
public record WorkBacklog(
    long waiting,
    double peak,
    @Nullable Instant peakAt,
    IntMap<Long> backlogs,
    double asked,
    double ran)
    implements WorkBacklogBuilder.With {
  /** Nothing waited yet. */
  public static final WorkBacklog EMPTY = new WorkBacklog(0, 0, null, IntMap.empty(), 0, 0);

  /** After that time, what waited at most counts half. */
  public static final Duration HALF_LIFE = Duration.ofDays(180);

  /** What is left of the sums of earlier runs after one more. */
  private static final double KEPT = 0.99;

  /** What an old journal knows nothing of is empty. */
  public WorkBacklog {
    backlogs = Objects.requireNonNullElse(backlogs, IntMap.empty());
  }

  /** More waits, or less. */
  WorkBacklog plus(long more) {
    return more == 0 ? this : withWaiting(waiting + more);
  }

  /** A job came at that time, and waits. */
  WorkBacklog came(int jobId, Instant at) {
    return backlogs.contains(jobId)
        ? this
        : withBacklogs(backlogs.with(jobId, Math.round(peak(at))));
  }

  /** A job waits no longer. */
  WorkBacklog left(int jobId) {
    return backlogs.contains(jobId) ? withBacklogs(backlogs.without(jobId)) : this;
  }

  /** A job begins to run; what waits is looked at. */
  WorkBacklog started(Instant at) {
    double faded = peak(at);
    boolean any = faded > 0;
    return any && expected() >= faded ? with().peak(faded).peakAt(at).build() : this;
  }

  /**
   * A run with a limit ended.
   *
   * @param most what it asked for, to its limit
   * @param held what it held
   */
  WorkBacklog ended(double most, double held) {
    return with().asked(KEPT * asked + most).ran(KEPT * ran + held).build();
  }

  /** What waits now, as jobs have lately held of what they asked for. */
  public double expected() {
    return asked > 0 ? waiting * ran / asked : waiting;
  }

  /** The most that waited, faded until then. */
  public double peak(Instant now) {
    Instant from = peakAt;
    if (from == null || !now.isAfter(from)) {
      return Math.max(expected(), peak);
    }
    double lives = (double) Duration.between(from, now).toSeconds() / HALF_LIFE.toSeconds();
    return Math.max(expected(), peak * Math.pow(0.5, lives));
  }

  /** The peak that was known when a job came that waits, else the one that is known now. */
  public double backlogOf(int jobId, Instant now) {
    Long known = backlogs.get(jobId);
    return known == null ? peak(now) : known;
  }
}
