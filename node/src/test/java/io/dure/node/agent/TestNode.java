package io.dure.node.agent;

import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.process.CpuTopology;
import io.dure.host.process.EnergyMeter;
import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.PasswdEntry;
import io.dure.model.UserIdentity;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.node.cgroup.Cgroups;
import io.dure.node.cgroup.CoreToCpuMap;
import io.dure.node.cgroup.NoCgroups;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.job.StepStarter;
import io.dure.node.job.TaskStarter;
import io.dure.node.launch.Shepherd;
import io.dure.node.link.ControllerEndpoint;
import io.dure.node.link.ControllerLink;
import io.dure.node.peer.Peers;
import io.dure.node.usage.GpuMeter;
import io.dure.node.usage.NodeMeters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A node of one machine, which tests start, stop and start again over one spool. */
public final class TestNode {
  private static final Path PROGRAM = Path.of("target/shepherd").toAbsolutePath();

  private static final CpuTopology ONE_CPU = new CpuTopology(List.of(new CpuTopology.Cpu(0, 0, 0)));

  private final Path root;
  private final CachedUserDatabase users = CachedUserDatabase.ofThisMachine();
  private final List<String> lines;
  String acctGatherConf = "";
  String gresConf = "";
  String gres = "";
  String bootId = "boot-1";
  Cgroups cgroups = new NoCgroups("a test");
  Path shepherd = PROGRAM;
  Path sysCpu = Path.of("/sys/devices/system/cpu");
  DaemonClocks clocks = DaemonClocks.of(InstantSource.system());

  /** How often the daemon gave memory back. */
  final AtomicInteger givenBack = new AtomicInteger();

  private NodeDaemonLoop agent;
  private ControllerLink caller;
  private Thread loop;

  /** What processes have of GPUs, where the configuration has {@code AutoDetect}. */
  GpuMeter.Processes gpus = _ -> null;

  /** A node of a configuration with these lines besides what a node needs. */
  TestNode(Path root, String... lines) throws IOException {
    this.root = root;
    this.lines = List.of(lines);
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(work());
    Files.setPosixFilePermissions(work(), PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  /** Where jobs run. */
  Path work() {
    return root.resolve("work");
  }

  /** Stands in for the machine's counters of energy. */
  Path counters() {
    return root.resolve("powercap");
  }

  Path spool() {
    return root.resolve("spool");
  }

  Path runDirectory(TestJob job) {
    return spool().resolve("runs").resolve(job.id + "." + job.run);
  }

  /** Nobody, or the user of the test where that is not root. */
  UserIdentity owner() {
    boolean root = CurrentProcess.effectiveUid() == 0;
    PasswdEntry account = root ? users.userByName("nobody") : users.currentUser();
    return new UserIdentity(account.uid(), account.gid(), account.name(), "group");
  }

  String conf() {
    return "ClusterName=test\nSlurmctldHost=localhost\nTaskPlugin=task/none\n"
        + "SlurmdSpoolDir="
        + spool()
        + "\nNodeName=n1 CPUs=1 RealMemory=1000"
        + gres
        + "\nNodeName=n2 CPUs=1 RealMemory=1000\n"
        + "PartitionName=main Nodes=ALL Default=YES\n"
        + String.join("\n", lines)
        + "\n";
  }

  NodeLocalConfig setup() {
    Map<String, String> files =
        Map.of(
            "/etc/slurm/slurm.conf",
            conf(),
            "/etc/slurm/acct_gather.conf",
            acctGatherConf,
            "/etc/slurm/gres.conf",
            gresConf);
    ClusterConfig config = SlurmConfParser.parse("/etc/slurm/slurm.conf", files::get).config();
    return new NodeLocalConfig(config.path(), config.node("n1"), config.settings());
  }

  /** Starts a daemon over the spool. */
  void start(ControllerEndpoint controller) throws IOException {
    DaemonLog log =
        DaemonLog.toStream(
            System.err, LogLevel.INFO, InstantSource.system(), ZoneId.systemDefault());
    StepStarter starter =
        new StepStarter(
            new Shepherd(shepherd), users, CoreToCpuMap.of(ONE_CPU), cgroups, log, sysCpu);
    agent =
        new NodeDaemonLoop(
            setup(),
            starter,
            new TaskStarter(starter, users, cgroups),
            shepherd.resolveSibling("spawner"),
            new DaemonEnvironment(
                TestNode::facts,
                () -> new NodeMetrics(5, 100),
                new NodeMeters(new GpuMeter(gpus, log), new EnergyMeter(counters())),
                null,
                bootId,
                users,
                log,
                clocks,
                Peers.NONE,
                () -> agent.stop(),
                () -> agent.configure(setup()),
                () -> {},
                () -> 0,
                givenBack::incrementAndGet));
    agent.restore();
    loop = Thread.ofPlatform().name("node loop").start(this::loop);
    caller = new ControllerLink(controller, agent, log);
    caller.start();
  }

  /** How long the daemon sleeps now, if nothing is told. */
  Duration patience() {
    return agent.patience();
  }

  private void loop() {
    try {
      agent.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the daemon without telling anybody; its steps live on. */
  void stop() throws InterruptedException {
    if (loop != null) {
      caller.close();
      agent.stop();
      loop.join();
      loop = null;
    }
  }

  /** Ends the daemon and every process that a test which failed has left behind. */
  void end() throws InterruptedException {
    stop();
    killAllOf(root);
  }

  /** Kills all processes whose command line names a file of that directory. */
  public static void killAllOf(Path directory) {
    ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(directory.toString()))
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .forEach(ProcessHandle::destroyForcibly);
  }

  /** Waits for the daemon to end by itself. */
  void awaitEnd() throws InterruptedException {
    loop.join();
    loop = null;
    caller.close();
  }

  private static NodeFacts facts() {
    return new NodeFacts(
        "0.1.0",
        "host",
        null,
        "x86_64",
        "Linux",
        1,
        1,
        1,
        1,
        1000,
        1000,
        List.of(),
        Instant.EPOCH,
        "boot-1",
        Instant.EPOCH,
        "none",
        List.of(),
        List.of(),
        List.of(),
        null);
  }
}
