package io.dure.model.reservation;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is special about a reservation, in the order in which Slurm prints it. */
public enum ReservationFlag {
  /**
   * For work on the nodes: may lie over other reservations, and nodes show that they are worked on.
   */
  MAINT("MAINT"),
  /** Its jobs may start before it, end after it, and use other nodes too. */
  FLEX("FLEX"),
  /** May lie over other reservations. */
  OVERLAP("OVERLAP"),
  /** Jobs that run on the nodes when it is made are no hindrance. */
  IGNORE_JOBS("IGNORE_JOBS"),
  HOURLY("HOURLY"),
  DAILY("DAILY"),
  WEEKDAY("WEEKDAY"),
  WEEKEND("WEEKEND"),
  WEEKLY("WEEKLY"),
  /** Its nodes were named. */
  SPEC_NODES("SPEC_NODES"),
  /** Its nodes were named as all of the cluster. */
  ALL_NODES("ALL_NODES"),
  /** It has licences and no nodes: its jobs may use any. */
  ANY_NODES("ANY_NODES"),
  /** Nodes that it was given stay, also when they are down. */
  STATIC("STATIC"),
  /** All nodes of a partition, also those that come to it later. */
  PART_NODES("PART_NODES"),
  /** Start and end move on with the time. */
  TIME_FLOAT("TIME_FLOAT"),
  /** Nodes that are down or have jobs are replaced by idle ones. */
  REPLACE("REPLACE"),
  /** Nodes that are down are replaced by idle ones. */
  REPLACE_DOWN("REPLACE_DOWN"),
  /** It is over once no job has used it for a while. */
  PURGE_COMP("PURGE_COMP"),
  /** Jobs that wait for it when it ends may run elsewhere. */
  NO_HOLD_JOBS_AFTER_END("NO_HOLD_JOBS_AFTER_END"),
  /** Takes in jobs that did not name it. */
  MAGNETIC("MAGNETIC"),
  /** Who may use it may delete it. */
  USER_DELETE("USER_DELETE"),
  /** Its start may lie in the past. */
  FORCE_START("FORCE_START");

  private final String word;

  ReservationFlag(String word) {
    this.word = word;
  }

  /** The flag as Slurm prints it. */
  public String word() {
    return word;
  }

  /**
   * The flag that a text names, in full or cut short where nothing else begins so; null if none.
   */
  public static @Nullable ReservationFlag named(String text) {
    String wanted = text.toUpperCase(Locale.ROOT);
    ReservationFlag found = null;
    for (ReservationFlag flag : values()) {
      if (flag.word.equals(wanted)) {
        return flag;
      }
      if (wanted.length() >= flag.least() && flag.word.startsWith(wanted)) {
        found = flag;
      }
    }
    if (found == null && wanted.equals("STATIC_ALLOC")) {
      return STATIC;
    }
    if (found == null && !wanted.isEmpty() && "LICENSE_ONLY".startsWith(wanted)) {
      return ANY_NODES;
    }
    return found == null && wanted.equals("NO_HOLD_JOBS") ? NO_HOLD_JOBS_AFTER_END : found;
  }

  /** Letters that tell it from the others. */
  private int least() {
    return switch (this) {
      case MAINT, MAGNETIC -> 3;
      case WEEKDAY, WEEKEND, WEEKLY -> 5;
      case ANY_NODES, ALL_NODES -> 2;
      case NO_HOLD_JOBS_AFTER_END -> 7;
      case REPLACE -> 7;
      case REPLACE_DOWN -> 8;
      case PURGE_COMP, PART_NODES, STATIC, SPEC_NODES, FLEX, OVERLAP, IGNORE_JOBS -> 2;
      case HOURLY, DAILY, TIME_FLOAT, USER_DELETE, FORCE_START -> 2;
    };
  }

  /** Whether it makes a reservation come again. */
  public boolean repeats() {
    return switch (this) {
      case HOURLY, DAILY, WEEKDAY, WEEKEND, WEEKLY -> true;
      case MAINT, FLEX, OVERLAP, IGNORE_JOBS, SPEC_NODES, ALL_NODES, ANY_NODES, STATIC -> false;
      case PART_NODES, TIME_FLOAT, REPLACE, REPLACE_DOWN, PURGE_COMP -> false;
      case NO_HOLD_JOBS_AFTER_END, MAGNETIC, USER_DELETE, FORCE_START -> false;
    };
  }
}
