package io.dure.node;

import io.dure.core.config.NodeConfig;
import io.dure.core.config.Settings;
import io.dure.core.model.NodeFacts;
import io.dure.core.model.NodeLoad;
import io.dure.core.model.gres.GresDevice;
import io.dure.host.log.Log;
import io.dure.host.process.CpuTopology;
import io.dure.host.process.MachineHardware;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.storage.Directories;
import io.dure.host.storage.FreeSpace;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.LibcUserDatabase;
import io.dure.host.user.Users;
import io.dure.node.agent.Clocks;
import io.dure.node.agent.HealthChecker;
import io.dure.node.agent.NodeAgent;
import io.dure.node.cgroup.Cgroups;
import io.dure.node.cgroup.CpuMap;
import io.dure.node.job.NodeSetup;
import io.dure.node.job.StepStarter;
import io.dure.node.launch.Shepherd;
import io.dure.node.link.ControllerCaller;
import io.dure.node.link.TlsControllerPort;
import io.dure.node.link.TokenIssuer;
import io.dure.protocol.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** The running daemon: its parts, put together, started and ended. */
final class Daemon implements AutoCloseable {
  /** Short, because a user may be made and submit at once. */
  private static final Duration USERS_REMEMBERED = Duration.ofSeconds(10);

  private final InstantSource clock = InstantSource.system();
  private final ProcFs proc = ProcFs.ofThisMachine();
  private final Instant started = clock.instant();
  private final AtomicReference<NodeSetup> setup;
  private final NodeConfiguration configuration;
  private final MachineHardware machine;
  private final Cgroups cgroups;
  private final Users users;
  private final Log log;
  private final NodeAgent agent;
  private final ControllerCaller caller;
  private final TokenIssuer desk;
  private final HealthChecker health;
  private final PidFile spoolLock;

  /** What a daemon is made from. */
  record Parts(
      NodeConfiguration configuration,
      NodeConfiguration.Loaded loaded,
      MachineHardware machine,
      ClusterKey key,
      Path shepherd,
      Path socket,
      boolean clearSpool,
      Log log) {}

  /**
   * Opens spool and socket and takes up what runs; talks to nobody yet.
   *
   * @throws IOException if one of them cannot be used
   */
  Daemon(Parts parts) throws IOException {
    NodeConfiguration.Loaded loaded = parts.loaded();
    NodeSetup first = loaded.setup();
    setup = new AtomicReference<>(first);
    configuration = parts.configuration();
    machine = parts.machine();
    log = parts.log();
    users = new Users(new LibcUserDatabase(), clock, USERS_REMEMBERED);
    cgroups = cgroups(first);
    String bootId = proc.bootId();
    CpuMap cpus =
        NodeCpus.of(CpuMap.of(machine.topology()), loaded.cluster().nodes(), first.node());
    StepStarter starter = new StepStarter(new Shepherd(parts.shepherd()), users, cpus, cgroups);
    NodeConfig dynamic = loaded.dynamic();
    Directories.ensure(first.spool(), 0755, null);
    spoolLock = lock(first);
    agent =
        new NodeAgent(
            first,
            starter,
            new NodeAgent.Surroundings(
                () -> facts(bootId),
                this::load,
                dynamic,
                bootId,
                users,
                log,
                Clocks.of(clock),
                this::end,
                this::reconfigure));
    if (parts.clearSpool()) {
      agent.clearSpool();
    }
    agent.restore();
    caller =
        new ControllerCaller(
            new TlsControllerPort(
                () -> setup.get().settings().controller(), parts.key(), first.nodeName(), clock),
            agent,
            log);
    health = new HealthChecker(setup::get, agent::isBusy, bootId, log);
    desk = TokenIssuer.open(parts.socket(), parts.key(), users, clock, log);
  }

  /** Two daemons over one spool would each take the other's runs for their own. */
  private static PidFile lock(NodeSetup setup) throws IOException {
    try {
      return PidFile.claim(setup.spool().resolve("slurmd.pid"));
    } catch (PidFile.AlreadyRunningException e) {
      throw new IOException(
          "SlurmdSpoolDir "
              + setup.spool()
              + " is in use by another slurmd ("
              + e.pid()
              + "): where several run on one machine, it must hold %n",
          e);
    }
  }

  /** Serves until {@link #end}. */
  void run() throws InterruptedException {
    caller.start();
    health.start();
    agent.run();
  }

  /** Asks the daemon to end; jobs go on. Any thread. */
  void end() {
    agent.stop();
  }

  /** Reads the configuration again; with errors in it the one in force stays. Any thread. */
  void reconfigure() {
    try {
      NodeConfiguration.Loaded loaded = configuration.load();
      loaded.remarks().forEach(log::verbose);
      setup.set(loaded.setup());
      users.forget();
      agent.configure(loaded.setup());
      log.info("configuration read again");
    } catch (StartException e) {
      String.valueOf(e.getMessage()).lines().forEach(log::error);
      log.error("the configuration in force stays");
    }
  }

  /** None where the configuration has processes followed and bound in another way. */
  private static Cgroups cgroups(NodeSetup setup) {
    Settings.Daemon settings = setup.settings().daemon();
    return settings.proctrackType().endsWith("cgroup") || settings.taskPlugins().contains("cgroup")
        ? Cgroups.detect(setup.groupName())
        : Cgroups.none("ProctrackType is " + settings.proctrackType());
  }

  private NodeFacts facts(String bootId) {
    CpuTopology.Shape shape = machine.shape();
    String shortcomings = cgroups.shortcomings();
    String confinement =
        shortcomings.isEmpty()
            ? "cgroup/" + cgroups.version().name().toLowerCase(Locale.ROOT)
            : shortcomings;
    return new NodeFacts(
        Version.DURE,
        machine.hostName(),
        null,
        machine.architecture(),
        machine.operatingSystem(),
        shape.cpus(),
        shape.sockets(),
        shape.coresPerSocket(),
        shape.threadsPerCore(),
        machine.memoryMib(),
        tmpDiskMib(),
        machine.gres(),
        machine.bootTime(),
        bootId,
        started,
        confinement,
        missingDevices());
  }

  /** Files of this node's devices that are not on this machine. */
  private List<String> missingDevices() {
    List<String> missing = new ArrayList<>();
    for (GresDevice device : setup.get().node().resources().devices()) {
      for (String file : device.file().split(",", -1)) {
        if (!file.isEmpty() && !Files.exists(Path.of(file))) {
          missing.add(device.file());
          break;
        }
      }
    }
    return missing;
  }

  private long tmpDiskMib() {
    Settings.Daemon settings = setup.get().settings().daemon();
    try {
      return FreeSpace.of(Path.of(setup.get().node().fill(settings.tmpFs()))).totalMib();
    } catch (IOException e) {
      return machine.tmpDiskMib();
    }
  }

  private NodeLoad load() {
    try {
      return new NodeLoad((int) Math.round(proc.loadAverage() * 100), proc.memory().freeMib());
    } catch (IOException e) {
      return new NodeLoad(0, 0);
    }
  }

  @Override
  public void close() throws IOException {
    health.close();
    caller.close();
    desk.close();
    spoolLock.close();
  }
}
