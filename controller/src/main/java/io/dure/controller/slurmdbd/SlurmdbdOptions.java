package io.dure.controller.slurmdbd;

import io.dure.host.process.DaemonProcess;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code slurmdbd}, as Slurm's has them.
 *
 * @param action what to do
 * @param configFile value of {@code -f}, null where not given
 * @param foreground {@code -D}: log to standard error too
 * @param verbosity how often {@code -v} was given
 * @param nice value of {@code -n}, null where not given
 * @param rehearse {@code --dry-run}: say which migrations the database needs, and do nothing
 * @param systemd whether systemd is told when it serves
 */
record SlurmdbdOptions(
    Action action,
    @Nullable String configFile,
    boolean foreground,
    int verbosity,
    @Nullable Integer nice,
    boolean rehearse,
    boolean systemd) {

  /** What was asked for. */
  enum Action {
    RUN,
    VERSION,
    HELP
  }

  /** The words are no options of slurmdbd. */
  static final class UsageException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    UsageException(String message) {
      super(message);
    }
  }

  static final String USAGE =
      """
      Usage: slurmdbd [OPTIONS]
        -D         Run in the foreground, log to standard error
        -f file    Use the specified file for slurmdbd.conf
        -h         Print this help message
        -n value   Run at the specified nice value
        -s         Accepted
        -u         Accepted
        -v         Verbose mode, may be repeated
        -V         Print version information and exit
        --dry-run  Say which migrations the database needs, and exit
        --systemd  Stay in the foreground and tell systemd when it serves
      """;

  static SlurmdbdOptions parse(String[] words) throws UsageException {
    Action action = Action.RUN;
    String file = null;
    boolean foreground = false;
    int verbosity = 0;
    Integer nice = null;
    boolean rehearse = false;
    boolean systemd = false;
    int i = 0;
    while (i < words.length) {
      String word = words[i++];
      if (word.startsWith("--")) {
        switch (word) {
          case "--dry-run" -> rehearse = true;
          case "--systemd" -> systemd = true;
          case "--help" -> action = Action.HELP;
          case "--version" -> action = Action.VERSION;
          default -> throw new UsageException("unrecognized option '" + word + "'");
        }
        continue;
      }
      if (!word.startsWith("-") || word.length() < 2) {
        throw new UsageException("unexpected argument " + word);
      }
      for (int c = 1; c < word.length(); c++) {
        char letter = word.charAt(c);
        if (letter == 'f' || letter == 'n') {
          String rest = word.substring(c + 1);
          if (rest.isEmpty() && i == words.length) {
            throw new UsageException("option requires an argument -- '" + letter + "'");
          }
          String value = rest.isEmpty() ? words[i++] : rest;
          file = letter == 'f' ? value : file;
          nice = letter == 'n' ? niceness(value) : nice;
          break;
        }
        switch (letter) {
          case 'D' -> foreground = true;
          case 'v' -> verbosity++;
          case 'V' -> action = Action.VERSION;
          case 'h' -> action = Action.HELP;
          case 's', 'u' -> {}
          default -> throw new UsageException("invalid option -- '" + letter + "'");
        }
      }
    }
    return new SlurmdbdOptions(
        action, file, foreground || systemd, verbosity, nice, rehearse, systemd);
  }

  private static Integer niceness(String text) throws UsageException {
    try {
      return DaemonProcess.nice(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("-n " + e.getMessage());
    }
  }
}
