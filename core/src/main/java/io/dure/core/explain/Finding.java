package io.dure.core.explain;

import java.time.Instant;
import java.util.List;

/**
 * Something that holds a job: it was tried that the job starts sooner without it.
 *
 * @param causes what; where it is more than one, it is all of them together
 * @param start when the job starts without all that
 * @param now whether that is at once
 */
public record Finding(List<Cause> causes, Instant start, boolean now) {
  public Finding {
    causes = List.copyOf(causes);
  }
}
