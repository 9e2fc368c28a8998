package io.dure.virtual;

import io.dure.model.config.ClusterSettings;
import io.dure.scheduler.PlannerOptions;

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
public record VirtualClusterOptions(
    PlannerOptions options,
    RunTimeModel lifetimes,
    ArrivalSource arrivals,
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
  public VirtualClusterOptions(
      PlannerOptions options, RunTimeModel lifetimes, ArrivalSource arrivals, double coarseness) {
    this(options, lifetimes, arrivals, coarseness, Detail.ONE_PASS);
  }

  /** Everybody runs to the limit, nobody comes, and passes are as the settings say. */
  public static VirtualClusterOptions toTheLimits(ClusterSettings settings) {
    return new VirtualClusterOptions(
        PlannerOptions.of(settings), RunTimeModel.LIMITS, ArrivalSource.NONE, 0);
  }

  /** The same in such detail. */
  public VirtualClusterOptions with(Detail next) {
    return new VirtualClusterOptions(options, lifetimes, arrivals, coarseness, next);
  }

  /** The same with a scheduler that plans otherwise. */
  public VirtualClusterOptions with(PlannerOptions next) {
    return new VirtualClusterOptions(next, lifetimes, arrivals, coarseness, detail);
  }

  /** The same with other run times. */
  public VirtualClusterOptions with(RunTimeModel next) {
    return new VirtualClusterOptions(options, next, arrivals, coarseness, detail);
  }

  /** The same with others who come. */
  public VirtualClusterOptions with(ArrivalSource next) {
    return new VirtualClusterOptions(options, lifetimes, next, coarseness, detail);
  }

  /** The same with passes as late as that. */
  public VirtualClusterOptions with(double nextCoarseness) {
    return new VirtualClusterOptions(options, lifetimes, arrivals, nextCoarseness, detail);
  }
}
