package io.dure.model.report;

import java.time.Duration;

/** What may go wrong with a job that asks for what a remedy says. */
public sealed interface RemedyCaution {

  /**
   * Jobs like it ran for longer than that limit.
   *
   * @param longer how many
   * @param runs of how many
   */
  record RanLonger(int longer, int runs) implements RemedyCaution {
    static final String TAG = "RanLonger";
  }

  /**
   * It is expected to run for longer than that limit.
   *
   * @param expected for how long
   */
  record RunsLonger(Duration expected) implements RemedyCaution {
    static final String TAG = "RunsLonger";
  }

  /** Its run time is unknown: with that limit it is ended when it exceeds it. */
  record RunUnknown() implements RemedyCaution {
    static final String TAG = "RunUnknown";
  }

  /** Its memory use is unknown: with less it is ended when it uses more. */
  record MemoryUnknown() implements RemedyCaution {
    static final String TAG = "MemoryUnknown";
  }

  /** It would start before those are over that it waits for. */
  record Unordered() implements RemedyCaution {
    static final String TAG = "Unordered";
  }

  /** It may take longer with so little, and its limit stays. */
  record Slower() implements RemedyCaution {
    static final String TAG = "Slower";
  }
}
