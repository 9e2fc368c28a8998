package io.dure.protocol.accounting;

import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
import java.util.List;

/**
 * An attempt of a job as it was recorded.
 *
 * @param job as it is or was at the end of the attempt, without script and environment
 * @param requeued whether it went back into the queue after the attempt
 * @param steps its steps, by their numbers; none where they were not asked for
 */
public record RecordedJob(AttemptId attempt, Job job, boolean requeued, List<RecordedStep> steps) {}
