package io.dure.node;

import io.dure.host.process.DaemonProcess;
import io.dure.model.config.SlurmdParameters;
import io.dure.model.node.CommandLineFacts;
import io.dure.model.node.NodeNotes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of slurmd(8). {@code --authinfo} is accepted and changes nothing: the key of the
 * cluster has one place.
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
 * @param process how the process itself is to be
 * @param told what the controller is to be told of the node
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
    SlurmdParameters parameters,
    ProcessOptions process,
    CommandLineFacts told) {

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
         -M                         Keep the daemon's pages in memory.
         -n value                   Run the daemon at the specified nice value.
         -N node                    Run the daemon for specified nodename, or for a list of them.
         -s                         Change to the directory of the log file, or of the spool.
         -v                         Verbose mode. Multiple -v's increase verbosity.
         -V, --version              Print version information and exit.
         --parameters="words"       Words beside those of SlurmdParameters.
         --extra="text"             Words for programs, kept with the node.
         --instance-id="id"         Id of the machine where it was hired.
         --instance-type="type"     Type of the machine where it was hired.
         --systemd                  Stay in the foreground and tell systemd when it serves.
         -Z                         Start as Dynamic Normal node.
         --conf="config"            Description of a dynamic node, as on a NodeName line.
         --conf-server=HOST[:PORT]  Fetch the configuration from a controller; several by commas.
      """;

  private static final String TAKE_VALUE = "dfLnN";
  private static final String FLAGS = "bcCDGhMsvVZ";

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
    private @Nullable Integer nice;
    private boolean lockMemory;
    private boolean changeDirectory;
    private boolean systemd;
    private boolean booted;
    private String extra = "";
    private String instanceId = "";
    private String instanceType = "";

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
          parameters,
          new ProcessOptions(nice, lockMemory, changeDirectory, systemd),
          new CommandLineFacts(booted, new NodeNotes("", extra, instanceId, instanceType)));
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

    private void takeValue(char letter, String value) throws SlurmdUsageException {
      switch (letter) {
        case 'd' -> shepherd = value;
        case 'f' -> conf = value;
        case 'L' -> logFile = value;
        case 'N' -> nodeName = value;
        case 'n' -> nice = niceness(value);
        default -> throw new AssertionError(letter);
      }
    }

    private static int niceness(String text) throws SlurmdUsageException {
      try {
        return DaemonProcess.nice(text);
      } catch (IllegalArgumentException e) {
        throw new SlurmdUsageException("-n " + e.getMessage());
      }
    }

    private void takeFlag(char letter) {
      switch (letter) {
        case 'b' -> booted = true;
        case 'c' -> clearSpool = true;
        case 'C' -> task = Task.HARDWARE;
        case 'D' -> foreground = true;
        case 'G' -> task = Task.GRES;
        case 'h' -> task = Task.HELP;
        case 'M' -> lockMemory = true;
        case 's' -> changeDirectory = true;
        case 'v' -> verbosity++;
        case 'V' -> task = Task.VERSION;
        case 'Z' -> dynamic = true;
        default -> throw new AssertionError(letter);
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
      switch (name) {
        case "help" -> task = Task.HELP;
        case "version" -> task = Task.VERSION;
        case "systemd" -> {
          systemd = true;
          foreground = true;
        }
        case "authinfo",
            "conf",
            "conf-server",
            "extra",
            "instance-id",
            "instance-type",
            "parameters" ->
            takeLong(name, equals < 0 ? next("'--" + name + "'") : option.substring(equals + 1));
        default -> throw new SlurmdUsageException("unrecognized option '--" + option + "'");
      }
    }

    private void takeLong(String name, String value) throws SlurmdUsageException {
      switch (name) {
        case "conf" -> dynamicConf = value;
        case "conf-server" -> confServer = value;
        case "extra" -> extra = value;
        case "instance-id" -> instanceId = value;
        case "instance-type" -> instanceType = value;
        case "parameters" -> parameters = parameters(value);
        default -> {
          // --authinfo: the class says why.
        }
      }
    }
  }
}
