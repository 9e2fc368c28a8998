package io.dure.node;

import io.dure.host.gpu.GpuDetection;
import io.dure.host.log.DaemonLog;
import io.dure.host.process.MachineHardware;
import io.dure.host.process.ProcFs;
import io.dure.host.process.ReadinessNotice;
import io.dure.host.signal.DaemonSignal;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.trust.ClusterKey;
import io.dure.model.HostList;
import io.dure.model.config.SlurmdParameters.SocketKind;
import io.dure.node.job.NodeLocalConfig;
import io.dure.protocol.DureVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The program {@code slurmd}. */
public final class SlurmdMain {
  private SlurmdMain() {}

  /** Runs until it is told to end; exit code 1 if it could not start. */
  public static void main(String[] words) {
    int code;
    try {
      code = run(SlurmdOptions.parse(List.of(words)), System.getenv());
    } catch (SlurmdUsageException e) {
      System.err.println("slurmd: " + e.getMessage());
      System.err.print(SlurmdOptions.USAGE);
      code = 1;
    } catch (DaemonStartException | IOException e) {
      String.valueOf(e.getMessage())
          .lines()
          .forEach(line -> System.err.println("slurmd: fatal: " + line));
      code = 1;
    } catch (InterruptedException e) {
      code = 0;
    }
    System.exit(code);
  }

  private static int run(SlurmdOptions options, Map<String, String> environment)
      throws DaemonStartException, IOException, InterruptedException {
    switch (options.task()) {
      case HELP -> System.out.print(SlurmdOptions.USAGE);
      case VERSION -> System.out.println(DureVersion.LINE);
      case HARDWARE ->
          HardwareReport.lines(machine(options), ProcFs.ofThisMachine().uptime())
              .forEach(System.out::println);
      case GRES ->
          HardwareReport.gres(MachineHardware.describe(), gpus(environment).devices("full"))
              .forEach(System.out::println);
      case RUN -> serve(options, environment);
    }
    return 0;
  }

  /** This machine's, or those that a directory tree stands in for. */
  private static MachineGpus gpus(Map<String, String> environment) {
    String tree = environment.getOrDefault("DURE_GPU_TREE", "");
    return new MachineGpus(
        (mode, log) -> GpuDetection.open(tree.isEmpty() ? null : Path.of(tree), mode, log));
  }

  private static MachineHardware machine(SlurmdOptions options) throws IOException {
    SocketKind kind = options.parameters().sockets();
    MachineHardware machine = MachineHardware.describe();
    return kind == null ? machine : machine.withSockets(kind);
  }

  private static void serve(SlurmdOptions options, Map<String, String> environment)
      throws DaemonStartException, IOException, InterruptedException {
    MachineHardware found = machine(options);
    List<@Nullable String> names = names(options);
    // The file may say that other parts of the machine are its sockets.
    MachineGpus gpus = gpus(environment);
    NodeConfigLoader first =
        new NodeConfigLoader(options, names.getFirst(), environment, found, gpus);
    NodeConfigLoader.Read read = first.first(text -> System.err.println("slurmd: " + text));
    NodeLocalConfig setup = first.of(read).setup();
    MachineHardware machine = found.withSockets(setup.sockets());
    // What is missing is told before anything is touched.
    ClusterKey key = StartupChecks.key(first.of(read));
    Path shepherd = StartupChecks.shepherd(options, environment);
    try (DaemonLog log = StartupChecks.log(options, setup);
        HostedNodes nodes = new HostedNodes(key, shepherd, machine, gpus, log)) {
      String file = StartupChecks.logFile(options, setup);
      options
          .process()
          .apply(
              file.isEmpty() ? setup.spool() : Path.of(file).toAbsolutePath().resolveSibling(""),
              log);
      gpus.remarks().forEach(log::info);
      for (String name : names) {
        nodes.add(options, new NodeConfigLoader(options, name, environment, machine, gpus), read);
      }
      DaemonSignals.listen(signal -> hear(signal, nodes, log));
      nodes.start();
      if (environment.containsKey("DURE_READY")) {
        System.out.println("ready");
      }
      if (options.process().systemd()) {
        ReadinessNotice.send(environment, log);
      }
      nodes.await();
    }
  }

  /** The nodes of {@code -N}, null for the one whose host this is; a dynamic node is one. */
  private static List<@Nullable String> names(SlurmdOptions options) throws DaemonStartException {
    String name = options.nodeName();
    if (name == null || options.dynamic()) {
      return Collections.singletonList(name);
    }
    List<@Nullable String> names;
    try {
      names = new ArrayList<>(HostList.expand(name));
    } catch (IllegalArgumentException e) {
      throw new DaemonStartException("-N " + name + ": " + e.getMessage());
    }
    if (names.isEmpty()) {
      throw new DaemonStartException("-N names no node");
    }
    return Collections.unmodifiableList(names);
  }

  private static void hear(DaemonSignal signal, HostedNodes nodes, DaemonLog log) {
    switch (signal) {
      case STOP -> nodes.end();
      case RECONFIGURE -> {
        reopen(log);
        nodes.reconfigure();
      }
      case REOPEN_LOG -> reopen(log);
    }
  }

  private static void reopen(DaemonLog log) {
    try {
      log.reopen();
    } catch (IOException e) {
      log.error("cannot reopen the log file, still writing to the old one: " + e.getMessage());
    }
  }
}
