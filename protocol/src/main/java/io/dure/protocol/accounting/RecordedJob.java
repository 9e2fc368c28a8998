package io.dure.protocol.accounting;

import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a job as it was recorded.
 *
 * @param job as it is or was at the end of the attempt, without script and environment
 * @param requeued whether it went back into the queue after the attempt
 * @param steps its steps, by their numbers; none where they were not asked for
 * @param association number of the association that it is charged to, null for none
 * @param qos number of its QOS, null for none
 * @param wckey number of its workload key, null for none
 * @param pauses the times in which it was suspended, in order; none where they are not recorded,
 *     null from an older release
 * @param askedBilling what it would be billed in a second for what it asks for, in whole units;
 *     null for its CPUs
 */
@RecordBuilder
public record RecordedJob(
    AttemptId attempt,
    Job job,
    boolean requeued,
    List<RecordedStep> steps,
    @Nullable Integer association,
    @Nullable Integer qos,
    @Nullable Integer wckey,
    @Nullable List<Pause> pauses,
    @Nullable Long askedBilling)
    implements RecordedJobBuilder.With {

  /**
   * A time in which it was suspended.
   *
   * @param end null for one that goes on
   */
  public record Pause(Instant start, @Nullable Instant end) {}

  /** One of which it is not known to what it is charged, and that was not suspended. */
  public RecordedJob(AttemptId attempt, Job job, boolean requeued, List<RecordedStep> steps) {
    this(attempt, job, requeued, steps, null, null, null, List.of(), null);
  }

  /** The same, charged to these. */
  public RecordedJob charged(
      @Nullable Integer toAssociation, @Nullable Integer toQos, @Nullable Integer toWckey) {
    return with().association(toAssociation).qos(toQos).wckey(toWckey).build();
  }
}
