package io.dure.scheduler;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.backfill.BackfillSettings;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.rules.priority.PriorityTable;
import io.dure.rules.queueorder.DureQueueOrder;
import io.dure.rules.queueorder.MultifactorOrder;
import io.dure.rules.queueorder.PredictedRunTimes;
import io.dure.rules.queueorder.QueueOrder;
import io.dure.rules.queueorder.RunTimeEstimates;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * The values that make the one algorithm FIFO, EASY, conservative backfill, or what lies between.
 *
 * @param order in which order jobs are considered
 * @param estimates how long they are planned for
 * @param backfill whether jobs may start ahead of others that wait for resources
 * @param promises how many jobs that have to wait are promised a start, and how far ahead
 * @param tail in which order the jobs behind the last promise are considered
 * @param effort how often a pass looks at a node at one time to promise starts; the first of each
 *     partition is promised one whatever it takes, and a quarter is left for others. What it does
 *     not come to keeps the promise of an earlier pass, and comes later. A pass has no bound where
 *     this is enough to look at all nodes once for each promise
 */
@RecordBuilder
public record PlannerOptions(
    QueueOrder order,
    RunTimeEstimates estimates,
    boolean backfill,
    BackfillSettings promises,
    Tail tail,
    long effort)
    implements PlannerOptionsBuilder.With {
  /** All promises are made anew in each pass. */
  public static final long WITHOUT_BOUND = Long.MAX_VALUE;

  /** Some milliseconds of a pass; thirty nodes have five hundred promises anew in each. */
  private static final long EFFORT = 15_000;

  /** An order of jobs behind the last promise. */
  public enum Tail {
    /** That of the queue. */
    QUEUE,
    /** That of the queue, behind the first job that comes in the order of submission. */
    QUEUE_BEHIND_FIRST_IN_TURN,
    /** Those that are planned for the shortest time first. */
    SHORTEST
  }

  /** Promises to the first job of each partition that has to wait (EASY backfill). */
  public static PlannerOptions easy() {
    return new PlannerOptions(
        QueueOrder.PRIORITY,
        RunTimeEstimates.LIMITS,
        true,
        promises(Integer.MAX_VALUE, 1),
        Tail.QUEUE,
        WITHOUT_BOUND);
  }

  private static BackfillSettings promises(int all, int perPartition) {
    return new BackfillSettings(
        Duration.ofSeconds(30), null, all, perPartition, 0, 0, 0, 0, 1, Duration.ZERO, 0, false);
  }

  /** What a configuration asks for. */
  public static PlannerOptions of(ClusterSettings settings) {
    ClusterSettings.Scheduling scheduling = settings.scheduling();
    PolicySettings policy = scheduling.policy();
    if (policy != null) {
      return own(policy, scheduling.backfills()).withBackfill(scheduling.backfill());
    }
    return new PlannerOptions(
        PriorityTable.isInForce(settings)
            ? new MultifactorOrder(settings.priority().calcPeriod())
            : QueueOrder.PRIORITY,
        RunTimeEstimates.LIMITS,
        scheduling.backfill(),
        scheduling.backfills(),
        Tail.QUEUE,
        EFFORT);
  }

  /**
   * Dure's own way: short jobs first by what they are expected to run, then the order of
   * submission; promises to the first of both, and starts that are reserved for overdue jobs.
   *
   * @param backfill what else is said of promises
   */
  public static PlannerOptions own(PolicySettings policy, BackfillSettings backfill) {
    int first = backfill.jobsOfPartition();
    return new PlannerOptions(
        new DureQueueOrder(policy),
        PredictedRunTimes.unknown(),
        true,
        backfill.withJobsOfPartition(first == 0 ? policy.promises() : first),
        Tail.QUEUE_BEHIND_FIRST_IN_TURN,
        EFFORT);
  }

  /**
   * The same with promises to so many.
   *
   * @param perPartition 0 for no bound
   */
  public PlannerOptions withBookings(int all, int perPartition) {
    return withPromises(promises(all, perPartition));
  }
}
