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
 * @param time that the answer may take: what is not tried by then is missing in it, which it says
 */
public record ExplanationQuery(
    ClusterState state,
    Job job,
    Instant now,
    @Nullable String reason,
    Caller.User owner,
    long effort,
    DecisionFunction rules,
    TimeUsed time) {
  /** The time that an answer may take. */
  @FunctionalInterface
  public interface TimeUsed {
    /** For an answer that may take as long as its effort does. */
    TimeUsed NOT_BOUND = () -> 0;

    /** How much of it is used, in thousandths: from 1000 on nothing more is tried. */
    long thousandths();
  }

  /** A question whose answer may take as long as its effort does. */
  public ExplanationQuery(
      ClusterState state,
      Job job,
      Instant now,
      @Nullable String reason,
      Caller.User owner,
      long effort,
      DecisionFunction rules) {
    this(state, job, now, reason, owner, effort, rules, TimeUsed.NOT_BOUND);
  }

  /** A second or two of one thread at most, on ten thousand nodes too. */
  public static final long USUAL_EFFORT = 1_000_000;

  /** The same with another effort. */
  public ExplanationQuery with(long next) {
    return new ExplanationQuery(state, job, now, reason, owner, next, rules, time);
  }

  /** The same, to be answered in a time. */
  public ExplanationQuery within(TimeUsed bound) {
    return new ExplanationQuery(state, job, now, reason, owner, effort, rules, bound);
  }

  RelatedJob fact(Job other) {
    return JobFactReader.of(state, other);
  }
}
