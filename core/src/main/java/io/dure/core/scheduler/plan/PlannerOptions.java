package io.dure.core.scheduler.plan;

import io.dure.core.config.Settings;
import io.dure.core.scheduler.Estimates;
import io.dure.core.scheduler.priority.PriorityTable;

/**
 * The values that make the one algorithm FIFO, EASY, conservative backfill, or what lies between.
 *
 * @param order in which order jobs are considered
 * @param estimates how long they are planned for
 * @param backfill whether jobs may start ahead of others that wait for resources
 * @param bookings how many jobs that have to wait are promised a start, at most; 0 with backfill
 *     promises nothing to anybody
 * @param bookingsPerPartition of these, how many of one partition
 * @param tail in which order the jobs behind the last promise are considered
 * @param windowSeconds how far ahead a start is promised
 */
public record PlannerOptions(
    Order order,
    Estimates estimates,
    boolean backfill,
    int bookings,
    int bookingsPerPartition,
    Tail tail,
    long windowSeconds) {
  private static final long WITHOUT_BOUND = 1L << 41;

  /** An order of jobs behind the last promise. */
  public enum Tail {
    /** That of the queue. */
    QUEUE,
    /** Those that are planned for the shortest time first. */
    SHORTEST
  }

  /** Promises to the first job of each partition that has to wait (EASY backfill). */
  public static PlannerOptions easy() {
    return new PlannerOptions(
        Order.PRIORITY, Estimates.LIMITS, true, Integer.MAX_VALUE, 1, Tail.QUEUE, WITHOUT_BOUND);
  }

  /** What a configuration asks for. */
  public static PlannerOptions of(Settings settings) {
    PlannerOptions easy =
        PriorityTable.isInForce(settings)
            ? easy().withOrder(new MultifactorOrder(settings.priority().calcPeriod()))
            : easy();
    return settings.scheduling().backfill() ? easy : easy.withBackfill(false);
  }

  /** The same with another order. */
  public PlannerOptions withOrder(Order next) {
    return new PlannerOptions(
        next, estimates, backfill, bookings, bookingsPerPartition, tail, windowSeconds);
  }

  /** The same with or without backfill. */
  public PlannerOptions withBackfill(boolean next) {
    return new PlannerOptions(
        order, estimates, next, bookings, bookingsPerPartition, tail, windowSeconds);
  }

  /** The same with promises to so many. */
  public PlannerOptions withBookings(int all, int perPartition) {
    return new PlannerOptions(order, estimates, backfill, all, perPartition, tail, windowSeconds);
  }

  /** The same with another order behind the last promise. */
  public PlannerOptions withTail(Tail next) {
    return new PlannerOptions(
        order, estimates, backfill, bookings, bookingsPerPartition, next, windowSeconds);
  }
}
