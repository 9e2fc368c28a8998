package io.dure.rules.queueorder;

import io.dure.model.config.PartitionConfig;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import java.time.Instant;

/** Dure's own order, worked out anew after some time. */
public final class DureQueueOrder implements QueueOrder {
  private final PolicySettings settings;

  /** The order by these numbers. */
  public DureQueueOrder(PolicySettings settings) {
    this.settings = settings;
  }

  @Override
  public Scores scoresAt(SchedulerView view, Instant now) {
    return new OfOneTime(DurePriorityTable.of(view, settings, now));
  }

  @Override
  public long period() {
    return settings.interval().toSeconds();
  }

  /** What jobs score at one time. */
  private record OfOneTime(DurePriorityTable standings) implements Scores {
    @Override
    public long of(Job job, PartitionConfig partition) {
      return -standings.priority(job, partition);
    }

    @Override
    public boolean isInTurn(Job job, PartitionConfig partition) {
      return standings.isInTurn(job, partition);
    }

    @Override
    public boolean isOverdue(Job job) {
      return standings.isOverdue(job);
    }

    @Override
    public boolean isOverloaded() {
      return standings.isOverloaded();
    }

    @Override
    public long earliestReserved(Job job) {
      return standings.earliestReserved(job);
    }
  }
}
