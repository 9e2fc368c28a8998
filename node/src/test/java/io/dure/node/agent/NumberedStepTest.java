package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.host.trust.CredentialSigner;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.StepCredential;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.FileCredential;
import io.dure.protocol.step.FileOrder;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.StepQuestion;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbered steps from a front end's launch to their end, by real programs. */
@Tag("process")
class NumberedStepTest extends StepFixture {
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

  /**
   * A controller that has the run's end may lack that of a step, and may have ordered to end it.
   */
  @Test
  void aRunIsForgottenOnlyWhenTheEndsOfItsStepsAreOnRecord() throws Exception {
    try (StepConnection connection = launch(order(job(12), step(0, 1), "exit 4"))) {
      connection.await('Z');
    }
    ended();
    controller.terminate(job(12), Effect.TerminationReason.ENDED, 30);
    assertEquals(new Command.NodeCleaned(12, 1, null), controller.next(Command.NodeCleaned.class));
    controller.forget(job(12));
    terminateStep(12, Effect.TerminationReason.TIME_LIMIT);
    assertEquals(new Command.StepPartEnded(12, 1, 0, exit(4)), ended());
    controller.send(new ControllerToNodeMessage.ForgetStep(12, 1, 0));
    Path runs = node.spool().resolve("runs");
    Await.seconds(30).until("nothing is left", () -> isEmpty(runs));
    terminateStep(12, Effect.TerminationReason.TIME_LIMIT);
    terminateStep(99, Effect.TerminationReason.TIME_LIMIT);
    assertEquals(99, controller.next(Command.StepPartEnded.class).jobId());
  }

  /** The end and an order of a controller that had not heard of it have crossed. */
  @Test
  void nothingIsToldOfAStepWhoseEndIsOnRecord() throws Exception {
    Path flag = node.work().resolve("flag");
    String wait = "echo on; until [ -e " + flag + " ]; do sleep 0.01; done";
    try (StepConnection other = launch(order(job(12), step(1, 1), wait))) {
      other.await('O');
      try (StepConnection connection = launch(order(job(12), step(0, 1), "exit 4"))) {
        connection.await('Z');
      }
      assertEquals(new Command.StepPartEnded(12, 1, 0, exit(4)), ended());
      controller.send(new ControllerToNodeMessage.ForgetStep(12, 1, 0));
      terminateStep(12, Effect.TerminationReason.ENDED);
      terminateStep(99, Effect.TerminationReason.TIME_LIMIT);
      assertEquals(99, controller.next(Command.StepPartEnded.class).jobId());
      Files.createFile(flag);
      other.await('Z');
    }
  }

  private void terminateStep(int job, Effect.TerminationReason why) {
    controller.send(new ControllerToNodeMessage.TerminateStep(job, 1, 0, why, 30));
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
                job.id(),
                job.owner(),
                List.of(node),
                expires.minusSeconds(120),
                expires,
                job.run()));
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
