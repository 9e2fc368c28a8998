package io.dure.twin.report;

/**
 * How far forecasts were off that were made at submission, of jobs that waited a minute or more.
 *
 * @param every one job in so many was looked at
 * @param jobs how many those are that waited so long
 * @param seconds by which p50 was off, all together
 * @param secondsOfPlan by which the plan was off that promises each job a start in its turn and
 *     believes the limits, as Slurm's does; all together
 * @param secondsByLimits by which a future was off in which all run to their limits; all together
 * @param within how many started between p10 and p90
 */
public record ForecastError(
    int every, int jobs, double seconds, double secondsOfPlan, double secondsByLimits, int within) {

  /** Of both. */
  public ForecastError plus(ForecastError other) {
    return new ForecastError(
        every,
        jobs + other.jobs,
        seconds + other.seconds,
        secondsOfPlan + other.secondsOfPlan,
        secondsByLimits + other.secondsByLimits,
        within + other.within);
  }

  private double mean(double all) {
    return jobs == 0 ? 0 : all / jobs;
  }

  /** Mean absolute error of p50 in seconds; 0 where there were no such jobs. */
  public double meanError() {
    return mean(seconds);
  }

  /** The same of the plan. */
  public double meanErrorOfPlan() {
    return mean(secondsOfPlan);
  }

  /** The same of the future to the limits. */
  public double meanErrorByLimits() {
    return mean(secondsByLimits);
  }

  /** What part started between p10 and p90. */
  public double coverage() {
    return mean(within);
  }
}
