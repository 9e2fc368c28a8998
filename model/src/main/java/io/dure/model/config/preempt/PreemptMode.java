package io.dure.model.config.preempt;

import org.jspecify.annotations.Nullable;

/** What becomes of a job that makes room for another. */
public enum PreemptMode {
  /** It does not make room. */
  OFF,
  /** It ends. */
  CANCEL,
  /** It goes back into the queue, or ends where it may not. */
  REQUEUE,
  /** It stands still until its cores are free again. */
  SUSPEND;

  /**
   * As Slurm prints it: suspension goes with gang scheduling.
   *
   * @param gang whether jobs that share cores take turns anyhow
   */
  public String text(boolean gang) {
    if (this == OFF) {
      return gang ? "GANG" : name();
    }
    return gang || this == SUSPEND ? "GANG," + name() : name();
  }

  /** The mode of that name in any case, alone or before others ({@code SUSPEND,GANG}), or null. */
  public static @Nullable PreemptMode find(String text) {
    for (String word : text.split(",", -1)) {
      for (PreemptMode mode : values()) {
        if (mode.name().equalsIgnoreCase(word.strip())) {
          return mode;
        }
      }
    }
    return null;
  }
}
