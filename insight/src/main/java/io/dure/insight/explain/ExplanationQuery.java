package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionFunction;
import io.dure.model.command.Caller;
import io.dure.model.job.Job;
import io.dure.model.report.RelatedJob;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A question of why a job waits.
 *
 * @param state the cluster
 * @param job the record that is asked about
 * @param now the time
 * @param reason what the scheduler last said of it in Slurm's word, null for nothing
 * @param owner its owner as the controller knows it: what the owner may change is tried
 * @param effort how much may be tried, in looks at nodes and jobs; 0 for nothing
 * @param rules those of the cluster, by which changes are tried
 */
public record ExplanationQuery(
    ClusterState state,
    Job job,
    Instant now,
    @Nullable String reason,
    Caller.User owner,
    long effort,
    DecisionFunction rules) {
  /** A second or two of one thread at most, on ten thousand nodes too. */
  public static final long USUAL_EFFORT = 1_000_000;

  /** The same with another effort. */
  public ExplanationQuery with(long next) {
    return new ExplanationQuery(state, job, now, reason, owner, next, rules);
  }

  RelatedJob fact(Job other) {
    return JobFactReader.of(state, other);
  }
}
