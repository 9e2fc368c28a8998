package io.dure.core.admission;

import io.dure.core.accounting.usage.QueueCounts;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Job;
import io.dure.core.reservation.Reservation;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.dependency.JobRecords;
import org.jspecify.annotations.Nullable;

/** What admission sees of a cluster. It never changes, so any thread may read it. */
public interface AdmissionView extends SchedulerView, JobRecords {
  /** How many jobs there are of each user, account and QOS. */
  QueueCounts queued();

  /** Number of job records. */
  int jobCount();

  /** The id that the next job gets; above MaxJobId if none is free. */
  int nextJobId();

  /** How often ids had begun again before the one that the next job gets. */
  int nextJobRound();

  /** How often ids had begun again before that of a job. */
  int round(Job job);

  /** The partition of jobs that name none, null if there is none. */
  default @Nullable PartitionConfig defaultPartition() {
    return partitions().stream().filter(PartitionConfig::isDefault).findFirst().orElse(null);
  }

  /** The reservation of that name, null if there is none. */
  default @Nullable Reservation reservation(String name) {
    for (Reservation reservation : reservations()) {
      if (reservation.name().equals(name)) {
        return reservation;
      }
    }
    return null;
  }
}
