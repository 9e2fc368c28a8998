package io.dure.model.report;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a job is expected to start.
 *
 * @param latest when it does if every job runs to its limit and none comes before it; null where
 *     that is not foreseen
 * @param nodes where, as a host list; empty where that is not foreseen
 * @param never whether it never does as things are
 * @param beyond until when the future was looked at without its starting, null if it starts before
 *     or never
 * @param forecast by how long jobs really run, null where nothing is known
 * @param endless whether it starts when jobs without a limit end, which is unknown
 */
@RecordBuilder
public record ExpectedStart(
    @Nullable Instant latest,
    String nodes,
    boolean never,
    @Nullable Instant beyond,
    @Nullable Forecast forecast,
    boolean endless)
    implements ExpectedStartBuilder.With {

  /** Nothing was looked at. */
  public static final ExpectedStart UNKNOWN = new ExpectedStart(null, "", false, null, null, false);

  /**
   * When it starts by how long jobs really run.
   *
   * @param early one time in ten it is before
   * @param middle half of the times it is before
   * @param late one time in ten it is after
   */
  public record Forecast(Instant early, Instant middle, Instant late) {}
}
