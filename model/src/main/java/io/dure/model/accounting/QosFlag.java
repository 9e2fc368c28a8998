package io.dure.model.accounting;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The flags of a QOS, in the order in which they are printed. */
public enum QosFlag {
  DENY_ON_LIMIT("DenyOnLimit"),
  ENFORCE_USAGE_THRESHOLD("EnforceUsageThreshold"),
  NO_RESERVE("NoReserve"),
  PARTITION_MAX_NODES("PartitionMaxNodes"),
  PARTITION_MIN_NODES("PartitionMinNodes"),
  OVER_PART_QOS("OverPartQOS"),
  PARTITION_TIME_LIMIT("PartitionTimeLimit"),
  REQUIRES_RESERVATION("RequiresReservation"),
  NO_DECAY("NoDecay"),
  USAGE_FACTOR_SAFE("UsageFactorSafe"),
  RELATIVE("Relative");

  private final String word;

  QosFlag(String word) {
    this.word = word;
  }

  /** As it is printed. */
  public String word() {
    return word;
  }

  /** The flag of that name in whatever case, or that begins with it; null for none. */
  public static @Nullable QosFlag of(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.isEmpty()) {
      return null;
    }
    for (QosFlag flag : values()) {
      if (flag.word.toLowerCase(Locale.ROOT).startsWith(lower)) {
        return flag;
      }
    }
    return null;
  }
}
