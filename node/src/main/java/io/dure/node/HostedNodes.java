package io.dure.node;

import io.dure.host.config.LocatedConfig;
import io.dure.host.log.DaemonLog;
import io.dure.host.process.MachineHardware;
import io.dure.host.process.PidFile;
import io.dure.host.trust.ClusterKey;
import io.dure.model.config.ClusterSettings;
import io.dure.node.job.NodeLocalConfig;
import io.dure.protocol.DureVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes whose daemon this process is: one, or on a machine that stands for many, as in tests of
 * large clusters, each with spool, process-id file, port and controller connection of its own.
 */
final class HostedNodes implements AutoCloseable {
  private final ClusterKey key;
  private final Path shepherd;
  private final MachineHardware machine;
  private final MachineGpus gpus;
  private final DaemonLog log;
  private final SharedHeap heap;
  private final List<Hosted> nodes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile @Nullable Throwable failure;
  private volatile boolean ended;

  private record Hosted(String name, PidFile pidFile, NodeDaemon daemon) {}

  /** None yet. */
  HostedNodes(
      ClusterKey key, Path shepherd, MachineHardware machine, MachineGpus gpus, DaemonLog log) {
    this.key = key;
    this.shepherd = shepherd;
    this.machine = machine;
    this.gpus = gpus;
    this.log = log;
    this.heap = new SharedHeap(log);
  }

  /**
   * Opens a node's spool and takes up what runs there; no communication yet.
   *
   * @throws DaemonStartException if it has a daemon already, or is not in the configuration
   */
  void add(SlurmdOptions options, NodeConfigLoader configuration, NodeConfigLoader.Read read)
      throws DaemonStartException, IOException {
    NodeConfigLoader.Loaded loaded = configuration.of(read);
    NodeLocalConfig setup = loaded.setup();
    ClusterSettings.Daemon settings = setup.settings().daemon();
    String file = setup.node().fill(settings.pidFile());
    PidFile pidFile = StartupChecks.claim(file);
    NodeDaemon daemon;
    try {
      daemon =
          new NodeDaemon(
              new NodeDaemon.DaemonParts(
                  configuration,
                  loaded,
                  machine,
                  gpus,
                  key,
                  shepherd,
                  LocatedConfig.socketOf(file),
                  options.clearSpool(),
                  options.told(),
                  heap,
                  log));
    } catch (IOException | RuntimeException e) {
      pidFile.close();
      throw e;
    }
    if (nodes.isEmpty()) {
      loaded.remarks().forEach(log::info);
    }
    heap.add();
    nodes.add(new Hosted(setup.nodeName(), pidFile, daemon));
  }

  /** Lets them work. */
  void start() {
    for (Hosted node : nodes) {
      log.info(DureVersion.line() + ": slurmd of node " + node.name() + " started");
      threads.add(Thread.ofPlatform().name("slurmd").start(() -> run(node)));
    }
  }

  private void run(Hosted node) {
    try {
      node.daemon().run();
      log.info("slurmd of node " + node.name() + " stopped; its jobs keep running");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error bug) {
      log.error("slurmd of node " + node.name() + " failed, a bug in Dure: slurmd exits", bug);
      failure = bug;
    } finally {
      // One whose controller wants it to end takes the others with it: they are one process.
      end();
    }
  }

  /**
   * Waits until they have ended.
   *
   * @throws IllegalStateException if one of them met a bug
   */
  void await() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure != null) {
      throw new IllegalStateException("slurmd failed", failure);
    }
  }

  /** Asks them to end; jobs go on. Any thread. */
  void end() {
    if (!ended) {
      ended = true;
      nodes.forEach(node -> node.daemon().end());
    }
  }

  /** Reads the configuration again for each. Any thread. */
  void reconfigure() {
    nodes.forEach(node -> node.daemon().reconfigure());
  }

  @Override
  public void close() throws IOException {
    end();
    for (Hosted node : nodes) {
      node.daemon().close();
      node.pidFile().close();
    }
  }
}
