package io.dure.virtual;

import io.dure.model.config.ClusterSettings;
import io.dure.scheduler.PlannerOptions;

/**
 * How a virtual cluster goes on.
 *
 * @param options how the scheduler plans
 * @param lifetimes when runs really end
 * @param arrivals jobs that are still to come
 * @param coarseness by what part of the time that it lies ahead a pass may be late: 0 has one in
 *     each second in which something happens
 * @param fidelity how closely a second follows what the controller does
 */
public record VirtualClusterOptions(
    PlannerOptions options,
    RunTimeModel lifetimes,
    ArrivalSource arrivals,
    double coarseness,
    Fidelity fidelity) {

  /** How closely a second follows what the controller does. */
  public enum Fidelity {
    /**
     * One pass; what ends teaches nothing of jobs like it, what waits is counted as it was at the
     * beginning, and a job that is too late leaves with the next pass that something brings; if
     * nothing else does, with one of its own.
     */
    ONE_PASS,
    /**
     * One pass, and none where no job waits; what ends teaches, what waits is counted, and a job
     * that is too late leaves at once.
     */
    REPLAY,
    /**
     * Passes until nothing more starts and no job makes room; what ends teaches, what waits is
     * counted, and a job that is too late leaves at once.
     */
    SETTLED
  }

  /** One pass in each second that has one. */
  public VirtualClusterOptions(
      PlannerOptions options, RunTimeModel lifetimes, ArrivalSource arrivals, double coarseness) {
    this(options, lifetimes, arrivals, coarseness, Fidelity.ONE_PASS);
  }

  /** Every job runs to its limit, none comes, and passes are as the settings say. */
  public static VirtualClusterOptions toTheLimits(ClusterSettings settings) {
    return new VirtualClusterOptions(
        PlannerOptions.of(settings), RunTimeModel.LIMITS, ArrivalSource.NONE, 0);
  }

  /** The same in such detail. */
  public VirtualClusterOptions with(Fidelity next) {
    return new VirtualClusterOptions(options, lifetimes, arrivals, coarseness, next);
  }

  /** The same with a scheduler that plans otherwise. */
  public VirtualClusterOptions with(PlannerOptions next) {
    return new VirtualClusterOptions(next, lifetimes, arrivals, coarseness, fidelity);
  }

  /** The same with other run times. */
  public VirtualClusterOptions with(RunTimeModel next) {
    return new VirtualClusterOptions(options, next, arrivals, coarseness, fidelity);
  }

  /** The same with other jobs that come. */
  public VirtualClusterOptions with(ArrivalSource next) {
    return new VirtualClusterOptions(options, lifetimes, next, coarseness, fidelity);
  }

  /** The same with passes as late as that. */
  public VirtualClusterOptions with(double nextCoarseness) {
    return new VirtualClusterOptions(options, lifetimes, arrivals, nextCoarseness, fidelity);
  }
}
