package io.dure.twin.trace;

import org.jspecify.annotations.Nullable;

/**
 * How a log in the Standard Workload Format is taken.
 *
 * @param cleaning which jobs are left out
 * @param processors the machine's processors where the log's header is not to be believed, null to
 *     take the header's
 */
public record SwfReadOptions(Cleaning cleaning, @Nullable Integer processors) {
  /** As the log says. */
  public static final SwfReadOptions PLAIN = new SwfReadOptions(Cleaning.IMPOSSIBLE, null);

  /** Which jobs are left out. */
  public enum Cleaning {
    /** Those that cannot be replayed; a job without a limit is taken to have known its run time. */
    IMPOSSIBLE,
    /** Also jobs without a limit: a policy that looks ahead would know how long they run. */
    UNLIMITED,
    /**
     * As for the numbers published at SC'15 (Gaussier and others): also jobs without a limit, and
     * those that ran for less than a second.
     */
    SC15
  }
}
