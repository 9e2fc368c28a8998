package io.dure.model.config.preempt;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs make room for which, in the whole cluster, and whether those that share cores take
 * turns.
 *
 * @param type what makes one job worth more than another
 * @param mode what becomes of those that make room, where their partition or QOS says nothing
 * @param within whether jobs of one QOS make room for each other, by their priorities
 * @param exemptTime how long a job runs before it may have to make room
 * @param reorderCount how often another order of the victims is tried, to find fewer
 * @param strictOrder whether the order of victims stands above their number
 * @param youngestFirst whether those go first that started last
 * @param minExemptPriority priority below which no time is exempt; null for none
 * @param sendUserSignal whether a job is told by the signal that it asked for
 * @param timeSlice how long jobs that share cores have them in turns; null where they have them all
 *     at once
 */
@RecordBuilder
public record PreemptSettings(
    Type type,
    PreemptMode mode,
    boolean within,
    Duration exemptTime,
    int reorderCount,
    boolean strictOrder,
    boolean youngestFirst,
    @Nullable Long minExemptPriority,
    boolean sendUserSignal,
    @Nullable Duration timeSlice)
    implements PreemptSettingsBuilder.With {
  /** No job preempts another. */
  public static final PreemptSettings NONE =
      new PreemptSettings(
          Type.NONE, PreemptMode.OFF, false, Duration.ZERO, 1, false, false, null, false, null);

  /**
   * Whether jobs of a partition that share cores take turns.
   *
   * @param own what becomes of its jobs that make room; null as the cluster says
   */
  public boolean takesTurns(@Nullable PreemptMode own) {
    return timeSlice != null && own != PreemptMode.OFF;
  }

  /**
   * Whether jobs of a partition stand still for those of higher ones.
   *
   * @param own what becomes of its jobs that make room; null as the cluster says
   */
  public boolean makesWay(@Nullable PreemptMode own) {
    return type == Type.PARTITION_PRIO && (own == null ? mode : own) == PreemptMode.SUSPEND;
  }

  /** What makes one job worth more than another. */
  public enum Type {
    NONE,
    /** Its partition has a higher PriorityTier. */
    PARTITION_PRIO,
    /** Its QOS names that of the other. */
    QOS
  }
}
