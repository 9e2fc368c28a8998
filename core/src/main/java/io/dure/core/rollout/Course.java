package io.dure.core.rollout;

import io.dure.core.config.Settings;
import io.dure.core.scheduler.plan.PlannerOptions;

/**
 * The course that a future takes.
 *
 * @param options how the scheduler plans
 * @param lifetimes when runs really end
 * @param arrivals who is still to come
 * @param coarseness by what part of the time that it lies ahead a pass may be late: 0 has one in
 *     each second in which something happens
 * @param detail how closely a second follows what the controller does
 */
public record Course(
    PlannerOptions options,
    Lifetimes lifetimes,
    Arrivals arrivals,
    double coarseness,
    Detail detail) {

  /** How closely a second follows what the controller does. */
  public enum Detail {
    /**
     * One pass; what ends teaches nothing of jobs like it, what waits is counted as it was at the
     * beginning, and who is too late leaves with the next pass that something brings; if nothing
     * else does, with one of its own.
     */
    ONE_PASS,
    /**
     * Passes until nothing more starts and nobody makes room; what ends teaches, what waits is
     * counted, and who is too late leaves at once.
     */
    SETTLED
  }

  /** One pass in each second that has one. */
  public Course(PlannerOptions options, Lifetimes lifetimes, Arrivals arrivals, double coarseness) {
    this(options, lifetimes, arrivals, coarseness, Detail.ONE_PASS);
  }

  /** Everybody runs to the limit, nobody comes, and passes are as the settings say. */
  public static Course toTheLimits(Settings settings) {
    return new Course(PlannerOptions.of(settings), Lifetimes.LIMITS, Arrivals.NONE, 0);
  }

  /** The same in such detail. */
  public Course with(Detail next) {
    return new Course(options, lifetimes, arrivals, coarseness, next);
  }

  /** The same with a scheduler that plans otherwise. */
  public Course with(PlannerOptions next) {
    return new Course(next, lifetimes, arrivals, coarseness, detail);
  }

  /** The same with other run times. */
  public Course with(Lifetimes next) {
    return new Course(options, next, arrivals, coarseness, detail);
  }

  /** The same with others who come. */
  public Course with(Arrivals next) {
    return new Course(options, lifetimes, next, coarseness, detail);
  }

  /** The same with passes as late as that. */
  public Course with(double nextCoarseness) {
    return new Course(options, lifetimes, arrivals, nextCoarseness, detail);
  }
}
