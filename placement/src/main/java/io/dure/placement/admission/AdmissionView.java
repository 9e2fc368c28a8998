package io.dure.placement.admission;

import io.dure.model.Job;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.config.PartitionConfig;
import io.dure.model.reservation.Reservation;
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
