package io.dure.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.process.ProcFs;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.PasswdEntry;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.command.Command;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeGpu;
import io.dure.node.agent.FakeController;
import io.dure.node.agent.TestJob;
import io.dure.node.agent.TestNode;
import io.dure.node.cgroup.CgroupMounts;
import io.dure.node.cgroup.Cgroups;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.LocalReply;
import io.dure.protocol.LocalRequest;
import io.dure.protocol.WireCodecs;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon as a process: how it starts, is killed, starts again, and ends. */
@Tag("process")
class SlurmdTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir private Path root;
  private final FakeController controller = new FakeController();
  private ClusterTrust trust;
  private TlsFront front;

  @BeforeEach
  void begin() throws Exception {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(work());
    Files.setPosixFilePermissions(work(), PosixFilePermissions.fromString("rwxrwxrwx"));
    ClusterTrust.TrustLocations place =
        new ClusterTrust.TrustLocations(
            root.resolve("dure.key"), root.resolve("tls"), "test", "host", null);
    trust = ClusterTrust.open(place, CurrentProcess.effectiveUid(), Instant.now());
    front = new TlsFront(trust.ca().serverContext(), trust.key(), controller);
    configure("");
  }

  @AfterEach
  void end() throws Exception {
    front.close();
    TestNode.killAllOf(root);
  }

  private Path work() {
    return root.resolve("work");
  }

  private Path conf() {
    return root.resolve("slurm.conf");
  }

  private void configure(String lines) throws IOException {
    Files.writeString(
        conf(),
        """
        ClusterName=test
        SlurmctldHost=localhost(127.0.0.1)
        SlurmctldPort=%d
        SlurmUser=root
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        SlurmdSpoolDir=%2$s/spool/%%n
        SlurmdPidFile=%2$s/node-%%n.pid
        SlurmdLogFile=%2$s/node-%%n.log
        NodeName=n1 NodeHostname=nowhere CPUs=1 RealMemory=100
        PartitionName=main Nodes=ALL Default=YES
        """
                .formatted(front.port(), root)
            + lines);
  }

  private SlurmdProcess start(String... more) throws IOException {
    String[] options = new String[4 + more.length];
    options[0] = "-f";
    options[1] = conf().toString();
    options[2] = "-N";
    options[3] = "n1";
    System.arraycopy(more, 0, options, 4, more.length);
    return SlurmdProcess.start(root, options);
  }

  private UserIdentity owner() {
    CachedUserDatabase users = CachedUserDatabase.ofThisMachine();
    PasswdEntry account =
        CurrentProcess.effectiveUid() == 0 ? users.userByName("nobody") : users.currentUser();
    return new UserIdentity(account.uid(), account.gid(), account.name(), "group");
  }

  private TestJob job(int id, String body) {
    return new TestJob(id, body, work(), owner());
  }

  /** How the script of a job ended. */
  private ExitStatus exit(int job) throws Exception {
    StepEnd end = controller.hear(Command.StepEnded.class, news -> news.jobId() == job).end();
    return assertInstanceOf(StepEnd.Ran.class, end).exit();
  }

  @Test
  void killedDaemonLosesNothing() throws Exception {
    Job goesOn = job(40, "while [ ! -e gate ]; do sleep 0.02; done; exit 5").build();
    Job endsMeanwhile = job(41, "while [ ! -e gap ]; do sleep 0.02; done; exit 6").build();
    try (SlurmdProcess first = start().awaitReady()) {
      assertTrue(controller.registration().runs().isEmpty());
      assertEquals("NODE n1", front.lastCaller);
      controller.send(new ControllerToNodeMessage.Welcome(List.of()));
      controller.launch(goesOn);
      controller.launch(endsMeanwhile);
      controller.next(Command.StepLaunched.class);
      controller.next(Command.StepLaunched.class);
      first.signal("KILL");
      first.awaitEnd();
    }
    Files.createFile(work().resolve("gap"));
    try (SlurmdProcess second = start().awaitReady()) {
      assertEquals(2, controller.welcomeAll().size());
      assertEquals(new ExitStatus(6, 0), exit(41));
      Files.createFile(work().resolve("gate"));
      assertEquals(new ExitStatus(5, 0), exit(40));
      second.signal("TERM");
      assertEquals(0, second.awaitEnd());
      assertFalse(Files.exists(root.resolve("node-n1.pid")));
      assertFalse(Files.exists(root.resolve("node-n1.sock")));
    }
  }

  @Test
  void vouchesForWhomTheKernelNames() throws Exception {
    try (SlurmdProcess _ = start().awaitReady()) {
      Path socket = root.resolve("node-n1.sock");
      try (Connection connection = ConnectionFactory.unix(socket, LIMIT)) {
        connection.sendMagic(WireCodecs.LOCAL_MAGIC);
        connection.send(WireCodecs.localRequests().encode(new LocalRequest.UserToken("0.1.0")));
        var reply =
            assertInstanceOf(
                LocalReply.Token.class, WireCodecs.localReplies().decode(connection.receive()));
        var verdict =
            assertInstanceOf(
                AuthToken.Verdict.Valid.class,
                AuthToken.verify(reply.token(), trust.key(), Instant.now(), Duration.ZERO));
        assertEquals(AuthToken.Kind.USER, verdict.token().kind());
        assertEquals(CurrentProcess.effectiveUid(), verdict.token().uid());
      }
    }
  }

  @Test
  void garbageAtItsSocketDisturbsNobody() throws Exception {
    Random random = new Random(1);
    try (SlurmdProcess slurmd = start().awaitReady()) {
      controller.welcomeAll();
      for (int i = 0; i < 100; i++) {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        if (i % 2 == 0 && bytes.length > 4) {
          ByteBuffer.wrap(bytes).putInt(WireCodecs.LOCAL_MAGIC);
        }
        try (SocketChannel channel =
            SocketChannel.open(UnixDomainSocketAddress.of(root.resolve("node-n1.sock")))) {
          channel.write(ByteBuffer.wrap(bytes));
        } catch (IOException e) {
          // It may hang up in the middle.
        }
      }
      controller.launch(job(42, "exit 1").build());
      controller.hear(Command.StepEnded.class, _ -> true);
      slurmd.signal("INT");
      assertEquals(0, slurmd.awaitEnd());
    }
  }

  @Test
  void onlyOneOfTheSameNode() throws Exception {
    try (SlurmdProcess _ = start().awaitReady();
        SlurmdProcess second = start()) {
      assertEquals(1, second.awaitEnd());
      assertTrue(
          second.errors().contains("slurmd: fatal: slurmd is already running"), second.errors());
    }
  }

  @Test
  void clearedSpoolLeavesNothingRunning() throws Exception {
    Path output = work().resolve("out-45");
    try (SlurmdProcess first = start().awaitReady()) {
      controller.welcomeAll();
      controller.launch(job(45, "echo $$; exec sleep 600").build());
      controller.next(Command.StepLaunched.class);
      while (!Files.exists(output) || Files.size(output) == 0) {
        Thread.onSpinWait();
      }
      first.signal("KILL");
      first.awaitEnd();
    }
    try (SlurmdProcess _ = start("-c").awaitReady()) {
      assertTrue(controller.welcomeAll().isEmpty());
      int pid = Integer.parseInt(Files.readString(output).strip());
      assertFalse(ProcFs.ofThisMachine().isAlive(pid));
    }
  }

  @Test
  void twoNodesDoNotShareASpool() throws Exception {
    Files.writeString(
        conf(),
        Files.readString(conf()).replace("/spool/%n", "/spool")
            + "NodeName=n2 NodeHostname=nowhere CPUs=1 RealMemory=100\n");
    try (SlurmdProcess _ = start().awaitReady();
        SlurmdProcess second = SlurmdProcess.start(root, "-f", conf().toString(), "-N", "n2")) {
      assertEquals(1, second.awaitEnd());
      assertTrue(second.errors().contains("it must hold %n"), second.errors());
    }
  }

  @Test
  void readsItsConfigurationAgain() throws Exception {
    try (SlurmdProcess slurmd = start().awaitReady()) {
      controller.welcomeAll();
      Path epilog = root.resolve("epilog");
      Files.writeString(epilog, "#!/bin/sh\nexit 3\n");
      Files.setPosixFilePermissions(epilog, PosixFilePermissions.fromString("rwxr-xr-x"));
      configure("Epilog=" + epilog + "\n");
      slurmd.signal("HUP");
      controller.welcomeAll();
      controller.launch(job(43, "true").build());
      assertTrue(controller.next(Command.StepLaunched.class).jobId() == 43);
      controller.next(Command.StepEnded.class);
      assertTrue(
          controller.next(Command.NodeCleaned.class).epilogError().contains("exit status 3"));
      configure("Nonsense\n");
      slurmd.signal("HUP");
      controller.send(new ControllerToNodeMessage.Reconfigure());
      controller.launch(job(44, "true").build());
      controller.hear(Command.NodeCleaned.class, news -> news.jobId() == 44);
      controller.send(new ControllerToNodeMessage.Shutdown());
      assertEquals(0, slurmd.awaitEnd());
    }
  }

  @Test
  void refusesToStartOnWhatIsWrong() throws Exception {
    refused("there is no node n9 in " + conf(), "-f", conf().toString(), "-N", "n9");
    refused("no node in " + conf() + " has the host name", "-f", conf().toString());
    refused("there is no configuration file /nowhere/slurm.conf", "-f", "/nowhere/slurm.conf");
    configure("NodeName=n2 CPUs=many\n");
    refused("the configuration has errors", "-f", conf().toString(), "-N", "n1");
    configure("");
    Files.writeString(root.resolve("spool"), "in the way");
    refused("spool", "-f", conf().toString(), "-N", "n1");
    Files.delete(root.resolve("spool"));
    Files.delete(root.resolve("dure.key"));
    refused(
        "there is no cluster key " + root.resolve("dure.key"), "-f", conf().toString(), "-N", "n1");
  }

  @Test
  void keepsJobsFromDevicesOrSaysThatItDoesNot() throws Exception {
    Files.writeString(
        conf(),
        Files.readString(conf())
            .replace("task/none", "task/cgroup\nGresTypes=gpu")
            .replace("CPUs=1", "Gres=gpu:1 CPUs=1"));
    Files.writeString(root.resolve("cgroup.conf"), "ConstrainDevices=yes\n");
    Cgroups cgroups = CgroupMounts.detect("test" + ProcessHandle.current().pid());
    String shortcomings = cgroups.deviceShortcomings();
    cgroups.leave();
    if (!shortcomings.isEmpty()) {
      String reason = "ConstrainDevices=yes in cgroup.conf cannot be kept: ";
      refused(reason, "-f", conf().toString(), "-N", "n1");
      return;
    }
    try (SlurmdProcess _ = start().awaitReady()) {
      String log = Files.readString(root.resolve("node-n1.log"));
      assertTrue(log.contains("every job can open devices of gpu in spite of"), log);
    }
  }

  @Test
  void leavesNoControlGroupWhenItStops() throws Exception {
    Files.writeString(conf(), Files.readString(conf()).replace("task/none", "task/cgroup"));
    List<Path> groups;
    try (SlurmdProcess slurmd = start().awaitReady()) {
      controller.welcomeAll();
      controller.launch(job(46, "cat /proc/self/cgroup > groups").build());
      assertTrue(controller.hear(Command.StepEnded.class, news -> news.jobId() == 46).clean());
      groups = nodeGroups(Files.readAllLines(work().resolve("groups")));
      slurmd.signal("TERM");
      assertEquals(0, slurmd.awaitEnd());
    }
    assumeFalse(groups.isEmpty(), "no control groups that this user may make");
    assertEquals(List.of(), groups.stream().filter(Files::exists).toList());
  }

  /** The node's groups above those of a step; a line is {@code 4:memory:/dure/n1/job_1/step_0}. */
  private static List<Path> nodeGroups(List<String> lines) {
    return lines.stream()
        .filter(line -> line.contains("/dure/"))
        .map(line -> line.split(":", 3))
        .flatMap(line ->
            Stream.of(line[1], "unified")
                .map(tree -> "/sys/fs/cgroup/" + tree + line[2].replaceFirst("/job_.*", "")))
        .distinct()
        .map(Path::of)
        .toList();
  }

  /** The GPUs are directories: see gpu_tree.c. */
  @Test
  void tellsWhatDriversTell() throws Exception {
    Path library = Files.createDirectory(root.resolve("lib"));
    String file = library.resolve("libnvidia-ml.so.1").toString();
    Process compiler =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-o", file, "../host/src/test/c/gpu_tree.c")
            .inheritIO()
            .start();
    assertEquals(0, compiler.waitFor());
    Path gpu = Files.createDirectories(root.resolve("gpus/0"));
    Files.writeString(gpu.resolve("name"), "NVIDIA L40S\n");
    Files.writeString(gpu.resolve("minor"), "0\n");
    Files.writeString(gpu.resolve("uuid"), "GPU-0\n");
    Files.writeString(gpu.resolve("xid"), "79\n");
    Files.writeString(root.resolve("gres.conf"), "AutoDetect=nvml\n");
    Files.writeString(
        conf(),
        Files.readString(conf())
            .replace("task/none", "task/none\nGresTypes=gpu")
            .replace("CPUs=1", "Gres=gpu:l40s:2 CPUs=1"));
    Map<String, String> environment =
        Map.of("LD_LIBRARY_PATH", library.toString(), "GPU_TREE", root.resolve("gpus").toString());
    try (SlurmdProcess _ =
        SlurmdProcess.start(root, environment, "-f", conf().toString(), "-N", "n1").awaitReady()) {
      NodeFacts facts = controller.registration().facts();
      assertEquals(
          List.of("gpu:1"),
          facts.missingDevices().stream().filter(name -> !name.startsWith("/dev/")).toList());
      NodeGpu told = facts.gpus().getFirst();
      assertEquals("nvml nvidia_l40s GPU-0", told.driver() + " " + told.type() + " " + told.uuid());
      controller.send(new ControllerToNodeMessage.Welcome(List.of()));
      assertTrue(controller.next(Command.NodeUnfit.class).reason().endsWith("XID 79"));
      String log = Files.readString(root.resolve("node-n1.log"));
      assertTrue(log.contains("NVML, driver that is a directory tree, no GPU is real"), log);
    }
  }

  @Test
  void filesStandInForGpus() throws Exception {
    Path tree = root.resolve("gpus");
    for (int gpu = 0; gpu < 2; gpu++) {
      Path folder = Files.createDirectories(tree.resolve("" + gpu));
      Files.writeString(folder.resolve("type"), "NVIDIA L40S\n");
      Files.writeString(folder.resolve("uuid"), "GPU-" + gpu + "\n");
      Files.writeString(folder.resolve("links"), gpu == 0 ? "-1,2" : "2,-1");
    }
    Files.writeString(tree.resolve("1/health"), "it smells\n");
    Files.writeString(root.resolve("gres.conf"), "AutoDetect=nvml\n");
    Files.writeString(
        conf(),
        Files.readString(conf())
            .replace("task/none", "task/none\nGresTypes=gpu")
            .replace("CPUs=1", "Gres=gpu:l40s:2 CPUs=1"));
    Map<String, String> environment = Map.of("DURE_GPU_TREE", tree.toString());
    try (SlurmdProcess _ =
        SlurmdProcess.start(root, environment, "-f", conf().toString(), "-N", "n1").awaitReady()) {
      NodeFacts facts = controller.registration().facts();
      assertEquals(List.of(), facts.missingDevices());
      assertEquals(
          List.of("files GPU-0 [-1, 2]", "files GPU-1 [2, -1]"),
          facts.gpus().stream()
              .map(gpu -> gpu.driver() + " " + gpu.uuid() + " " + gpu.links())
              .toList());
      controller.send(new ControllerToNodeMessage.Welcome(List.of()));
      assertEquals("GPU GPU-1: it smells", controller.next(Command.NodeUnfit.class).reason());
      String log = Files.readString(root.resolve("node-n1.log"));
      assertTrue(log.contains("which stand in for GPUs: no real device is behind them"), log);
    }
    try (SlurmdProcess slurmd = SlurmdProcess.start(root, environment, "-G")) {
      assertEquals(0, slurmd.awaitEnd());
      assertTrue(slurmd.output().contains(" Index=1 "));
    }
  }

  private void refused(String reason, String... options) throws Exception {
    try (SlurmdProcess slurmd = SlurmdProcess.start(root, options)) {
      assertEquals(1, slurmd.awaitEnd());
      String errors = slurmd.errors();
      assertTrue(errors.contains("slurmd: fatal: ") && errors.contains(reason), errors);
    }
  }

  @Test
  void dynamicNodeDescribesItself() throws Exception {
    try (SlurmdProcess slurmd =
        SlurmdProcess.start(
            root, "-f", conf().toString(), "-Z", "-N", "d7", "--conf", "CPUs=3 Feature=fast")) {
      slurmd.awaitReady();
      var own = controller.registration().dynamic();
      assertEquals("d7", own.name());
      assertEquals(3, own.shape().cpus());
      assertEquals(List.of("fast"), own.features());
      assertTrue(own.realMemoryMib() > 1);
      assertEquals("NODE d7", front.lastCaller);
    }
  }
}
