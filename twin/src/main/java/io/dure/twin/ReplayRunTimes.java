package io.dure.twin;

/** How long jobs really run that have not ended. */
public enum ReplayRunTimes {
  /** As the trace says. */
  AS_THEY_ARE,
  /**
   * As the trace says, and where it does not know, as what ran before tells, given how long the job
   * ran until the trace ends.
   */
  KNOWN,
  /** As what ran before tells. */
  PREDICTED,
  /** To their limits. */
  LIMIT;
}
