package io.dure.node;

import io.dure.model.config.SlurmdParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The command line of slurmd(8). Options that concern what Dure does in another way (memory
 * locking, priority, service managers) are accepted and change nothing.
 *
 * @param task what to do
 * @param conf the configuration file, null for the environment's or the usual one
 * @param nodeName the node to be, or a list of nodes; null for the one whose host this is
 * @param dynamic whether the node describes itself
 * @param dynamicConf how it describes itself, in the words of a NodeName line; null for what is
 *     found
 * @param logFile the log, null for the configuration's
 * @param foreground whether the log goes to standard error too
 * @param clearSpool whether to forget what an earlier daemon left
 * @param verbosity how many levels the log tells more
 * @param shepherd the program that keeps steps, null for the usual one
 * @param parameters words beside those of SlurmdParameters
 */
record SlurmdOptions(
    Task task,
    @Nullable String conf,
    @Nullable String nodeName,
    boolean dynamic,
    @Nullable String dynamicConf,
    @Nullable String confServer,
    @Nullable String logFile,
    boolean foreground,
    boolean clearSpool,
    int verbosity,
    @Nullable String shepherd,
    SlurmdParameters parameters) {

  /** What slurmd is called for. */
  enum Task {
    /** To be the node's daemon. */
    RUN,
    HELP,
    VERSION,
    /** To print the machine as a line of slurm.conf. */
    HARDWARE,
    /** To print the generic resources found. */
    GRES
  }

  static final String USAGE =
      """
      Usage: slurmd [OPTIONS]
         -b                         Report node rebooted when daemon restarted.
         -c                         Force cleanup of slurmd spool directory.
         -C                         Print node configuration information and exit.
         -D                         Run daemon in foreground; the log goes to standard error too.
         -f config                  Read configuration from the specified file.
         -G                         Print node's GRES configuration and exit.
         -h, --help                 Print this help message.
         -L logfile                 Log messages to the file `logfile'.
         -N node                    Run the daemon for specified nodename, or for a list of them.
         -v                         Verbose mode. Multiple -v's increase verbosity.
         -V, --version              Print version information and exit.
         --parameters="words"       Words beside those of SlurmdParameters.
         -Z                         Start as Dynamic Normal node.
         --conf="config"            Description of a dynamic node, as on a NodeName line.
         --conf-server=HOST[:PORT]  Fetch the configuration from a controller; several by commas.
      """;

  private static final String TAKE_VALUE = "BdfLnN";
  private static final String FLAGS = "bcCDGhMsvVZ";
  private static final Set<String> LONG_FLAGS = new TreeSet<>(List.of("systemd"));
  private static final Set<String> LONG_VALUES =
      new TreeSet<>(List.of("authinfo", "extra", "instance-id", "instance-type"));

  /**
   * Reads the arguments.
   *
   * @throws SlurmdUsageException if they are none of slurmd's
   */
  static SlurmdOptions parse(List<String> arguments) throws SlurmdUsageException {
    Reader reader = new Reader(arguments);
    reader.read();
    return reader.options();
  }

  private static final class Reader {
    private final List<String> arguments;
    private int at;
    private Task task = Task.RUN;
    private @Nullable String conf;
    private @Nullable String nodeName;
    private boolean dynamic;
    private @Nullable String dynamicConf;
    private @Nullable String confServer;
    private @Nullable String logFile;
    private boolean foreground;
    private boolean clearSpool;
    private int verbosity;
    private @Nullable String shepherd;
    private SlurmdParameters parameters = SlurmdParameters.NONE;

    Reader(List<String> arguments) {
      this.arguments = arguments;
    }

    SlurmdOptions options() {
      return new SlurmdOptions(
          task,
          conf,
          nodeName,
          dynamic,
          dynamicConf,
          confServer,
          logFile,
          foreground,
          clearSpool,
          verbosity,
          shepherd,
          parameters);
    }

    void read() throws SlurmdUsageException {
      while (at < arguments.size()) {
        String argument = arguments.get(at++);
        if (argument.equals("--")) {
          break;
        } else if (argument.startsWith("--")) {
          readLong(argument.substring(2));
        } else if (argument.length() > 1 && argument.startsWith("-")) {
          readShort(argument);
        } else {
          throw new SlurmdUsageException("unrecognized argument '" + argument + "'");
        }
      }
      if (at < arguments.size()) {
        throw new SlurmdUsageException("unrecognized argument '" + arguments.get(at) + "'");
      }
    }

    private void readShort(String cluster) throws SlurmdUsageException {
      for (int i = 1; i < cluster.length(); i++) {
        char letter = cluster.charAt(i);
        if (TAKE_VALUE.indexOf(letter) >= 0) {
          String value =
              i + 1 < cluster.length() ? cluster.substring(i + 1) : next("-- '" + letter + "'");
          takeValue(letter, value);
          return;
        }
        if (FLAGS.indexOf(letter) < 0) {
          throw new SlurmdUsageException("invalid option -- '" + letter + "'");
        }
        takeFlag(letter);
      }
    }

    private String next(String option) throws SlurmdUsageException {
      if (at >= arguments.size()) {
        throw new SlurmdUsageException("option requires an argument " + option);
      }
      return arguments.get(at++);
    }

    private void takeValue(char letter, String value) {
      switch (letter) {
        case 'd' -> shepherd = value;
        case 'f' -> conf = value;
        case 'L' -> logFile = value;
        case 'N' -> nodeName = value;
        default -> {
          // -B and -n: nothing here depends on them.
        }
      }
    }

    private void takeFlag(char letter) {
      switch (letter) {
        case 'c' -> clearSpool = true;
        case 'C' -> task = Task.HARDWARE;
        case 'D' -> foreground = true;
        case 'G' -> task = Task.GRES;
        case 'h' -> task = Task.HELP;
        case 'v' -> verbosity++;
        case 'V' -> task = Task.VERSION;
        case 'Z' -> dynamic = true;
        default -> {
          // -b, -M and -s: a restart is told by the boot id, and nothing depends on the others.
        }
      }
    }

    private static SlurmdParameters parameters(String text) throws SlurmdUsageException {
      List<String> faults = new ArrayList<>();
      SlurmdParameters read =
          SlurmdParameters.of(
              text,
              (message, remedy) -> {
                if (remedy != null) {
                  faults.add("--parameters: " + message + ". " + remedy);
                }
              });
      if (!faults.isEmpty()) {
        throw new SlurmdUsageException(faults.getFirst());
      }
      return read;
    }

    private void readLong(String option) throws SlurmdUsageException {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      if (name.equals("conf")) {
        dynamicConf = equals < 0 ? next("'--conf'") : option.substring(equals + 1);
      } else if (name.equals("parameters")) {
        String text = equals < 0 ? next("'--parameters'") : option.substring(equals + 1);
        parameters = parameters(text);
      } else if (name.equals("help")) {
        task = Task.HELP;
      } else if (name.equals("version")) {
        task = Task.VERSION;
      } else if (name.equals("conf-server")) {
        confServer = equals < 0 ? next("'--conf-server'") : option.substring(equals + 1);
      } else if (LONG_VALUES.contains(name)) {
        String _ = equals < 0 ? next("'--" + name + "'") : option.substring(equals + 1);
      } else if (!LONG_FLAGS.contains(name)) {
        throw new SlurmdUsageException("unrecognized option '--" + option + "'");
      }
    }
  }
}
