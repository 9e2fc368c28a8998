package io.dure.placement.admission;

import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import io.dure.rules.dependency.JobLookup;
import org.jspecify.annotations.Nullable;

/** What admission sees of a cluster. It never changes, so any thread may read it. */
public interface AdmissionView extends SchedulerView, JobLookup {
  /** How many jobs there are of each user, account and QOS. */
  OwnerJobCounts queued();

  /** Number of job records. */
  int jobCount();

  /** The id that the next job gets; above MaxJobId if none is free. */
  default int nextJobId() {
    return nextJobIds(1);
  }

  /** The first of the ids that the next so many jobs get, one behind the other, as above. */
  int nextJobIds(int count);

  /** How often ids had begun again before the one that the next job gets. */
  int nextJobRound();

  /** How often ids had begun again before that of a job. */
  int round(Job job);

  /** The partition of jobs that name none, null if there is none. */
  default @Nullable PartitionConfig defaultPartition() {
    for (PartitionConfig partition : partitions()) {
      if (partition.isDefault()) {
        return partition;
      }
    }
    return null;
  }
}
