package io.dure.host.process;

import org.jspecify.annotations.Nullable;

/**
 * What {@code /proc/PID/stat} says of a process, see proc_pid_stat(5).
 *
 * @param pid process number
 * @param command name of the program, at most 15 characters, which may hold blanks and brackets
 * @param state one letter: R running, S sleeping, D waiting for the disk, Z zombie, T stopped, ...
 * @param parent number of the parent; 0 if it has none here
 * @param processGroup number of the process group
 * @param session number of the session
 * @param startTicks when it started, in clock ticks (1/100 s) since boot: with the pid and the boot
 *     id it names a process for ever
 */
public record ProcessStat(
    int pid,
    String command,
    char state,
    int parent,
    int processGroup,
    int session,
    long startTicks) {
  private static final int START_FIELD = 19;

  /** Whether it still runs or may: a zombie only waits for its parent to ask how it ended. */
  public boolean isAlive() {
    return state != 'Z' && state != 'X' && state != 'x';
  }

  /** Reads the text of a stat file; null if it is none. */
  static @Nullable ProcessStat parse(String text) {
    // The name stands in brackets and may hold brackets itself, so the last one ends it.
    int open = text.indexOf('(');
    int close = text.lastIndexOf(')');
    if (open < 1 || close < open || close + 2 > text.length()) {
      return null;
    }
    String[] fields = text.substring(close + 2).strip().split(" ", -1);
    if (fields.length <= START_FIELD || fields[0].isEmpty()) {
      return null;
    }
    try {
      return new ProcessStat(
          Integer.parseInt(text.substring(0, open).strip()),
          text.substring(open + 1, close),
          fields[0].charAt(0),
          Integer.parseInt(fields[1]),
          Integer.parseInt(fields[2]),
          Integer.parseInt(fields[3]),
          Long.parseLong(fields[START_FIELD]));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
