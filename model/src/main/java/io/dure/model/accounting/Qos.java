package io.dure.model.accounting;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A quality of service.
 *
 * @param id its number, never given again
 * @param name its name, in lower case
 * @param description what it is for
 * @param priority its part in the priority of jobs
 * @param flags its flags
 * @param preempt the QOS whose jobs it may preempt, by name
 * @param preemptMode how its jobs are preempted, in lower case; null as the cluster says
 * @param exemptTime how long its jobs run before they may be preempted, null as the cluster says
 * @param graceTime how long a preempted job has to end
 * @param usageFactor by which usage counts
 * @param limitFactor by which limits of associations count for its jobs, null for one
 * @param usageThreshold least fair share that its jobs need, null for none
 * @param limits its limits
 */
@RecordBuilder
public record Qos(
    int id,
    String name,
    String description,
    long priority,
    List<QosFlag> flags,
    List<String> preempt,
    @Nullable String preemptMode,
    @Nullable Duration exemptTime,
    Duration graceTime,
    double usageFactor,
    @Nullable Double limitFactor,
    @Nullable Double usageThreshold,
    AccountingLimits limits)
    implements QosBuilder.With {
  public Qos {
    flags = List.copyOf(flags);
    preempt = List.copyOf(preempt);
  }

  /** A QOS without settings. */
  public static Qos plain(int id, String name, String description) {
    return new Qos(
        id,
        name,
        description,
        0,
        List.of(),
        List.of(),
        null,
        null,
        Duration.ZERO,
        1.0,
        null,
        null,
        AccountingLimits.NONE);
  }

  /** Whether it has a flag. */
  public boolean has(QosFlag flag) {
    return flags.contains(flag);
  }
}
