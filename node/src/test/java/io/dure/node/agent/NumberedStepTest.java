package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.host.trust.CredentialSigner;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.ResourceRequest;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.model.step.TaskProgram;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.StepCredential;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.FileCredential;
import io.dure.protocol.step.FileOrder;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.StepQuestion;
import io.dure.protocol.step.TaskBinding;
import io.dure.protocol.step.TaskFigures;
import io.dure.testkit.Await;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Numbered steps from a front end's launch to their end, by real programs. */
@Tag("process")
class NumberedStepTest {
  @TempDir(cleanup = CleanupMode.ALWAYS)
  private Path root;

  private final FakeController controller = new FakeController();
  private final CredentialSigner signer = CredentialSigner.generate();
  private TestNode node;

  @BeforeEach
  void begin() throws Exception {
    node = new TestNode(root);
    start();
  }

  private void start() throws Exception {
    node.start(controller);
    welcome();
  }

  private void welcome() throws Exception {
    List<ControllerToNodeMessage.Run> runs = new ArrayList<>();
    for (var run : controller.registration().runs()) {
      runs.add(new ControllerToNodeMessage.Run(run.jobId(), run.run()));
    }
    controller.send(new ControllerToNodeMessage.Welcome(runs, signer.publicKey()));
  }

  @AfterEach
  void end() throws Exception {
    node.end();
  }

  private Job job(int id) {
    return new TestJob(id, "true", node).build();
  }

  private static LaunchedStep step(int number, int tasks) {
    List<Integer> ranks = IntStream.range(0, tasks).boxed().toList();
    StepShare share = new StepShare("n1", List.of(0), 1, 0, ranks);
    return LaunchedStep.begun(
        number, StepSpec.of("sh", tasks), List.of(share), Instant.EPOCH, null);
  }

  private StepLaunchOrder order(StepCredential credential, CredentialSigner by, String script) {
    byte[] bytes = WireCodecs.credentials().encode(credential);
    return new StepLaunchOrder(
        bytes,
        by.sign(bytes),
        List.of(TaskProgram.ofAll(List.of("/bin/sh", "-c", script))),
        List.of("PATH=/usr/bin:/bin", "MINE=yes"),
        node.work().toString(),
        022,
        List.of(),
        StepLaunchOrder.Streams.OF_FRONT_END,
        StepLaunchOrder.MpiService.NONE,
        TaskBinding.NONE,
        null,
        null,
        false,
        null,
        null);
  }

  private StepLaunchOrder order(Job job, LaunchedStep step, String script) {
    Instant now = Instant.now();
    StepCredential credential =
        new StepCredential("test", job, step, now, now.plus(Duration.ofMinutes(2)));
    return order(credential, signer, script);
  }

  /** Connects as soon as the daemon serves. */
  private StepConnection launch(StepLaunchOrder order) throws Exception {
    Path socket = node.spool().resolve("step.sock");
    Await.seconds(30).until("the daemon serves steps", () -> serves(socket));
    StepConnection connection = StepConnection.to(socket);
    connection.send(new StepFrame('L', WireCodecs.launchOrders().encode(order)));
    return connection;
  }

  private static boolean serves(Path socket) {
    try (StepConnection _ = StepConnection.to(socket)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String refusal(StepConnection connection) throws IOException {
    StepFrame refused = connection.await('R');
    return refused.number(0) + " " + refused.text(1).strip().replace("\0", "");
  }

  private static StepEnd exit(int code) {
    return new StepEnd.Ran(new ExitStatus(code, 0), false);
  }

  /** Without what it used. */
  private Command.StepPartEnded ended() throws Exception {
    var told = controller.next(Command.StepPartEnded.class);
    return new Command.StepPartEnded(told.jobId(), told.run(), told.step(), told.end().alone());
  }

  @Test
  void tasksRunWithTheirEnvironmentAndTheirEndsAreToldTwice() throws Exception {
    String script = "echo $SLURM_JOB_ID.$SLURM_STEP_ID $SLURM_PROCID/$SLURM_NTASKS $MINE; exit 3";
    try (StepConnection connection = launch(order(job(12), step(4, 2), script))) {
      List<StepFrame> frames = connection.until('Z');
      assertEquals("12.4 0/2 yes\n", StepConnection.written(frames, 'O', 0));
      assertEquals("12.4 1/2 yes\n", StepConnection.written(frames, 'O', 1));
      assertEquals(
          2, frames.stream().filter(f -> f.type() == 'X' && f.number(1) == 3 << 8).count());
    }
    assertEquals(new Command.StepPartEnded(12, 1, 4, exit(3)), ended());
  }

  @Test
  void theEndIsToldUntilItIsOnRecordAndNothingIsLeftThen() throws Exception {
    try (StepConnection connection = launch(order(job(12), step(0, 1), "true"))) {
      connection.await('Z');
    }
    ended();
    node.stop();
    start();
    assertEquals(new Command.StepPartEnded(12, 1, 0, exit(0)), ended());
    controller.send(new ControllerToNodeMessage.ForgetStep(12, 1, 0));
    controller.terminate(job(12), Effect.TerminationReason.ENDED, 30);
    assertEquals(new Command.NodeCleaned(12, 1, null), controller.next(Command.NodeCleaned.class));
    controller.forget(job(12));
    Path runs = node.spool().resolve("runs");
    Await.seconds(30).until("nothing is left", () -> isEmpty(runs));
  }

  private static boolean isEmpty(Path directory) {
    try (Stream<Path> left = Files.list(directory)) {
      return left.findAny().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void stepsOutliveTheDaemon() throws Exception {
    Path flag = node.work().resolve("flag");
    String wait = "echo on; until [ -e " + flag + " ]; do sleep 0.01; done; exit 5";
    try (StepConnection connection = launch(order(job(12), step(0, 1), wait))) {
      connection.await('O');
      node.stop();
      start();
      Files.createFile(flag);
      connection.await('X');
      assertEquals(new Command.StepPartEnded(12, 1, 0, exit(5)), ended());
    }
  }

  /** A welcome says nothing of what began after the registration that it answers. */
  @Test
  void aLateWelcomeEndsNoStepThatIsNewer() throws Exception {
    Path flag = node.work().resolve("flag");
    String wait = "echo on; until [ -e " + flag + " ]; do sleep 0.01; done; exit 5";
    controller.send(new ControllerToNodeMessage.Reconfigure());
    assertEquals(List.of(), controller.registration().runs());
    try (StepConnection connection = launch(order(job(12), step(0, 1), wait))) {
      connection.await('O');
      controller.send(new ControllerToNodeMessage.Welcome(List.of(), signer.publicKey()));
      assertEquals(1, ask(new StepQuestion(12, "0", 0)).steps().size());
      Files.createFile(flag);
      assertEquals(new Command.StepPartEnded(12, 1, 0, exit(5)), ended());
    }
  }

  @Test
  void whatIsSuspendedStandsStillUntilItIsResumed() throws Exception {
    try (StepConnection connection =
        launch(order(job(12), step(0, 1), "echo $$; exec sleep 1000"))) {
      int pid = Integer.parseInt(connection.await('O').text(1).strip());
      controller.send(new ControllerToNodeMessage.Suspend(12, 1));
      Await.seconds(30).until("the step stands still", () -> state(pid) == 'T');
      controller.send(new ControllerToNodeMessage.Resume(12, 1));
      Await.seconds(30).until("the step goes on", () -> state(pid) == 'S');
    }
  }

  @Test
  void whatBeginsInASuspendedRunWaitsUntilItIsResumed() throws Exception {
    try (StepConnection first = launch(order(job(12), step(0, 1), "echo $$; exec sleep 1000"))) {
      int pid = Integer.parseInt(first.await('O').text(1).strip());
      controller.send(new ControllerToNodeMessage.Suspend(12, 1));
      Await.seconds(30).until("the step stands still", () -> state(pid) == 'T');
      try (StepConnection second =
          launch(order(job(12), step(1, 1), "while :; do /bin/true; done"))) {
        Await.seconds(30).until("the new one stands still, too", () -> standsStill(12, "1"));
        controller.send(new ControllerToNodeMessage.Resume(12, 1));
        Await.seconds(30).until("both go on", () -> state(pid) == 'S' && !standsStill(12, "1"));
        second.await('B');
      }
    }
  }

  /**
   * Whether a step has processes, and none of them moves; a child that ended waits to be reaped.
   */
  private boolean standsStill(int job, String step) throws Exception {
    List<Integer> all = new ArrayList<>();
    for (StepFigures figures : ask(new StepQuestion(job, step, 0)).steps()) {
      figures.tasks().forEach(task -> all.addAll(task.pids()));
    }
    List<Character> states = all.stream().map(NumberedStepTest::state).toList();
    return states.contains('T') && states.stream().allMatch(state -> state == 'T' || state == 'Z');
  }

  private static char state(int pid) {
    ProcessStat found = ProcFs.ofThisMachine().stat(pid);
    return found == null ? '?' : found.state();
  }

  @Test
  void theEndOfARunEndsItsSteps() throws Exception {
    try (StepConnection connection =
        launch(order(job(12), step(0, 1), "echo on; exec sleep 1000"))) {
      connection.await('O');
      controller.terminate(job(12), Effect.TerminationReason.CANCELLED, 30);
      assertEquals(
          new Command.StepPartEnded(12, 1, 0, new StepEnd.Ran(new ExitStatus(0, 15), false)),
          ended());
      controller.next(Command.NodeCleaned.class);
    }
    try (StepConnection late = launch(order(job(12), step(1, 1), "true"))) {
      assertEquals("2021 Job/step already completing or completed", refusal(late));
    }
  }

  @Test
  void aStepThatIsCancelledIsKilledAtOnceAfterItsFrontEndHasHeardOfIt() throws Exception {
    String script = "trap : TERM; echo on; while :; do sleep 1000; done";
    try (StepConnection connection = launch(order(job(12), step(0, 1), script))) {
      connection.await('O');
      controller.send(
          new ControllerToNodeMessage.TerminateStep(
              12, 1, 0, Effect.TerminationReason.CANCELLED, 1000));
      List<StepFrame> frames = connection.until('Z');
      String said = StepConnection.written(frames, 'E', 0);
      assertTrue(said.startsWith("slurmstepd: error: *** STEP 12.0 ON n1 CANCELLED AT "), said);
      List<Character> order = frames.stream().map(StepFrame::type).toList();
      assertTrue(order.indexOf('K') >= 0 && order.indexOf('K') < order.indexOf('X'), "" + order);
      assertEquals(
          new Command.StepPartEnded(12, 1, 0, new StepEnd.Ran(new ExitStatus(0, 9), false)),
          ended());
    }
  }

  @Test
  void filesAreWrittenByACredentialForThemAlone() throws Exception {
    Job job = job(12);
    Instant now = Instant.now();
    byte[] good = file(job, "n1", now.plusSeconds(60));
    byte[] signed = FileCredential.signed(good);
    assertEquals("allowed", fileVerdict(good, signer.sign(signed)));
    assertEquals("1018 Invalid job credential", fileVerdict(good, signer.sign(good)));
    byte[] late = file(job, "n1", now.minusSeconds(600));
    assertEquals(
        "1018 Job credential expired", fileVerdict(late, signer.sign(FileCredential.signed(late))));
    byte[] other = file(job, "n2", now.plusSeconds(60));
    assertEquals(
        "1018 Invalid job credential",
        fileVerdict(other, signer.sign(FileCredential.signed(other))));
  }

  private static byte[] file(Job job, String node, Instant expires) {
    return WireCodecs.fileCredentials()
        .encode(
            new FileCredential(
                job.id(), job.owner(), List.of(node), expires.minusSeconds(120), expires));
  }

  /** What the daemon says; where it allows the file, the program that writes it ends at once. */
  private String fileVerdict(byte[] credential, byte[] signature) throws Exception {
    Path socket = node.spool().resolve("step.sock");
    Await.seconds(30).until("the daemon serves steps", () -> serves(socket));
    try (StepConnection connection = StepConnection.to(socket)) {
      connection.send(
          new StepFrame('F', WireCodecs.fileOrders().encode(new FileOrder(credential, signature))));
      try {
        connection.send(new StepFrame('?', new byte[64]));
      } catch (IOException refusedAndClosed) {
        // The daemon may have closed after its refusal, which is still there to be read.
      }
      StepFrame first = connection.next();
      if (first != null && first.type() == 'r') {
        return "allowed";
      }
      return first == null ? "nothing" : first.number(0) + " " + first.text(1).replace("\0", "");
    }
  }

  @Test
  void itsProcessesAreToldWithWhatTheyUse() throws Exception {
    String script = "sleep 1000 & echo on; wait";
    try (StepConnection connection = launch(order(job(12), step(0, 2), script))) {
      connection.await('O');
      connection.await('O');
      StepAnswer answer = ask(new StepQuestion(12, "", 0));
      assertEquals(1, answer.steps().size());
      List<TaskFigures> tasks = answer.steps().getFirst().tasks();
      assertEquals(List.of(0, 1), tasks.stream().map(TaskFigures::rank).toList());
      for (TaskFigures task : tasks) {
        assertEquals(2, task.pids().size(), "the shell and its child");
        assertTrue(task.rssBytes() > 100_000 && task.vmBytes() > task.rssBytes(), "" + task);
      }
      int child = tasks.getLast().pids().getLast();
      assertEquals(answer.steps(), withoutFigures(answer, ask(new StepQuestion(0, "", child))));
      assertEquals(List.of(), ask(new StepQuestion(12, "7", 0)).steps());
      assertEquals(List.of(), ask(new StepQuestion(0, "", 1)).steps());
    }
  }

  /** Nobody asks as long as it lives, and nobody in the task waits for it. */
  @Test
  void whatAnEndedProcessHasUsedIsTold() throws Exception {
    node.end();
    node = new TestNode(root, "JobAcctGatherType=jobacct_gather/linux", "JobAcctGatherFrequency=1");
    start();
    Path over = node.work().resolve("over");
    Path busy = node.work().resolve("busy");
    Files.writeString(busy, "x=$(head -c 30000000 /dev/zero | tr '\\0' a)\nwhile :; do :; done\n");
    String orphan = "(timeout 4 sh " + busy + "; : > " + over + ") &";
    String script = "(" + orphan + "); echo on; exec sleep 1000";
    try (StepConnection connection = launch(order(job(12), step(0, 1), script))) {
      connection.await('O');
      Await.seconds(60).until("it has ended", () -> Files.exists(over));
      Await.seconds(10).until("the task is alone", () -> task().pids().size() == 1);
      TaskFigures task = task();
      assertTrue(task.rssBytes() > 30_000_000, task::toString);
      assertTrue(task.readBytes() > 30_000_000, task::toString);
      assertTrue(task.cpuMicros() > 100_000, task::toString);
    }
  }

  @Test
  void aProfileIsKeptOfAJobThatAsksForIt() throws Exception {
    node.end();
    Path profiles = Files.createDirectory(root.resolve("profiles"));
    node =
        new TestNode(
            root,
            "JobAcctGatherType=jobacct_gather/linux",
            "JobAcctGatherFrequency=1",
            "AcctGatherProfileType=acct_gather_profile/hdf5");
    node.acctGatherConf = "ProfileHDF5Dir=" + profiles + "\n";
    start();
    Job job = profiled(job(12));
    Path file = profiles.resolve(job.owner().userName()).resolve("12_0_n1.csv");
    try (StepConnection connection = launch(order(job, step(0, 2), "echo on; exec sleep 1000"))) {
      connection.await('O');
      Await.seconds(30).until("both were seen twice", () -> lines(file).size() >= 5);
      assertTrue(lines(file).getFirst().startsWith("EpochTime,ElapsedTime,Task,"), "a title");
      for (String line : lines(file).subList(1, 5)) {
        assertEquals(11, line.split(",", -1).length, line);
      }
    }
  }

  @Test
  void aStepHasItsOwnProfileAndInterval() throws Exception {
    node.end();
    Path profiles = Files.createDirectory(root.resolve("profiles"));
    node =
        new TestNode(
            root,
            "JobAcctGatherType=jobacct_gather/linux",
            "JobAcctGatherFrequency=3600",
            "AcctGatherProfileType=acct_gather_profile/hdf5");
    node.acctGatherConf = "ProfileHDF5Dir=" + profiles + "\n";
    start();
    Job job = job(12);
    Path file = profiles.resolve(job.owner().userName()).resolve("12_0_n1.csv");
    String script = "echo on; exec sleep 1000";
    try (StepConnection connection = launch(sampled(order(job, step(0, 1), script), "task=1"))) {
      connection.await('O');
      Await.seconds(30).until("it was seen twice", () -> lines(file).size() >= 3);
    }
  }

  @Test
  void aStepWithMemoryIsLookedAtAsOftenAsTheSiteWants() throws Exception {
    for (String tooSeldom : List.of("0", "task=31")) {
      StepShare share = new StepShare("n1", List.of(0), 1, 100, List.of(0));
      LaunchedStep step =
          LaunchedStep.begun(
              tooSeldom.length(), StepSpec.of("sh", 1), List.of(share), Instant.EPOCH, null);
      try (StepConnection refused = launch(sampled(order(job(12), step, "echo on"), tooSeldom))) {
        assertEquals("4003 Invalid accounting frequency requested", refusal(refused));
      }
      assertInstanceOf(StepEnd.NotStarted.class, ended().end());
    }
  }

  private static StepLaunchOrder sampled(StepLaunchOrder order, String interval) {
    return new StepLaunchOrder(
        order.credential(),
        order.signature(),
        order.programs(),
        order.environment(),
        order.workDirectory(),
        order.umask(),
        order.limits(),
        order.streams(),
        order.mpi(),
        order.binding(),
        null,
        null,
        false,
        interval,
        "task");
  }

  private static Job profiled(Job job) {
    ResourceRequest asked = job.spec().resources();
    KeptOptions shown = asked.more().shown().withProfile("task");
    return job.withSpec(job.spec().withResources(asked.withFurther(asked.more().withKept(shown))));
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private TaskFigures task() throws Exception {
    return ask(new StepQuestion(12, "0", 0)).steps().getFirst().tasks().getFirst();
  }

  /** The steps of the first answer if the second is about the same processes. */
  private static List<StepFigures> withoutFigures(StepAnswer first, StepAnswer second) {
    List<List<Integer>> before = pids(first);
    return before.equals(pids(second)) ? first.steps() : second.steps();
  }

  private static List<List<Integer>> pids(StepAnswer answer) {
    return answer.steps().stream()
        .flatMap(step -> step.tasks().stream())
        .map(TaskFigures::pids)
        .toList();
  }

  private StepAnswer ask(StepQuestion question) throws Exception {
    try (StepConnection connection = StepConnection.to(node.spool().resolve("step.sock"))) {
      connection.send(new StepFrame('U', WireCodecs.stepQuestions().encode(question)));
      return WireCodecs.stepAnswers().decode(connection.await('U').bytes(0));
    }
  }

  @Test
  void aScriptThatEndsTakesItsStepsWithIt() throws Exception {
    Path flag = node.work().resolve("flag");
    TestJob script =
        new TestJob(13, "until [ -e " + flag + " ]; do sleep 0.01; done; exit 2", node);
    Job job = script.build();
    controller.launch(job);
    controller.next(Command.StepLaunched.class);
    try (StepConnection connection = launch(order(job, step(0, 1), "echo on; exec sleep 1000"))) {
      connection.await('O');
      Files.createFile(flag);
      assertEquals(
          new Command.StepPartEnded(13, 1, 0, new StepEnd.Ran(new ExitStatus(0, 15), false)),
          ended());
      assertEquals(exit(2), controller.next(Command.StepEnded.class).end().alone());
    }
  }

  @Test
  void nothingStartsWithoutACredentialForItHereAndNow() throws Exception {
    Job job = job(12);
    Instant now = Instant.now();
    Duration life = Duration.ofMinutes(2);
    StepCredential good = new StepCredential("test", job, step(0, 1), now, now.plus(life));
    try (StepConnection forged = launch(order(good, CredentialSigner.generate(), "true"))) {
      assertEquals("1018 Invalid job credential", refusal(forged));
    }
    Instant before = now.minus(Duration.ofHours(1));
    StepCredential old = new StepCredential("test", job, step(0, 1), before, before.plus(life));
    try (StepConnection expired = launch(order(old, signer, "true"))) {
      assertEquals("1018 Job credential expired", refusal(expired));
    }
    LaunchedStep elsewhere =
        LaunchedStep.begun(
            0,
            StepSpec.of("sh", 1),
            List.of(new StepShare("n2", List.of(0), 1, 0, List.of(0))),
            now,
            null);
    StepCredential foreign = new StepCredential("test", job, elsewhere, now, now.plus(life));
    try (StepConnection other = launch(order(foreign, signer, "true"))) {
      assertEquals("1018 Invalid job credential", refusal(other));
    }
    try (StepConnection nonsense = launch(order(good, signer, "true"))) {
      nonsense.await('Z');
    }
    try (StepConnection replayed = launch(order(good, signer, "true"))) {
      assertEquals("1019 Job credential replayed", refusal(replayed));
    }
  }

  @Test
  void aCredentialOfTheControllerBeforeIsStillGood() throws Exception {
    StepLaunchOrder order = order(job(12), step(0, 1), "true");
    controller.send(
        new ControllerToNodeMessage.Welcome(List.of(), CredentialSigner.generate().publicKey()));
    try (StepConnection connection = launch(order)) {
      connection.await('Z');
    }
  }

  @Test
  void whatIsNoLaunchIsRefused() throws Exception {
    launch(order(job(12), step(0, 1), "true")).close();
    try (StepConnection connection = StepConnection.to(node.spool().resolve("step.sock"))) {
      connection.send(new StepFrame('L', new byte[] {1, 2, 3}));
      assertEquals("1000 Unexpected message received", refusal(connection));
    }
  }
}
