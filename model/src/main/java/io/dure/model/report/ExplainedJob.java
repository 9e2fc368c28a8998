package io.dure.model.report;

import io.dure.model.TaskIndices;
import io.dure.model.command.JobSelector;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;

/**
 * A job that is explained.
 *
 * @param jobId id of its record
 * @param word what people call it: {@code 12}, {@code 12_3}, {@code 12_[3-9]}, {@code 12+1}
 * @param user its owner, empty where whoever asks may not know
 * @param spec what it asks for
 * @param submitted when it was submitted
 * @param tasks how many tasks of an array wait in it, 0 for a job that is none
 * @param components how many jobs start together with it, itself counted; 0 for it alone
 */
@RecordBuilder
public record ExplainedJob(
    int jobId, String word, String user, JobSpec spec, Instant submitted, int tasks, int components)
    implements ExplainedJobBuilder.With {

  public static ExplainedJob of(Job job) {
    return new ExplainedJob(
        job.id(),
        selector(job).text(),
        job.owner().userName(),
        job.spec(),
        job.submitTime(),
        job.array() instanceof ArrayPart.Waiting part ? part.waiting().size() : 0,
        job.het() == null ? 0 : job.het().size());
  }

  /** What names this record and nothing else. */
  public static JobSelector selector(Job job) {
    if (job.het() != null) {
      return new JobSelector(job.het().leader(), null, job.het().offset());
    }
    return switch (job.array()) {
      case ArrayPart.Waiting part -> new JobSelector(part.arrayJobId(), part.waiting());
      case ArrayPart.Task part ->
          new JobSelector(part.arrayJobId(), TaskIndices.of(List.of(part.index())));
      case null -> new JobSelector(job.id(), null);
    };
  }
}
