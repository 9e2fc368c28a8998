package io.dure.twin.policy;

/** What the scheduler believes of how long jobs run. */
public enum EstimateSource {
  /** Their limits, as their users gave them. */
  LIMIT,
  /** Their actual run times, known in advance. */
  ACTUAL,
  /** What the run times of the jobs before them say. */
  PREDICTED
}
