package io.dure.rules.preemption;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Qos;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.rules.SchedulerView;
import io.dure.rules.gang.GangRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs may make room for which, by the rules of one view. Heterogeneous jobs take no part.
 * Immutable.
 */
public final class PreemptionEligibility {
  /** How long a job that did not come does not have the same one make room for it again. */
  private static final Duration IN_VAIN = Duration.ofMinutes(10);

  private final SchedulerView view;
  private final PreemptSettings settings;
  private final Priorities priorities;

  /** The priority by which a job stands, larger first. */
  public interface Priorities {
    /** That of a job in a partition. */
    long of(Job job, PartitionConfig partition);
  }

  private PreemptionEligibility(SchedulerView view, Priorities priorities) {
    this.view = view;
    this.settings = view.settings().preempt();
    this.priorities = priorities;
  }

  /** The rules of a view, null if no job preempts another. */
  public static @Nullable PreemptionEligibility of(SchedulerView view, Priorities priorities) {
    return view.settings().preempt().type() == PreemptSettings.Type.NONE
        ? null
        : new PreemptionEligibility(view, priorities);
  }

  /** How victims are chosen. */
  public PreemptSettings settings() {
    return settings;
  }

  /** Whether jobs like this one could preempt any job at all. */
  public boolean mayPreempt(Job job) {
    if (job.het() != null) {
      return false;
    }
    if (settings.type() == PreemptSettings.Type.PARTITION_PRIO) {
      return true;
    }
    Qos own = qos(job);
    return own != null && (!own.preempt().isEmpty() || isWithin(own));
  }

  /** What jobs have in common that may take from the same others; null for what no other has. */
  public @Nullable String preemptorClass(Job job, PartitionConfig partition) {
    if (settings.type() == PreemptSettings.Type.PARTITION_PRIO) {
      return Integer.toString(partition.priorityTier());
    }
    Qos own = qos(job);
    return own == null || isWithin(own) ? null : own.name();
  }

  private @Nullable Qos qos(Job job) {
    return job.spec().qos() == null ? null : view.accounts().qos(job.spec().qos());
  }

  private boolean isWithin(Qos own) {
    return settings.within() || has(own, "within");
  }

  private static boolean has(Qos one, String word) {
    String mode = one.preemptMode();
    return mode != null && List.of(mode.toLowerCase(Locale.ROOT).split(",", -1)).contains(word);
  }

  /**
   * What becomes of a job that makes room for another; null if it does not.
   *
   * @param partition in which the other would run
   */
  public @Nullable PreemptMode mode(Job job, PartitionConfig partition, Job victim, Instant now) {
    JobState.Running run = victim.state().runningOrSuspended();
    PartitionConfig its = run == null ? null : view.partition(run.allocation().partition());
    boolean together = victim.het() != null || job.het() != null;
    if (run == null || its == null || run.notice() != null || together) {
      return null;
    }
    boolean worthMore =
        switch (settings.type()) {
          case NONE -> false;
          case PARTITION_PRIO -> partition.priorityTier() > its.priorityTier();
          case QOS -> isBelow(victim, its, job, partition);
        };
    if (!worthMore) {
      return null;
    }
    PreemptMode mode = mode(victim, its);
    return mode == PreemptMode.OFF
            || mode == PreemptMode.SUSPEND && !isSuspendable(victim, run, job, now)
            || isExempt(victim, its, run, now)
        ? null
        : mode;
  }

  /** What stood still for a job in vain does not do so again for the same one so soon. */
  private static boolean isSuspendable(Job victim, JobState.Running run, Job forJob, Instant now) {
    JobState.SuspensionTotals pauses = run.pauses();
    boolean vain =
        pauses != null
            && Objects.equals(pauses.inVain(), forJob.id())
            && now.isBefore(pauses.last().plus(IN_VAIN));
    return run.launched()
        && !vain
        && (victim.state() instanceof JobState.Running || GangRules.waits(victim));
  }

  private boolean isBelow(Job victim, PartitionConfig its, Job job, PartitionConfig partition) {
    Qos own = qos(job);
    Qos other = qos(victim);
    if (own == null || other == null) {
      return false;
    }
    return own.preempt().contains(other.name())
        || own.name().equals(other.name())
            && isWithin(own)
            && priorities.of(job, partition) > priorities.of(victim, its);
  }

  /** What becomes of a job of that partition that makes room. */
  private PreemptMode mode(Job victim, PartitionConfig its) {
    PreemptMode own =
        switch (settings.type()) {
          case NONE -> PreemptMode.OFF;
          case PARTITION_PRIO -> its.preemptMode();
          case QOS -> {
            Qos one = qos(victim);
            yield one == null || one.preemptMode() == null
                ? null
                : PreemptMode.find(one.preemptMode());
          }
        };
    return own == null ? settings.mode() : own;
  }

  private boolean isExempt(Job victim, PartitionConfig its, JobState.Running run, Instant now) {
    Long least = settings.minExemptPriority();
    if (least != null && priorities.of(victim, its) < least) {
      return false;
    }
    return now.isBefore(eligible(victim, run.start()));
  }

  /** From when on a job that started then may have to make room. */
  public Instant eligible(Job job, Instant start) {
    Qos one = qos(job);
    Duration exempt = one == null ? null : one.exemptTime();
    return start.plus(exempt == null ? settings.exemptTime() : exempt);
  }

  /** How long a job has to end that makes room. */
  public Duration grace(Job victim) {
    JobState.Running run = victim.state().runningOrSuspended();
    Qos one = qos(victim);
    return switch (settings.type()) {
      case NONE -> Duration.ZERO;
      case PARTITION_PRIO -> {
        PartitionConfig its = run == null ? null : view.partition(run.allocation().partition());
        yield its == null ? Duration.ZERO : its.graceTime();
      }
      case QOS -> one == null ? Duration.ZERO : one.graceTime();
    };
  }

  /** What a victim's partition or QOS is worth: the least makes room first. */
  public long victimRank(Job victim) {
    JobState.Running run = victim.state().runningOrSuspended();
    PartitionConfig its = run == null ? null : view.partition(run.allocation().partition());
    Qos one = qos(victim);
    return switch (settings.type()) {
      case NONE -> 0;
      case PARTITION_PRIO -> its == null ? 0 : its.priorityTier();
      case QOS -> one == null ? 0 : one.priority();
    };
  }

  /**
   * For each QOS of which another makes room, how long the longest row of such is that begins with
   * it: jobs of a longer one are considered first. Empty where QOS do not decide.
   */
  public static Map<String, Integer> ranks(PreemptSettings settings, AccountingTree accounts) {
    Map<String, Integer> ranks = new TreeMap<>();
    if (settings.type() == PreemptSettings.Type.QOS) {
      for (Qos one : accounts.qosByNumber()) {
        rank(one.name(), accounts, ranks);
      }
    }
    return ranks;
  }

  private static int rank(String name, AccountingTree accounts, Map<String, Integer> ranks) {
    Integer known = ranks.get(name);
    Qos one = accounts.qos(name);
    if (known != null || one == null) {
      return known == null ? 0 : known;
    }
    // Should the lists run in a circle, it is cut here.
    ranks.put(name, 0);
    int rank = 0;
    for (String below : one.preempt()) {
      rank = Math.max(rank, 1 + rank(below, accounts, ranks));
    }
    ranks.put(name, rank);
    return rank;
  }
}
