package io.dure.model.report;

/**
 * How long a job is expected to run.
 *
 * @param basis what it is taken from
 * @param runs how many runs of that basis were looked at
 * @param seconds the mean of what it may be, at least 1, at most the limit
 * @param low a time that one job in ten is below
 * @param median a time that half of the jobs are below
 * @param high a time that one job in ten is above
 */
public record RunTimePrediction(
    Basis basis, int runs, double seconds, long low, long median, long high) {

  /** What a prediction is taken from, the most telling of what there is. */
  public enum Basis {
    /** Runs of the same user, name, account and shape. */
    KIND,
    /** Other runs of the same user. */
    USER,
    /** Runs of others with about the same limit. */
    CLUSTER,
    /** Nothing ran yet: the limit. */
    LIMIT
  }
}
