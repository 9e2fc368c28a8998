package io.dure.core.scheduler.policy;

import io.dure.core.config.PartitionConfig;
import io.dure.core.config.policy.PolicySettings;
import io.dure.core.model.Job;
import io.dure.core.scheduler.SchedulerView;
import java.time.Instant;

/** Dure's own order, worked out anew after some time. */
final class SizeOrder implements Order {
  private final PolicySettings settings;

  SizeOrder(PolicySettings settings) {
    this.settings = settings;
  }

  @Override
  public Scores at(SchedulerView view, Instant now) {
    return new OfOneTime(Standings.of(view, settings, now));
  }

  @Override
  public long period() {
    return settings.interval().toSeconds();
  }

  /** What jobs score at one time. */
  private record OfOneTime(Standings standings) implements Scores {
    @Override
    public long of(Job job, PartitionConfig partition) {
      return -standings.priority(job, partition);
    }

    @Override
    public boolean hasWaited(Job job) {
      return standings.hasWaited(job);
    }
  }
}
