package io.dure.controller.statistics;

import java.time.Instant;

/**
 * Passes of one kind since a moment. Times are in nanoseconds.
 *
 * @param since the moment
 * @param cycles how many
 * @param last time of the last one
 * @param longest time of the longest
 * @param time time of all
 * @param at when the last one was, {@link Instant#EPOCH} before the first
 * @param lastPass what the last one found
 * @param depth jobs looked at in all of them
 * @param tried those of them for which a place was looked for
 * @param queue sum of the jobs that waited at each
 * @param table sum of the promises of each
 */
record SchedulerPassStatistics(
    Instant since,
    long cycles,
    long last,
    long longest,
    long time,
    Instant at,
    SchedulerPassResult lastPass,
    long depth,
    long tried,
    long queue,
    long table) {

  static SchedulerPassStatistics none(Instant since) {
    return new SchedulerPassStatistics(
        since, 0, 0, 0, 0, Instant.EPOCH, SchedulerPassResult.NOTHING, 0, 0, 0, 0);
  }

  /** With another pass. */
  SchedulerPassStatistics and(SchedulerPassResult found, long nanos, Instant when) {
    return new SchedulerPassStatistics(
        since,
        cycles + 1,
        nanos,
        Math.max(longest, nanos),
        time + nanos,
        when,
        found,
        depth + found.depth(),
        tried + found.tried(),
        queue + found.queue(),
        table + found.promised());
  }

  /** The same if they are of that time, else none yet, but what is told of the last pass. */
  SchedulerPassStatistics in(Instant period) {
    return since.equals(period)
        ? this
        : new SchedulerPassStatistics(period, 0, last, 0, 0, at, lastPass, 0, 0, 0, 0);
  }
}
