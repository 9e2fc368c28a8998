package io.dure.controller;

import io.dure.host.process.DaemonProcess;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code slurmctld}, as Slurm's has them.
 *
 * @param action what to do
 * @param configFile value of {@code -f}, null where not given
 * @param logFile value of {@code -L}, null where not given
 * @param foreground {@code -D}: log to standard error too
 * @param verbosity how often {@code -v} was given
 * @param recovery what of the former state is kept
 */
record SlurmctldOptions(
    Action action,
    @Nullable String configFile,
    @Nullable String logFile,
    boolean foreground,
    int verbosity,
    Kept recovery,
    @Nullable Integer nice,
    boolean systemd) {

  /** What was asked for. */
  enum Action {
    RUN,
    VERSION,
    HELP,
    /** {@code --single}: says what the state of one of several controllers holds. */
    SHOW_SINGLE,
    /** {@code --single=yes}: makes it that of a single one. */
    MAKE_SINGLE,
    /** {@code --single=anyway}: the same although it may be old. */
    MAKE_SINGLE_ANYWAY
  }

  /** What of the former state is kept. */
  enum Kept {
    /** {@code -c}: nothing. */
    NOTHING,
    /** {@code -r} and the default: jobs and the state of nodes. */
    JOBS_AND_NODES,
    /** {@code -R}: partitions too. */
    ALL
  }

  /** The words are no options of slurmctld. */
  static final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
      super(message);
    }
  }

  static final String USAGE =
      """
      Usage: slurmctld [OPTIONS]
        -c      Do not recover state from last checkpoint
        -D      Run in the foreground, log to standard error
        -f file Use the specified file for slurm.conf
        -h      Print this help message
        -i      Accepted; damage found while reading state is never skipped
        -L file Log to the specified file
        -n nice Run at the specified nice value
        -R      Recover full state from last checkpoint
        -r      Recover jobs and the state of nodes (the default)
        -s      Accepted
        -v      Verbose mode, may be repeated
        -V      Print version information and exit
        --systemd        Stay in the foreground and tell systemd when it serves
        --single         Say what the state of one of several controllers holds, and exit
        --single=yes     Make it the state of a single controller, and exit: to go back to one
                         controller, or when the majority of the disks is lost for good
        --single=anyway  The same although the state may be older than what was acknowledged
      """;

  private static @Nullable Action single(String word) {
    return switch (word) {
      case "--single" -> Action.SHOW_SINGLE;
      case "--single=yes" -> Action.MAKE_SINGLE;
      case "--single=anyway" -> Action.MAKE_SINGLE_ANYWAY;
      default -> null;
    };
  }

  private static int niceness(String text) throws UsageException {
    try {
      return DaemonProcess.nice(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("-n " + e.getMessage());
    }
  }

  static SlurmctldOptions parse(String[] words) throws UsageException {
    Action action = Action.RUN;
    String configFile = null;
    String logFile = null;
    boolean foreground = false;
    int verbosity = 0;
    Kept kept = Kept.JOBS_AND_NODES;
    Integer nice = null;
    boolean systemd = false;
    int i = 0;
    while (i < words.length) {
      String word = words[i++];
      Action single = single(word);
      if (single != null) {
        action = single;
        continue;
      }
      if (word.equals("--systemd")) {
        systemd = true;
        foreground = true;
        continue;
      }
      if (!word.startsWith("-") || word.length() < 2) {
        throw new UsageException("unexpected argument " + word);
      }
      for (int c = 1; c < word.length(); c++) {
        char letter = word.charAt(c);
        switch (letter) {
          case 'c' -> kept = Kept.NOTHING;
          case 'r' -> kept = Kept.JOBS_AND_NODES;
          case 'R' -> kept = Kept.ALL;
          case 'D' -> foreground = true;
          case 'v' -> verbosity++;
          case 'i', 's' -> {}
          case 'V' -> action = Action.VERSION;
          case 'h' -> action = Action.HELP;
          case 'f', 'L', 'n' -> {
            String value = word.substring(c + 1);
            if (value.isEmpty()) {
              if (i == words.length) {
                throw new UsageException("option requires an argument -- '" + letter + "'");
              }
              value = words[i++];
            }
            configFile = letter == 'f' ? value : configFile;
            logFile = letter == 'L' ? value : logFile;
            if (letter == 'n') {
              nice = niceness(value);
            }
            c = word.length();
          }
          default -> throw new UsageException("invalid option -- '" + letter + "'");
        }
      }
    }
    return new SlurmctldOptions(
        action, configFile, logFile, foreground, verbosity, kept, nice, systemd);
  }
}
