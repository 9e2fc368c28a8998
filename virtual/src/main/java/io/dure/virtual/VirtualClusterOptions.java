package io.dure.virtual;

import io.dure.model.config.ClusterSettings;
import io.dure.scheduler.PlannerOptions;
import io.soabase.recordbuilder.core.RecordBuilder;

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
@RecordBuilder
public record VirtualClusterOptions(
    PlannerOptions options,
    RunTimeModel lifetimes,
    ArrivalSource arrivals,
    double coarseness,
    Fidelity fidelity)
    implements VirtualClusterOptionsBuilder.With {

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
}
