package io.dure.twin.policy;

/** What the scheduler believes of how long jobs run. */
public enum EstimateSource {
  /** Their limits, as their users gave them. */
  LIMIT,
  /** How long they will run, as if somebody knew. */
  ACTUAL,
  /** What the run times of the jobs before them say. */
  PREDICTED
}
