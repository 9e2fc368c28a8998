package io.dure.core.scheduler;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job that has to wait keeps from jobs behind it: whoever runs beyond {@code from} must fit
 * into what the job leaves over.
 *
 * @param from when the waiting job will start; null if jobs without a limit have to end first
 * @param always true if even jobs that end before must fit
 * @param left the resources left over from then on; jobs let through are booked here
 * @param planned what the waiting job will hold
 */
record Barrier(@Nullable Instant from, boolean always, Ledger left, List<Holding> planned) {

  /** Whether it concerns a job that ends then (null for never). */
  boolean concerns(@Nullable Instant end) {
    return always || end == null || from != null && end.isAfter(from);
  }
}
