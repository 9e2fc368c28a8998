package io.dure.rules.queueorder;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import io.dure.rules.priority.PriorityTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The order of Slurm's priority/multifactor, worked out anew every PriorityCalcPeriod. */
public final class MultifactorOrder implements QueueOrder {
  private final long period;

  /** Priorities are worked out anew after that period. */
  public MultifactorOrder(Duration period) {
    this.period = Math.max(1, period.toSeconds());
  }

  @Override
  public Scores scoresAt(SchedulerView view, Instant now) {
    return new Factors(view, now);
  }

  @Override
  public long period() {
    return period;
  }

  /** Factors of one time; of users who come later, as they were then. */
  private static final class Factors implements Scores {
    private final SchedulerView view;
    private final Instant now;
    private final PriorityTable table;
    private final Map<String, PriorityTable> later = new TreeMap<>();

    Factors(SchedulerView view, Instant now) {
      this.view = view;
      this.now = now;
      table = PriorityTable.of(view, view.accounts(), view.usage(), now);
    }

    @Override
    public long of(Job job, PartitionConfig partition) {
      PriorityTable found = table.knows(job, partition) ? table : later(job, partition);
      return -found.priority(job, partition);
    }

    private PriorityTable later(Job job, PartitionConfig partition) {
      String key = job.owner().uid() + "/" + job.spec().account() + "/" + partition.name();
      return later.computeIfAbsent(
          key, _ -> PriorityTable.of(view, view.accounts(), view.usage(), List.of(job), now));
    }
  }
}
