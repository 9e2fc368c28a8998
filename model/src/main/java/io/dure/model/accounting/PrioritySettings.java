package io.dure.model.accounting;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says of accounts and of the order of jobs.
 *
 * @param enforced what of the accounts binds jobs
 * @param halfLife after which usage counts half, null where it does not decay
 * @param reset when all usage is forgotten
 * @param calcPeriod how often the order is worked out anew
 * @param maxAge the wait after which age counts no more; not zero
 * @param favorSmall whether small jobs come first rather than large ones
 * @param flags the flags
 * @param dampening by which usage counts less in classic fair share; at least 1
 * @param weights what each factor weighs
 */
@RecordBuilder
public record PrioritySettings(
    AccountingEnforcement enforced,
    @Nullable Duration halfLife,
    PrioritySettings.Reset reset,
    Duration calcPeriod,
    Duration maxAge,
    boolean favorSmall,
    List<PrioritySettings.Flag> flags,
    long dampening,
    PrioritySettings.Weights weights)
    implements PrioritySettingsBuilder.With {
  /** With no word in the file. */
  public static final PrioritySettings USUAL =
      new PrioritySettings(
          AccountingEnforcement.NONE,
          Duration.ofDays(7),
          Reset.NONE,
          Duration.ofMinutes(5),
          Duration.ofDays(7),
          false,
          List.of(),
          1,
          new Weights(0, 0, 0, 0, 0, 0, Map.of()));

  public PrioritySettings {
    flags = List.copyOf(flags);
  }

  /** Whether a flag is set. */
  public boolean has(Flag flag) {
    return flags.contains(flag);
  }

  /** When all usage is forgotten. */
  public enum Reset {
    /** Never. */
    NONE,
    /** Once, when the controller starts. */
    NOW,
    DAILY,
    WEEKLY,
    MONTHLY,
    QUARTERLY,
    YEARLY;

    /** The period of that name in whatever case, null for none. */
    public static @Nullable Reset of(String text) {
      for (Reset one : values()) {
        if (one.name().equalsIgnoreCase(text)) {
          return one;
        }
      }
      return null;
    }
  }

  /** {@code PriorityFlags}. */
  public enum Flag {
    /** Age counts from the submission on, whatever keeps the job back. */
    ACCRUE_ALWAYS,
    /** The priority of running jobs goes on changing. */
    CALCULATE_RUNNING,
    /** In classic fair share, levels above matter less. */
    DEPTH_OBLIVIOUS,
    /** Classic fair share instead of the fair tree. */
    NO_FAIR_TREE,
    /** Priorities never fall. */
    INCR_ONLY,
    /** A job is billed the greatest of a node's resources, not their sum. */
    MAX_TRES,
    /** The same, generic resources added. */
    MAX_TRES_GRES,
    /** The association's part is taken as it is. */
    NO_NORMAL_ASSOC,
    /** The partition's part is taken as it is. */
    NO_NORMAL_PART,
    /** The QOS's part is taken as it is. */
    NO_NORMAL_QOS,
    /** The parts of the resources are taken as they are. */
    NO_NORMAL_TRES,
    /** Size counts in relation to time. */
    SMALL_RELATIVE_TO_TIME,
    /** What was used on other clusters of the same slurmdbd does not count here. */
    OWN_CLUSTER_USAGE;

    /** What {@code NO_NORMAL_ALL} stands for. */
    public static final List<Flag> NO_NORMAL =
        List.of(NO_NORMAL_ASSOC, NO_NORMAL_PART, NO_NORMAL_QOS, NO_NORMAL_TRES);

    /** Whether it is read, and not acted on. */
    public boolean isIgnored() {
      return switch (this) {
        case INCR_ONLY -> true;
        // What is shown of running jobs is always worked out anew.
        case ACCRUE_ALWAYS,
            CALCULATE_RUNNING,
            DEPTH_OBLIVIOUS,
            NO_FAIR_TREE,
            MAX_TRES,
            MAX_TRES_GRES,
            NO_NORMAL_ASSOC,
            NO_NORMAL_PART,
            NO_NORMAL_QOS,
            NO_NORMAL_TRES,
            SMALL_RELATIVE_TO_TIME,
            OWN_CLUSTER_USAGE ->
            false;
      };
    }

    /** The flag of that name in whatever case, null for none. */
    public static @Nullable Flag of(String text) {
      for (Flag one : values()) {
        if (one.name().equalsIgnoreCase(text)) {
          return one;
        }
      }
      return null;
    }
  }

  /**
   * What each factor weighs, 0 for nothing.
   *
   * @param tres by the resources' names
   */
  public record Weights(
      long age,
      long assoc,
      long fairShare,
      long jobSize,
      long partition,
      long qos,
      Map<String, Double> tres) {
    public Weights {
      tres = Collections.unmodifiableMap(new TreeMap<>(tres));
    }
  }
}
