package io.dure.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the controller has counted.
 *
 * @param now the controller's time
 * @param since when counting began
 * @param load what it is doing
 * @param jobs what became of jobs since then
 * @param jobsAt when pending and running ones were counted
 * @param main all passes
 * @param backfill those that promised starts
 * @param clockCost how long a thousand readings of the clock took at the start
 * @param types what was asked, by kinds of messages
 * @param users what was asked, by who asked
 */
public record StatisticsInfo(
    Instant now,
    Instant since,
    Load load,
    Jobs jobs,
    Instant jobsAt,
    Main main,
    Backfill backfill,
    Duration clockCost,
    List<Calls> types,
    List<Calls> users) {

  /** The same, of what users asked that which those asked whose name passes. */
  public StatisticsInfo onlyOf(Predicate<String> seen) {
    return new StatisticsInfo(
        now,
        since,
        load,
        jobs,
        jobsAt,
        main,
        backfill,
        clockCost,
        types,
        users.stream().filter(one -> seen.test(one.name())).toList());
  }

  /**
   * What the controller is doing.
   *
   * @param answering requests that are being answered
   * @param queued messages on their way to node daemons
   * @param sending node daemons to which some are on their way
   */
  public record Load(int answering, int queued, int sending) {}

  /**
   * What became of jobs; each task of an array counts.
   *
   * @param completed ended by themselves, whatever their exit status
   * @param failed lost with a node, or not to be started there
   * @param pending waiting now
   * @param running running now
   */
  public record Jobs(
      long submitted,
      long started,
      long completed,
      long canceled,
      long failed,
      long pending,
      long running) {}

  /**
   * All passes. Times are in microseconds.
   *
   * @param cycles how many
   * @param last time of the last one
   * @param longest time of the longest
   * @param time time of all
   * @param depth jobs looked at in all of them
   * @param lastQueue jobs that waited at the last one
   */
  public record Main(long cycles, long last, long longest, long time, long depth, long lastQueue) {}

  /**
   * Passes that promise starts. Times are in microseconds.
   *
   * @param jobs jobs started ahead of others since the last reset by hand
   * @param jobsOfCycle the same since {@link StatisticsInfo#since}
   * @param cycles how many passes
   * @param when when the last one was, null before the first
   * @param last time of the last one
   * @param longest time of the longest
   * @param time time of all
   * @param lastDepth jobs that the last one looked at
   * @param lastTried those of them for which it looked for a place, now or later
   * @param depth jobs looked at in all of them
   * @param tried those of them for which a place was looked for
   * @param lastQueue jobs that waited at the last one
   * @param queue sum of the jobs that waited at each
   * @param lastTable promises that the last one made or kept
   * @param table sum of the promises that each made or kept
   */
  public record Backfill(
      long jobs,
      long jobsOfCycle,
      long cycles,
      @Nullable Instant when,
      long last,
      long longest,
      long time,
      long lastDepth,
      long lastTried,
      long depth,
      long tried,
      long lastQueue,
      long queue,
      long lastTable,
      long table) {}

  /**
   * Requests of one kind, or of one user.
   *
   * @param name Slurm's name of the message, or the user's
   * @param id Slurm's number of the message, or the user's
   * @param count how many
   * @param micros microseconds that answering them took
   */
  public record Calls(String name, int id, long count, long micros) {}
}
