package io.dure.core.explain;

import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import io.dure.core.model.command.Caller;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A question of why a job waits.
 *
 * @param state the cluster
 * @param job the record that is asked about
 * @param now the time
 * @param reason what the scheduler last said of it in Slurm's word, null for nothing
 * @param owner its owner as the controller knows him: what he may change is tried
 * @param effort how much may be tried, in looks at nodes and jobs; 0 for nothing
 */
public record Question(
    ClusterState state,
    Job job,
    Instant now,
    @Nullable String reason,
    Caller.User owner,
    long effort) {
  /** A second or two of one thread at most, on ten thousand nodes too. */
  public static final long USUAL_EFFORT = 1_000_000;

  /** The same with another effort. */
  public Question with(long next) {
    return new Question(state, job, now, reason, owner, next);
  }

  JobFact fact(Job other) {
    return JobFactReader.of(state, other);
  }
}
