package io.dure.model.report;

import java.time.Instant;
import java.util.List;

/**
 * Something that holds a job: it was tried that the job starts sooner without it.
 *
 * @param causes what; where it is more than one, it is all of them together
 * @param start when the job starts without all that
 * @param now whether that is at once
 * @param rough whether perhaps fewer of them would do: to find that out would have taken too much;
 *     else each of them is needed for that start
 */
public record StartBlocker(List<WaitCause> causes, Instant start, boolean now, boolean rough) {
  public StartBlocker {
    causes = List.copyOf(causes);
  }
}
