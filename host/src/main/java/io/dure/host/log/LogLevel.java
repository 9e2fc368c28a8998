package io.dure.host.log;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How much the log tells, in Slurm's words; each level tells what the ones before it do. */
public enum LogLevel {
  /** Nothing. */
  QUIET(0, "quiet", ""),
  /** What ends the daemon. */
  FATAL(1, "fatal", "fatal: "),
  /** What went wrong. */
  ERROR(2, "error", "error: "),
  /** What an administrator wants to know; the usual level. */
  INFO(3, "info", ""),
  /** Some more of it. */
  VERBOSE(4, "verbose", ""),
  /** What a developer wants to know. */
  DEBUG(5, "debug", "debug:  "),
  /** Details. */
  DEBUG2(6, "debug2", "debug2: "),
  /** Finer details. */
  DEBUG3(7, "debug3", "debug3: "),
  /** Each step. */
  DEBUG4(8, "debug4", "debug4: "),
  /** Everything. */
  DEBUG5(9, "debug5", "debug5: ");

  private final int number;
  private final String word;
  private final String prefix;

  LogLevel(int number, String word, String prefix) {
    this.number = number;
    this.word = word;
    this.prefix = prefix;
  }

  /** The name as {@code slurm.conf} and {@code scontrol setdebug} write it. */
  public String word() {
    return word;
  }

  /**
   * The level that tells so many levels more, or the highest.
   *
   * @param levels 0 or more
   */
  public LogLevel plus(int levels) {
    LogLevel best = this;
    for (LogLevel level : values()) {
      if (level.number <= number + levels && level.number > best.number) {
        best = level;
      }
    }
    return best;
  }

  /** What stands before a message of this level. */
  String prefix() {
    return prefix;
  }

  /**
   * Reads a name in letters of either case, or a number from 0 (quiet) to 9 (debug5).
   *
   * @return null if it is none
   */
  public static @Nullable LogLevel parse(String text) {
    String given = text.strip().toLowerCase(Locale.ROOT);
    for (LogLevel level : values()) {
      if (level.word.equals(given) || Integer.toString(level.number).equals(given)) {
        return level;
      }
    }
    return null;
  }
}
