package io.dure.node;

import io.dure.host.config.LocalConfigSource;
import io.dure.host.config.LocatedConfig;
import io.dure.host.process.MachineHardware;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.SlurmdParameters;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.model.config.slurmconf.ConfigSource;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.gres.NodeGres;
import io.dure.node.cgroup.CoreToCpuMap;
import io.dure.node.job.NodeFaultException;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.link.ConfigFetch;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the configuration file and this node in it; may be asked again while the daemon runs.
 *
 * <p>A dynamic node is read as if the file had one more NodeName line.
 */
final class NodeConfigLoader {
  private static final Duration RETRY = Duration.ofSeconds(10);

  private final SlurmdOptions options;
  private final @Nullable String nodeName;
  private final Map<String, String> environment;
  private final MachineHardware machine;
  private final MachineGpus gpus;

  /**
   * A loader for a node.
   *
   * @param nodeName of those that the options name, null for the one whose host this is
   */
  NodeConfigLoader(
      SlurmdOptions options,
      @Nullable String nodeName,
      Map<String, String> environment,
      MachineHardware machine,
      MachineGpus gpus) {
    this.options = options;
    this.nodeName = nodeName;
    this.environment = environment;
    this.machine = machine;
    this.gpus = gpus;
  }

  /**
   * What was read.
   *
   * @param setup the configuration as it concerns this node
   * @param keyFile where the cluster key lies
   * @param cluster all of it
   * @param dynamic the node as it describes itself, null for one of the file
   * @param remarks findings that do not prevent a start
   */
  record Loaded(
      NodeLocalConfig setup,
      Path keyFile,
      ClusterConfig cluster,
      @Nullable NodeConfig dynamic,
      List<String> remarks) {}

  /**
   * Reads it.
   *
   * @throws DaemonStartException with all findings if the file has errors, or none of its nodes is
   *     this
   */
  Loaded load() throws DaemonStartException {
    ConfigFetch remote = remote();
    try {
      if (remote != null) {
        remote.fetch();
      }
    } catch (IOException e) {
      throw new DaemonStartException(NodeFaultException.text(e));
    }
    return of(read(remote));
  }

  /** A configuration that was read, for any of its nodes. */
  record Read(LocatedConfig located, ParsedConfig parsed) {}

  /**
   * Reads the file at a start: one that the controllers have is that of the last time while none of
   * them answers, and is waited for where there was no last time.
   *
   * @param waits told why it waits
   * @throws DaemonStartException with all findings if it has errors
   */
  Read first(Consumer<String> waits) throws DaemonStartException, InterruptedException {
    ConfigFetch remote = remote();
    boolean done = false;
    while (remote != null && !done) {
      try {
        remote.fetch();
        done = true;
      } catch (ConfigFetch.ControllerRefusalException | FileSystemException e) {
        throw new DaemonStartException(NodeFaultException.text(e));
      } catch (IOException e) {
        done = Files.exists(remote.file());
        String next = done ? "; the files of the last time are used" : "; trying again in 10 s";
        waits.accept(e.getMessage() + next);
        if (!done) {
          Thread.sleep(RETRY);
        }
      }
    }
    return read(remote);
  }

  private @Nullable ConfigFetch remote() throws DaemonStartException {
    String servers = options.confServer();
    try {
      return servers == null ? null : ConfigFetch.of(servers, environment);
    } catch (IllegalArgumentException e) {
      throw new DaemonStartException(String.valueOf(e.getMessage()));
    }
  }

  private Read read(@Nullable ConfigFetch remote) throws DaemonStartException {
    LocatedConfig located;
    try {
      String file = remote == null ? options.conf() : remote.file().toString();
      located = LocatedConfig.load(file, environment);
    } catch (IOException e) {
      throw new DaemonStartException(String.valueOf(e.getMessage()));
    }
    String path = located.file().toString();
    ParsedConfig parsed =
        options.dynamic() ? SlurmConfParser.parse(path, withDynamicNode(path)) : located.parsed();
    List<String> errors = new ArrayList<>();
    for (ConfigDiagnostic diagnostic : parsed.diagnostics()) {
      if (diagnostic.severity() == ConfigDiagnostic.Severity.ERROR) {
        errors.add(ConfigReport.line(diagnostic));
      }
    }
    if (!errors.isEmpty()) {
      errors.add("the configuration has errors");
      throw new DaemonStartException(String.join("\n", errors));
    }
    return new Read(located, parsed);
  }

  /**
   * This node's part of it.
   *
   * @throws DaemonStartException if none of its nodes is this
   */
  Loaded of(Read read) throws DaemonStartException {
    ParsedConfig parsed = read.parsed();
    String path = read.located().file().toString();
    NodeConfig node = withGpus(find(parsed.config()), parsed.config().nodes());
    return new Loaded(
        new NodeLocalConfig(path, node, parsed.config().settings(), parsed.config().topology()),
        read.located().keyFile(),
        parsed.config(),
        options.dynamic() ? node : null,
        ConfigReport.remarks(parsed));
  }

  /** With the files of its GPUs, and what is near them, where drivers are to tell that. */
  private NodeConfig withGpus(NodeConfig node, List<NodeConfig> all) {
    NodeGres configured = node.resources();
    if (configured.autoDetect().isEmpty()) {
      return node;
    }
    CoreToCpuMap cpus = NodeCoreAssignment.of(CoreToCpuMap.of(machine.topology()), all, node);
    return node.with(
        DetectedGres.complete(configured, gpus.devices(configured.autoDetect()), cpus));
  }

  private NodeConfig find(ClusterConfig config) throws DaemonStartException {
    String wanted = options.dynamic() ? dynamicName() : nodeName;
    String host = machine.hostName();
    NodeConfig found =
        wanted != null
            ? config.node(wanted)
            : config.nodes().stream()
                .filter(node -> node.hostName().equals(host) || node.name().equals(host))
                .findFirst()
                .orElse(null);
    if (found != null && !options.parameters().text().isEmpty()) {
      String words = found.parameters().text() + "," + options.parameters().text();
      return found.withParameters(SlurmdParameters.of(words, (_, _) -> {}));
    }
    if (found == null) {
      throw new DaemonStartException(
          "Unable to determine this slurmd's NodeName: "
              + (wanted == null
                  ? "no node in "
                      + config.path()
                      + " has the host name "
                      + host
                      + ". Name one by -N"
                  : "there is no node " + wanted + " in " + config.path()));
    }
    return found;
  }

  private String dynamicName() {
    String name = value("NodeName");
    return nodeName != null ? nodeName : name != null ? name : machine.hostName();
  }

  private ConfigSource withDynamicNode(String path) {
    LocalConfigSource files = new LocalConfigSource();
    String line = "\n" + dynamicLine() + "\n";
    return new ConfigSource() {
      @Override
      public @Nullable String read(String file) {
        String text = files.read(file);
        return text != null && file.equals(path) ? text + line : text;
      }

      @Override
      public List<String> list(String directory) {
        return files.list(directory);
      }
    };
  }

  /** What the user wrote, completed by what was found. */
  private String dynamicLine() {
    StringBuilder line = new StringBuilder("NodeName=").append(dynamicName());
    for (String word : words()) {
      if (!word.toLowerCase(Locale.ROOT).startsWith("nodename=")) {
        line.append(' ').append(word);
      }
    }
    boolean shaped =
        List.of("CPUs", "Procs", "Sockets", "SocketsPerBoard", "CoresPerSocket", "ThreadsPerCore")
            .stream()
            .anyMatch(key -> value(key) != null);
    if (!shaped) {
      var shape = machine.shape();
      line.append(" Sockets=").append(shape.sockets());
      line.append(" CoresPerSocket=").append(shape.coresPerSocket());
      line.append(" ThreadsPerCore=").append(shape.threadsPerCore());
    }
    if (value("RealMemory") == null) {
      line.append(" RealMemory=").append(machine.memoryMib());
    }
    return line.toString();
  }

  private List<String> words() {
    String conf = options.dynamicConf();
    return conf == null || conf.isBlank() ? List.of() : List.of(conf.strip().split("\\s+"));
  }

  private @Nullable String value(String key) {
    String begin = key.toLowerCase(Locale.ROOT) + "=";
    for (String word : words()) {
      if (word.toLowerCase(Locale.ROOT).startsWith(begin)) {
        return word.substring(begin.length());
      }
    }
    return null;
  }
}
