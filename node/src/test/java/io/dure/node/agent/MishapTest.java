package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.process.ProcFs;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.request.PropagatedRlimit;
import io.dure.node.cgroup.CgroupMounts;
import io.dure.node.cgroup.Cgroups;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPLogger;

/** What can go wrong on a node, and what becomes of jobs then. */
@Tag("process")
class MishapTest {
  @TempDir private Path root;
  private final FakeController controller = new FakeController();
  private TestNode node;

  @AfterEach
  void end() throws Exception {
    node.end();
  }

  private void begin() throws Exception {
    node = new TestNode(root);
    node.start(controller);
    controller.welcomeAll();
  }

  private static boolean isAlive(String pid) {
    return ProcFs.ofThisMachine().isAlive(Integer.parseInt(pid.strip()));
  }

  @Test
  void spoolThatTakesNothingRefusesJobs() throws Exception {
    begin();
    Path runs = node.spool().resolve("runs");
    Files.delete(runs);
    Files.writeString(runs, "in the way");
    controller.launch(new TestJob(50, "true", node).build());
    var ended = controller.next(Command.StepEnded.class);
    assertTrue(ended.clean());
    String text = assertInstanceOf(StepEnd.NodeFault.class, ended.end()).text();
    assertEquals("SlurmdSpoolDir: Not a directory: " + runs.resolve("50.1"), text);
    Files.delete(runs);
    Files.createDirectory(
        runs, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x")));
    controller.launch(new TestJob(51, "true", node).build());
    controller.next(Command.StepLaunched.class);
    controller.next(Command.StepEnded.class);
  }

  @Test
  void nodeWithoutAShepherdSaysThatItIsAtFault() throws Exception {
    node = new TestNode(root);
    node.shepherd = root.resolve("gone");
    node.start(controller);
    controller.welcomeAll();
    controller.launch(new TestJob(64, "true", node).build());
    var ended = controller.next(Command.StepEnded.class);
    String text = assertInstanceOf(StepEnd.NodeFault.class, ended.end()).text();
    assertTrue(text.contains(root.resolve("gone").toString()), text);
  }

  @Test
  void shepherdThatCannotBeginSaysThatTheNodeIsAtFault() throws Exception {
    node = new TestNode(root);
    node.shepherd = root.resolve("broken");
    write(
        node.shepherd,
        "#!/bin/sh\necho shepherd: fork: no more processes > $1/shepherd.log\nexit 1\n");
    node.start(controller);
    controller.welcomeAll();
    controller.launch(new TestJob(65, "true", node).build());
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(new StepEnd.NodeFault("shepherd: fork: no more processes"), ended.end().alone());
  }

  @Test
  void nodeWithoutRoomForControlGroupsSaysThatItIsAtFault() throws Exception {
    node = new TestNode(root);
    node.cgroups = new FullCgroups();
    node.start(controller);
    controller.welcomeAll();
    controller.launch(new TestJob(66, "true", node).build());
    var ended = controller.next(Command.StepEnded.class);
    assertEquals(
        new StepEnd.NodeFault("No space left on device: /cgroup/job_66"), ended.end().alone());
  }

  @Test
  void aClockThatIsSetBackSilencesNobody() throws Exception {
    AtomicReference<Duration> skew = new AtomicReference<>(Duration.ZERO);
    node = new TestNode(root);
    node.clocks = DaemonClocks.of(() -> InstantSource.system().instant().plus(skew.get()));
    node.start(controller);
    controller.welcomeAll();
    controller.inventory();
    skew.set(Duration.ofHours(-1));
    controller.inventory();
  }

  @Test
  void stateThatCannotBeStoredIsStoredLater() throws Exception {
    begin();
    TestJob test = new TestJob(52, "while [ ! -e gate ]; do sleep 0.02; done", node);
    controller.launch(test.build());
    controller.next(Command.StepLaunched.class);
    Path state = node.runDirectory(test).resolve("run");
    Path aside = Files.move(state, state.resolveSibling("aside"));
    Files.createDirectory(state);
    Files.createFile(node.work().resolve("gate"));
    assertEquals(
        new StepEnd.Ran(new ExitStatus(0, 0), false),
        controller.next(Command.StepEnded.class).end().alone());
    Files.delete(state);
    Files.move(aside, state);
    Await.seconds(20)
        .until(
            "it is stored",
            () ->
                new String(Files.readAllBytes(state), StandardCharsets.ISO_8859_1)
                    .contains("Cleaned"));
  }

  @Test
  void processesOfABrokenRecordAreEnded() throws Exception {
    begin();
    TestJob test = new TestJob(53, "echo $$; sleep 600", node);
    Path output = node.work().resolve("out-53");
    controller.launch(test.build());
    Await.seconds(20).until("it runs", () -> Files.exists(output) && Files.size(output) > 0);
    node.stop();
    Files.writeString(node.runDirectory(test).resolve("run"), "garbage");
    node.start(controller);
    assertEquals(List.of(), controller.welcomeAll());
    assertFalse(isAlive(Files.readString(output)));
    try (var aside = Files.list(node.spool().resolve("broken"))) {
      assertEquals(1, aside.count());
    }
  }

  @Test
  void anotherBootMeansThatNothingRunsButWhatHasEndedHasEnded() throws Exception {
    begin();
    TestJob runs = new TestJob(54, "while [ ! -e gate ]; do sleep 0.02; done", node);
    TestJob ends = new TestJob(63, "while [ ! -e gap ]; do sleep 0.02; done; exit 3", node);
    controller.launch(runs.build());
    controller.launch(ends.build());
    controller.next(Command.StepLaunched.class);
    controller.next(Command.StepLaunched.class);
    node.stop();
    Files.createFile(node.work().resolve("gap"));
    Path exit = node.runDirectory(ends).resolve("job00063/exit");
    Await.seconds(20).until("the one has ended", () -> Files.exists(exit));
    node.bootId = "boot-2";
    node.start(controller);
    controller.welcomeAll();
    var lost = controller.hear(Command.StepEnded.class, news -> news.jobId() == 54);
    assertEquals(new StepEnd.Lost("the machine was booted"), lost.end().alone());
    var ended = controller.hear(Command.StepEnded.class, news -> news.jobId() == 63);
    assertEquals(new StepEnd.Ran(new ExitStatus(3, 0), false), ended.end().alone());
    Files.createFile(node.work().resolve("gate"));
    Path late = node.runDirectory(runs).resolve("job00054/exit");
    Await.seconds(20).until("the other has ended too", () -> Files.exists(late));
  }

  @Test
  void scriptWithoutInterpreterFails() throws Exception {
    begin();
    TestJob test = new TestJob(55, "true", node);
    test.firstLine = "#!/no/such/shell";
    controller.launch(test.build());
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(new StepEnd.Ran(new ExitStatus(2, 0), false), ended.end().alone());
    String output = Files.readString(node.work().resolve("out-55"));
    assertTrue(output.contains("bad interpreter"), output);
  }

  @Test
  void directoryThatIsGoneIsReplacedByTmp() throws Exception {
    begin();
    TestJob test = new TestJob(56, "pwd", node);
    test.output = node.work() + "/out-%j";
    test.workDirectory = "/no/such/directory";
    controller.launch(test.build());
    controller.hear(Command.StepEnded.class, _ -> true);
    String output = Files.readString(node.work().resolve("out-56"));
    assertTrue(output.contains("going to /tmp instead\n/tmp\n"), output);
  }

  @Test
  void messagesNeverGoWhereTheOwnerMayNotWrite() throws Exception {
    begin();
    assumeTrue(node.owner().uid() != 0 && Files.getAttribute(root, "unix:uid").equals(0));
    Path secret = root.resolve("secret");
    Files.writeString(secret, "mine\n");
    TestJob test = new TestJob(57, "echo up; sleep 600", node);
    Job job = test.build();
    Path output = node.work().resolve("out-57");
    controller.launch(job);
    Await.seconds(20).until("it runs", () -> Files.exists(output) && Files.size(output) > 0);
    Files.delete(output);
    Files.createSymbolicLink(output, secret);
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 30);
    controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals("mine\n", Files.readString(secret));
  }

  @Test
  void outputIntoAPipeThatNobodyReadsHoldsNobodyUp() throws Exception {
    begin();
    new ProcessBuilder("mkfifo", "-m", "666", node.work().resolve("out-58").toString())
        .start()
        .waitFor();
    Job job = new TestJob(58, "true", node).build();
    controller.launch(job);
    controller.next(Command.StepLaunched.class);
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 1);
    controller.hear(Command.StepEnded.class, _ -> true);
    controller.launch(new TestJob(59, "true", node).build());
    controller.hear(Command.StepEnded.class, news -> news.jobId() == 59);
  }

  @Test
  void limitsTravelWithTheJob() throws Exception {
    begin();
    TestJob test = new TestJob(60, "ulimit -Sn", node);
    test.limits = List.of(new PropagatedRlimit("NOFILE", 77));
    controller.launch(test.build());
    controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals("77\n", Files.readString(node.work().resolve("out-60")));
  }

  @Test
  void whoeverTakesMoreMemoryThanHeHasIsKilled() throws Exception {
    Cgroups cgroups = CgroupMounts.detect("test-mishap");
    assumeTrue(cgroups.shortcomings().isEmpty(), cgroups::shortcomings);
    node = new TestNode(root, "SelectTypeParameters=CR_Core_Memory");
    node.cgroups = cgroups;
    node.start(controller);
    controller.welcomeAll();
    // One process alone takes memory. In a pipeline, a second one may still charge a page while
    // the first victim's are being freed, and the kernel then picks a second victim: the script.
    TestJob test = new TestJob(61, "dd if=/dev/zero of=/dev/null bs=400M count=1; exit 3", node);
    test.memoryMib = 30;
    controller.launch(test.build());
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(new StepEnd.Ran(new ExitStatus(3, 0), true), ended.end().alone());
    String output = Files.readString(node.work().resolve("out-61"));
    assertTrue(output.contains("oom_kill event"), output);
    assertTrue(output.contains("in StepId=61.batch. Some of the step tasks have been OOM Killed."));
    assertEquals(List.of(), cgroups.jobs());
    cgroups.leave();
  }

  @Test
  void aJobMakesNoMoreProcessesThanTheConfigurationAllows() throws Exception {
    Cgroups cgroups = CgroupMounts.detect("test-forks");
    assumeTrue(!cgroups.shortcomings().contains("pids"), cgroups::shortcomings);
    node = new TestNode(root, "SlurmdParameters=dure_job_processes=20");
    node.cgroups = cgroups;
    node.start(controller);
    controller.welcomeAll();
    TestJob test = new TestJob(67, "for i in $(seq 60); do sleep 1000 & done", node);
    controller.launch(test.build());
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(new StepEnd.Ran(new ExitStatus(2, 0), false), ended.end().alone());
    cgroups.leave();
  }

  @Test
  void messagesThatMakeNoSenseChangeNothing() throws Exception {
    begin();
    controller.send(new ControllerToNodeMessage.Forget(99, 1));
    controller.send(new ControllerToNodeMessage.Signal(99, 1, 9, Effect.Scope.ALL));
    controller.send(new ControllerToNodeMessage.Signal(99, 1, -5, Effect.Scope.ALL));
    controller.send(new ControllerToNodeMessage.Notify(99, 1, "hello"));
    controller.send(
        new ControllerToNodeMessage.Terminate(99, 1, Effect.TerminationReason.CANCELLED, -1, null));
    assertEquals(new Command.NodeCleaned(99, 1, null), controller.next(Command.NodeCleaned.class));
    TestJob elsewhere = new TestJob(62, "true", node);
    elsewhere.nodes = List.of("n2");
    controller.launch(elsewhere.build());
    assertInstanceOf(StepEnd.NotStarted.class, controller.next(Command.StepEnded.class).end());
    assertFalse(Files.exists(node.runDirectory(elsewhere)));
  }

  @Test
  void healthCheckRunsAndItsFailureEndsNothing() throws Exception {
    Path program = root.resolve("check");
    Path log = root.resolve("checked");
    write(program, "#!/bin/sh\necho $SLURMD_NODENAME >> " + log + "\nexit 1\n");
    node = new TestNode(root, "HealthCheckProgram=" + program, "HealthCheckInterval=1");
    node.start(controller);
    controller.welcomeAll();
    try (var checker =
        new HealthChecker(node::setup, () -> false, "boot-1", NOPLogger.NOP_LOGGER)) {
      checker.start();
      Await.seconds(20)
          .until("it ran twice", () -> Files.exists(log) && Files.readAllLines(log).size() >= 2);
    }
    assertEquals("n1", Files.readAllLines(log).getFirst());
  }

  private static void write(Path program, String text) throws IOException {
    Files.writeString(program, text);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
