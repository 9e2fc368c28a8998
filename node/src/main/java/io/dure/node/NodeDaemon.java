package io.dure.node;

import io.dure.host.log.DaemonLog;
import io.dure.host.process.EnergyMeter;
import io.dure.host.process.MachineHardware;
import io.dure.host.process.MachineLoad;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessAffinity;
import io.dure.host.relay.RelayServer;
import io.dure.host.script.ScriptResult;
import io.dure.host.script.ScriptRun;
import io.dure.host.storage.DirectoryCreator;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.LibcUserDatabase;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.step.CgroupSettings;
import io.dure.model.gres.GresDevice;
import io.dure.model.node.CommandLineFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.node.agent.DaemonClocks;
import io.dure.node.agent.DaemonEnvironment;
import io.dure.node.agent.HealthChecker;
import io.dure.node.agent.NodeDaemonLoop;
import io.dure.node.cgroup.CgroupMounts;
import io.dure.node.cgroup.Cgroups;
import io.dure.node.cgroup.CoreToCpuMap;
import io.dure.node.cgroup.NoCgroups;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.job.StepStarter;
import io.dure.node.job.TaskStarter;
import io.dure.node.launch.Shepherd;
import io.dure.node.link.ControllerLink;
import io.dure.node.link.TlsControllerEndpoint;
import io.dure.node.link.TokenIssuer;
import io.dure.node.peer.Peers;
import io.dure.node.peer.TlsNodePeerLinks;
import io.dure.node.space.JobSpaces;
import io.dure.node.usage.GpuMeter;
import io.dure.node.usage.NodeMeters;
import io.dure.protocol.step.NodePeerMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The running daemon: its parts, put together, started and ended. */
final class NodeDaemon implements AutoCloseable {
  /** Short, because a user may be made and submit at once. */
  private static final Duration USERS_REMEMBERED = Duration.ofSeconds(10);

  private static final EnergyMeter.Watts NO_POWER = new EnergyMeter.Watts(0, 0);

  private static final Path ENERGY = Path.of("/sys/class/powercap");

  /** Counters of energy come to their end sooner than that only where a machine takes 4 kW. */
  private static final Duration COUNTED = Duration.ofMinutes(1);

  private final EnergyMeter energy = new EnergyMeter(ENERGY);

  private final InstantSource clock = InstantSource.system();
  private final ProcFs proc = ProcFs.ofThisMachine();
  private final MachineLoad.Probe machineLoad = new MachineLoad.Probe();
  private final Instant started = clock.instant();
  private final AtomicReference<NodeLocalConfig> setup;
  private final NodeConfigLoader configuration;
  private final MachineHardware machine;
  private final Cgroups cgroups;
  private final CachedUserDatabase users;
  private final DaemonLog log;
  private final NodeDaemonLoop agent;
  private final ControllerLink caller;
  private final TokenIssuer desk;
  private final HealthChecker health;
  private final GpuHealth gpuHealth;
  private final RelayServer relays;
  private final TlsNodePeerLinks peers;
  private volatile ClusterConfig cluster;
  private final PidFile spoolLock;
  private final JobSpaces spaces;

  /**
   * What a daemon is made from.
   *
   * @param heap that of this process
   */
  record DaemonParts(
      NodeConfigLoader configuration,
      NodeConfigLoader.Loaded loaded,
      MachineHardware machine,
      MachineGpus gpus,
      ClusterKey key,
      Path shepherd,
      Path socket,
      boolean clearSpool,
      CommandLineFacts told,
      SharedHeap heap,
      DaemonLog log) {}

  /**
   * Opens spool and socket and takes up what runs; no communication yet.
   *
   * @throws IOException if one of them cannot be used
   */
  NodeDaemon(DaemonParts parts) throws IOException {
    NodeConfigLoader.Loaded loaded = parts.loaded();
    NodeLocalConfig first = loaded.setup();
    setup = new AtomicReference<>(first);
    configuration = parts.configuration();
    machine = parts.machine();
    log = parts.log();
    users = new CachedUserDatabase(new LibcUserDatabase(), clock, USERS_REMEMBERED);
    cgroups = cgroups(first);
    checkDevices(first);
    String bootId = proc.bootId();
    CoreToCpuMap cpus =
        NodeCoreAssignment.of(
            CoreToCpuMap.of(machine.topology()), loaded.cluster().nodes(), first.node());
    StepStarter starter =
        new StepStarter(new Shepherd(parts.shepherd()), users, cpus, cgroups, log);
    keepOff(first, cpus);
    DirectoryCreator.ensure(first.spool(), 0755, null);
    spoolLock = lock(first);
    spaces = spaces(first, parts.shepherd().resolveSibling("job-space"));
    starter.runIn(spaces, !first.settings().steps().cgroup().signalsChildren());
    agent =
        new NodeDaemonLoop(
            first,
            starter,
            new TaskStarter(starter, users, cgroups),
            parts.shepherd().resolveSibling("spawner"),
            environment(loaded.dynamic(), bootId, cpus, parts));
    if (parts.clearSpool()) {
      agent.clearSpool();
    }
    agent.restore();
    caller =
        new ControllerLink(
            new TlsControllerEndpoint(
                () -> setup.get().settings(), parts.key(), first.nodeName(), clock),
            agent,
            log);
    health = new HealthChecker(setup::get, agent::isBusy, bootId, log);
    gpuHealth = new GpuHealth(parts.gpus(), this::autoDetect, agent::unfit, log);
    cluster = loaded.cluster();
    peers =
        new TlsNodePeerLinks(
            first.nodeName(), parts.key(), this::addressOf, agent.peers(), clock, log);
    relays =
        new RelayServer(
            first.nodeName(),
            parts.key(),
            first.spool().resolve(NodeDaemonLoop.STEP_SOCKET),
            peers,
            clock,
            log);
    desk =
        TokenIssuer.open(
            parts.socket(),
            new TokenIssuer.Signature(parts.key(), machine.hostName()),
            users,
            clock,
            log);
  }

  private DaemonEnvironment environment(
      @Nullable NodeConfig dynamic, String bootId, CoreToCpuMap cpus, DaemonParts parts) {
    NodeFactsReader reader =
        new NodeFactsReader(
            setup::get, machine, parts.gpus(), cgroups, cpus, started, bootId, parts.told());
    return new DaemonEnvironment(
        reader::facts,
        this::load,
        new NodeMeters(new GpuMeter(parts.gpus()::processes, log), energy),
        dynamic,
        bootId,
        users,
        log,
        DaemonClocks.of(clock),
        Peers.over(this::tellPeer),
        this::end,
        this::reconfigure,
        this::reboot,
        parts.heap()::share,
        parts.heap()::giveBack);
  }

  private String autoDetect() {
    return setup.get().node().resources().autoDetect();
  }

  private boolean tellPeer(String node, NodePeerMessage message) {
    return peers.send(node, message);
  }

  private @Nullable InetSocketAddress addressOf(String node) {
    NodeConfig found = cluster.node(node);
    return found == null ? null : new InetSocketAddress(found.address(), found.port());
  }

  /** With {@code TaskPluginParam=SlurmdOffSpec} the cores that jobs do not get stay free of it. */
  private void keepOff(NodeLocalConfig now, CoreToCpuMap cpus) {
    List<Integer> kept = now.node().specializedCores();
    if (!now.settings().steps().daemonOffSpecialized() || kept.isEmpty() || cpus.isEmulated()) {
      return;
    }
    TreeSet<Integer> others = new TreeSet<>();
    for (int core = 0; core < cpus.claimedCores(); core++) {
      if (!kept.contains(core)) {
        others.addAll(cpus.cpus(List.of(core)));
      }
    }
    try {
      ProcessAffinity.confine(others);
    } catch (IOException e) {
      log.error("slurmd also runs on the cores that are kept from jobs: " + e.getMessage());
    }
  }

  /** Two daemons over one spool would each take the other's runs for their own. */
  private static PidFile lock(NodeLocalConfig setup) throws IOException {
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
    if (setup.get().settings().rules().energySampling() != null && !energy.isReadable()) {
      log.error(
          "AcctGatherEnergyType: " + ENERGY + " has no counters: what jobs take is told as 0");
    }
    caller.start();
    health.start();
    gpuHealth.start();
    listen();
    agent.run();
  }

  /** At the node's own address alone where the site wants that. */
  private void listen() {
    NodeConfig node = setup.get().node();
    InetAddress address = null;
    if (setup.get().settings().controller().ownAddressOnly()) {
      try {
        address = InetAddress.getByName(node.address());
      } catch (UnknownHostException e) {
        log.error(
            "address "
                + node.address()
                + " is not known here, so steps of other machines do not reach this node"
                + " (NoInAddrAny): correct NodeAddr");
        return;
      }
    }
    relays.start(address, node.port());
  }

  /** Asks the daemon to end; jobs go on. Any thread. */
  void end() {
    agent.stop();
  }

  /** Reads the configuration again; with errors in it the one in force stays. Any thread. */
  void reconfigure() {
    try {
      NodeConfigLoader.Loaded loaded = configuration.load();
      loaded.remarks().forEach(log::info);
      setup.set(loaded.setup());
      cluster = loaded.cluster();
      users.forget();
      agent.configure(loaded.setup());
      log.configure(loaded.setup().settings());
      log.info("configuration reloaded");
    } catch (IOException e) {
      log.error("the log file cannot be closed to others (PrivateData): " + e.getMessage());
    } catch (DaemonStartException e) {
      String.valueOf(e.getMessage()).lines().forEach(log::error);
      log.error("reconfigure failed, still using the active configuration");
    }
  }

  /** Runs RebootProgram, which boots the machine when it sees fit. */
  private void reboot() {
    String program = setup.get().settings().daemon().rebootProgram();
    if (program.isEmpty()) {
      log.error("the controller wants a reboot, but there is no RebootProgram");
      return;
    }
    log.info("running RebootProgram " + program);
    Map<String, String> environment = new TreeMap<>();
    environment.put("SLURM_CONF", setup.get().confPath());
    environment.put("SLURMD_NODENAME", setup.get().nodeName());
    ScriptRun run = new ScriptRun("RebootProgram", List.of(program), environment, null, null);
    Thread.ofVirtual()
        .name("reboot")
        .start(() -> {
          try {
            if (run.run() instanceof ScriptResult.Failed(String reason)) {
              log.error(reason);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** A site that keeps jobs from each other's devices would not notice that they are not. */
  private void checkDevices(NodeLocalConfig first) throws IOException {
    if (!first.settings().steps().constrainsDevices()) {
      return;
    }
    String shortcomings = cgroups.deviceShortcomings();
    if (!shortcomings.isEmpty()) {
      throw new IOException("ConstrainDevices=yes in cgroup.conf cannot be kept: " + shortcomings);
    }
    TreeSet<String> open = new TreeSet<>();
    for (GresDevice device : first.node().resources().devices()) {
      if (device.file().isEmpty()) {
        open.add(device.name());
      }
    }
    if (!open.isEmpty()) {
      log.error(
          "every job can open devices of "
              + String.join(", ", open)
              + " in spite of ConstrainDevices=yes in cgroup.conf: name their files in gres.conf");
    }
  }

  /** What each job has for itself, if the site wants that. */
  private JobSpaces spaces(NodeLocalConfig first, Path program) throws IOException {
    Map<String, String> environment =
        Map.of("SLURM_CONF", first.confPath(), "SLURMD_NODENAME", first.nodeName());
    JobSpaces opened = JobSpaces.open(first.container(), program, environment);
    String covering = opened.covering(first.spool());
    if (covering != null) {
      log.error(
          "batch jobs do not find their scripts: SlurmdSpoolDir "
              + first.spool()
              + " lies in "
              + covering
              + ", which each job has for itself (job_container.conf)");
    }
    return opened;
  }

  /** None where the configuration has processes followed and bound in another way. */
  private static Cgroups cgroups(NodeLocalConfig setup) throws IOException {
    ClusterSettings.Daemon settings = setup.settings().daemon();
    CgroupSettings wanted = setup.settings().steps().cgroup();
    if (!settings.proctrackType().endsWith("cgroup")
        && !settings.taskPlugins().contains("cgroup")) {
      return new NoCgroups("ProctrackType is " + settings.proctrackType());
    }
    Cgroups found = CgroupMounts.detect(setup.groupName(), wanted);
    Cgroups.Version version =
        switch (wanted.plugin()) {
          case V1 -> Cgroups.Version.V1;
          case V2 -> Cgroups.Version.V2;
          case AUTODETECT, DISABLED -> found.version();
        };
    if (version != found.version()) {
      throw new IOException(
          "the control groups that CgroupPlugin in cgroup.conf names cannot be had: "
              + found.shortcomings());
    }
    return found;
  }

  private EnergyMeter.Watts power(Duration every) {
    Instant now = clock.instant();
    if (every.isZero()) {
      energy.watts(now, COUNTED);
      return NO_POWER;
    }
    return energy.watts(now, every);
  }

  private NodeMetrics load() {
    try {
      Duration every = setup.get().settings().rules().energySampling();
      EnergyMeter.Watts watts = every == null ? NO_POWER : power(every);
      MachineLoad now = machineLoad.now();
      return new NodeMetrics(
          (int) Math.round(now.loadAverage() * 100),
          now.freeMib(),
          watts.current(),
          watts.average(),
          gpuHealth.now());
    } catch (IOException e) {
      return new NodeMetrics(0, 0, 0, 0, gpuHealth.now());
    }
  }

  @Override
  public void close() throws IOException {
    health.close();
    gpuHealth.close();
    caller.close();
    desk.close();
    relays.close();
    peers.close();
    cgroups.leave();
    spaces.close();
    spoolLock.close();
  }
}
