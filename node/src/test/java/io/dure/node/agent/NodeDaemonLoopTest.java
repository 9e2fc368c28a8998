package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.ProcFs;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Jobs from launch to end, with a controller that the test plays. */
@Tag("process")
class NodeDaemonLoopTest {
  @TempDir(cleanup = CleanupMode.ALWAYS)
  private Path root;

  private final FakeController controller = new FakeController();
  private TestNode node;

  @BeforeEach
  void begin() throws Exception {
    begin(new String[0]);
  }

  private void begin(String... lines) throws Exception {
    if (node != null) {
      node.stop();
    }
    node = new TestNode(root, lines);
    node.start(controller);
    controller.welcomeAll();
  }

  @AfterEach
  void end() throws Exception {
    node.end();
  }

  private static StepEnd exit(int code) {
    return new StepEnd.Ran(new ExitStatus(code, 0), false);
  }

  /** Without what it used. */
  private static Command.StepEnded bare(Command.StepEnded told) {
    return new Command.StepEnded(told.jobId(), told.run(), told.end().alone(), told.clean());
  }

  @Test
  void runsAsItsOwnerAndTellsTheExitCode() throws Exception {
    TestJob test = new TestJob(12, "id -u; echo $SLURM_JOB_ID; echo oops >&2; exit 3", node);
    Job job = test.build();
    controller.launch(job);
    assertEquals(new Command.StepLaunched(12, 1), controller.next(Command.StepLaunched.class));
    assertEquals(
        new Command.StepEnded(12, 1, exit(3), true),
        bare(controller.next(Command.StepEnded.class)));
    Path output = node.work().resolve("out-12");
    assertEquals(
        List.of(Integer.toUnsignedString(job.owner().uid()), "12", "oops"),
        Files.readAllLines(output));
    assertEquals(job.owner().uid(), (Integer) Files.getAttribute(output, "unix:uid"));
    controller.forget(job);
    Await.seconds(20).until("the run is gone", () -> !Files.exists(node.runDirectory(test)));
  }

  @Test
  void anIdleDaemonWakesUpForItsHeartbeatAlone() throws Exception {
    awaitSleep(7, 10);
    begin("SlurmctldHost=another");
    awaitSleep(4, 5);
  }

  private void awaitSleep(long least, long most) {
    Duration sleep =
        Await.seconds(60)
            .value(
                "it sleeps for " + least + " s",
                () -> node.patience(),
                it -> it.toSeconds() >= least);
    assertTrue(sleep.toSeconds() <= most, sleep::toString);
  }

  @Test
  void listsItsRunsBesideEachHeartbeat() throws Exception {
    Job job = new TestJob(15, "sleep 600", node).build();
    controller.launch(job);
    controller.next(Command.StepLaunched.class);
    List<RunReport> listed = controller.inventory();
    while (listed.isEmpty()) {
      listed = controller.inventory();
    }
    assertEquals(List.of(new RunReport(15, 1, null, false, false)), listed);
  }

  @Test
  void givesMemoryBackOnceItIsQuietAgain() throws Exception {
    Await.seconds(20).until("given back after the registration", () -> node.givenBack.get() == 1);
    Job job = new TestJob(16, "true", node).build();
    controller.launch(job);
    controller.next(Command.StepLaunched.class);
    assertEquals(1, node.givenBack.get(), "not in the middle of the work");
    Await.seconds(20).until("given back after the job", () -> node.givenBack.get() == 2);
  }

  @Test
  void launchedTwiceRunsOnce() throws Exception {
    Job job = new TestJob(13, "echo once", node).build();
    controller.launch(job);
    controller.launch(job);
    controller.hear(Command.StepEnded.class, _ -> true);
    controller.launch(job);
    assertEquals(
        new Command.StepEnded(13, 1, exit(0), true),
        bare(controller.hear(Command.StepEnded.class, _ -> true)));
    assertEquals(List.of("once"), Files.readAllLines(node.work().resolve("out-13")));
  }

  @Test
  void cancelledJobSaysSoAndEnds() throws Exception {
    TestJob test = new TestJob(14, "echo up; sleep 600 & sleep 600", node);
    Job job = test.build();
    Path output = node.work().resolve("out-14");
    controller.launch(job);
    Await.seconds(20).until("it runs", () -> Files.exists(output) && Files.size(output) > 0);
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 30);
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(new StepEnd.Ran(new ExitStatus(0, 15), false), ended.end().alone());
    assertTrue(ended.clean());
    List<String> lines = Files.readAllLines(output);
    assertTrue(
        lines
            .get(1)
            .matches("slurmstepd: error: \\*\\*\\* JOB 14 ON n1 CANCELLED AT \\S+ \\*\\*\\*"),
        lines::toString);
  }

  @Test
  void whatTheScriptWritesAfterTheMessageDoesNotOverwriteIt() throws Exception {
    String body = "trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.02; done";
    Job job = new TestJob(24, body, node).build();
    Path output = node.work().resolve("out-24");
    controller.launch(job);
    Await.seconds(20).until("it runs", () -> Files.exists(output) && Files.size(output) > 0);
    controller.terminate(job, Effect.TerminationReason.REQUEUED, 30);
    assertEquals(exit(0), controller.hear(Command.StepEnded.class, _ -> true).end().alone());
    List<String> lines = Files.readAllLines(output);
    assertEquals("up", lines.get(0));
    assertTrue(lines.get(1).endsWith("DUE TO JOB REQUEUE ***"), lines::toString);
    assertEquals("saved", lines.getLast());
  }

  @Test
  void whoeverIgnoresTheTermSignalIsKilled() throws Exception {
    Job job =
        new TestJob(15, "trap 'echo no' TERM; echo up; while :; do sleep 1; done", node).build();
    Path output = node.work().resolve("out-15");
    controller.launch(job);
    Await.seconds(20).until("it runs", () -> Files.exists(output) && Files.size(output) > 0);
    controller.terminate(job, Effect.TerminationReason.TIME_LIMIT, 1);
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(new StepEnd.Ran(new ExitStatus(0, 9), false), ended.end().alone());
    assertTrue(Files.readString(output).contains("DUE TO TIME LIMIT ***\n"));
  }

  @Test
  void stepOutlivesTheDaemonAndItsExitCodeArrives() throws Exception {
    Path gate = node.work().resolve("gate");
    Job job = new TestJob(16, "while [ ! -e gate ]; do sleep 0.02; done; exit 5", node).build();
    controller.launch(job);
    controller.next(Command.StepLaunched.class);
    node.stop();
    node.start(controller);
    var runs = controller.welcomeAll();
    assertEquals(1, runs.size());
    assertNull(runs.getFirst().end());
    Files.createFile(gate);
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(new Command.StepEnded(16, 1, exit(5), true), bare(ended));
  }

  @Test
  void stepThatEndedWithoutDaemonIsReported() throws Exception {
    TestJob test = new TestJob(17, "while [ ! -e gate ]; do sleep 0.02; done; exit 6", node);
    controller.launch(test.build());
    controller.next(Command.StepLaunched.class);
    node.stop();
    Files.createFile(node.work().resolve("gate"));
    Path exit = node.runDirectory(test).resolve("job00017/exit");
    Await.seconds(20).until("the shepherd has written", () -> Files.exists(exit));
    node.start(controller);
    controller.welcomeAll();
    assertEquals(exit(6), controller.hear(Command.StepEnded.class, _ -> true).end().alone());
  }

  @Test
  void endIsToldAgainUntilItIsForgotten() throws Exception {
    Job job = new TestJob(18, "exit 4", node).build();
    controller.launch(job);
    controller.hear(Command.StepEnded.class, _ -> true);
    controller.reachable(false);
    controller.reachable(true);
    var runs = controller.welcomeAll();
    assertEquals(exit(4), runs.getFirst().end().alone());
    assertTrue(runs.getFirst().clean());
    assertEquals(exit(4), controller.hear(Command.StepEnded.class, _ -> true).end().alone());
    controller.forget(job);
    controller.reachable(false);
    controller.reachable(true);
    assertEquals(List.of(), controller.registration().runs());
  }

  @Test
  void runThatTheControllerDoesNotKnowIsEnded() throws Exception {
    TestJob test = new TestJob(19, "sleep 600", node);
    controller.launch(test.build());
    controller.next(Command.StepLaunched.class);
    controller.reachable(false);
    controller.reachable(true);
    controller.registration();
    controller.send(new ControllerToNodeMessage.Welcome(List.of()));
    Await.seconds(20).until("the run is gone", () -> !Files.exists(node.runDirectory(test)));
  }

  @Test
  void unknownUserIsRefused() throws Exception {
    TestJob test = new TestJob(20, "true", node);
    test.owner = new UserIdentity(987654, 987654, "ghost", "ghost");
    controller.launch(test.build());
    var ended = controller.next(Command.StepEnded.class);
    var end = assertInstanceOf(StepEnd.NotStarted.class, ended.end());
    assertEquals("user ghost (987654) not known on this node", end.text());
  }

  @Test
  void lostShepherdTakesItsProcessesAlong() throws Exception {
    TestJob test = new TestJob(21, "sleep 600 & echo $!; echo $$; wait", node);
    Path output = node.work().resolve("out-21");
    controller.launch(test.build());
    Await.seconds(20)
        .until("it runs", () -> Files.exists(output) && Files.readAllLines(output).size() == 2);
    String alive = Files.readString(node.runDirectory(test).resolve("job00021/alive"));
    long shepherd = Long.parseLong(alive.substring("shepherd=".length(), alive.indexOf('\0')));
    ProcessHandle.of(shepherd).orElseThrow().destroyForcibly();
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertInstanceOf(StepEnd.Lost.class, ended.end());
    for (String pid : Files.readAllLines(output)) {
      assertFalse(ProcFs.ofThisMachine().isAlive(Integer.parseInt(pid)), pid);
    }
  }

  @Test
  void outputThatCannotBeWrittenFailsTheJob() throws Exception {
    TestJob test = new TestJob(22, "true", node);
    test.output = "/nowhere/at/all";
    controller.launch(test.build());
    var ended = controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(new StepEnd.Ran(new ExitStatus(0, 53), false), ended.end().alone());
  }

  @Test
  void brokenRecordIsMovedAside() throws Exception {
    node.stop();
    Path broken = Files.createDirectory(node.spool().resolve("runs/7.1"));
    Files.writeString(broken.resolve("run"), "garbage");
    Files.writeString(node.spool().resolve("runs/rubbish"), "garbage");
    node.start(controller);
    assertEquals(List.of(), controller.welcomeAll());
    try (var aside = Files.list(node.spool().resolve("broken"))) {
      assertEquals(2, aside.count());
    }
  }

  @Test
  void notesAndSignalsReachTheJob() throws Exception {
    TestJob test =
        new TestJob(23, "trap 'exit 9' USR1; echo up; while :; do sleep 0.05; done", node);
    Job job = test.build();
    Path output = node.work().resolve("out-23");
    controller.launch(job);
    Await.seconds(20).until("it runs", () -> Files.exists(output) && Files.size(output) > 0);
    controller.send(new ControllerToNodeMessage.Notify(23, 1, "the disk\nis full"));
    Await.seconds(20).until("told", () -> Files.readString(output).contains("the disk is full\n"));
    controller.send(new ControllerToNodeMessage.Signal(23, 1, 10, Effect.Scope.BATCH_SHELL));
    assertEquals(exit(9), controller.hear(Command.StepEnded.class, _ -> true).end().alone());
  }

  @Test
  void endsWhenTheControllerSaysSo() throws Exception {
    controller.send(new ControllerToNodeMessage.Shutdown());
    node.awaitEnd();
  }
}
