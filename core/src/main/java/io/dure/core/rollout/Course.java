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
 */
public record Course(
    PlannerOptions options, Lifetimes lifetimes, Arrivals arrivals, double coarseness) {
  /** Everybody runs to the limit, nobody comes, and passes are as the settings say. */
  public static Course toTheLimits(Settings settings) {
    return new Course(PlannerOptions.of(settings), Lifetimes.LIMITS, Arrivals.NONE, 0);
  }

  /** The same with a scheduler that plans otherwise. */
  public Course with(PlannerOptions next) {
    return new Course(next, lifetimes, arrivals, coarseness);
  }

  /** The same with other run times. */
  public Course with(Lifetimes next) {
    return new Course(options, next, arrivals, coarseness);
  }

  /** The same with others who come. */
  public Course with(Arrivals next) {
    return new Course(options, lifetimes, next, coarseness);
  }

  /** The same with passes as late as that. */
  public Course with(double nextCoarseness) {
    return new Course(options, lifetimes, arrivals, nextCoarseness);
  }
}
