package io.dure.protocol.accounting;

import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
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
 */
public record RecordedJob(
    AttemptId attempt,
    Job job,
    boolean requeued,
    List<RecordedStep> steps,
    @Nullable Integer association,
    @Nullable Integer qos,
    @Nullable Integer wckey) {

  /** One of which it is not known to what it is charged. */
  public RecordedJob(AttemptId attempt, Job job, boolean requeued, List<RecordedStep> steps) {
    this(attempt, job, requeued, steps, null, null, null);
  }

  /** The same, charged to these. */
  public RecordedJob charged(
      @Nullable Integer toAssociation, @Nullable Integer toQos, @Nullable Integer toWckey) {
    return new RecordedJob(attempt, job, requeued, steps, toAssociation, toQos, toWckey);
  }
}
