package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.ExplainedJob;
import io.dure.model.report.RelatedJob;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.rules.PartitionRules;
import java.time.Duration;
import java.time.Instant;

/** Reads from the state what an explanation says of another job. */
final class JobFactReader {
  private JobFactReader() {}

  /** A job with all that may be said of it. */
  static RelatedJob of(ClusterState state, Job job) {
    Allocation held = job.state().allocated();
    int id = job.id();
    String word = ExplainedJob.selector(job).text();
    String user = job.owner().userName();
    String account = job.spec().account();
    if (held != null) {
      JobState.Running run = job.state().runningOrSuspended();
      Instant until =
          job.state() instanceof JobState.Completing completing
              ? completing.end()
              : run == null ? null : run.latestEnd();
      return new RelatedJob(
          id,
          word,
          user,
          account,
          held.shares().size(),
          held.cpus(),
          held.gpus(),
          License.text(held.licenses()),
          until,
          null,
          true,
          false);
    }
    ResourceRequest asked = job.spec().resources();
    PartitionConfig partition = state.partition(job.spec().partitions().getFirst());
    Duration limit = partition == null ? null : PartitionRules.runTime(partition, job.spec());
    return new RelatedJob(
        id,
        word,
        user,
        account,
        asked.minNodes(),
        asked.totalCpus(),
        asked.totalGpus(),
        "",
        null,
        limit,
        false,
        asked.sharing() == OversubscribeMode.EXCLUSIVE);
  }
}
