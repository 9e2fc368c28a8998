package io.dure.node.agent;

import io.dure.host.trust.CredentialSigner;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.model.step.TaskProgram;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.StepCredential;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepQuestion;
import io.dure.protocol.step.TaskBinding;
import io.dure.testkit.Await;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node daemon with a controller that is played, and credentials for steps on it. */
abstract class StepFixture {
  @TempDir(cleanup = CleanupMode.ALWAYS)
  Path root;

  final FakeController controller = new FakeController();
  final CredentialSigner signer = CredentialSigner.generate();
  TestNode node;

  @BeforeEach
  void begin() throws Exception {
    node = new TestNode(root);
    start();
  }

  void start() throws Exception {
    node.start(controller);
    welcome();
  }

  void welcome() throws Exception {
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

  Job job(int id) {
    return new TestJob(id, "true", node).build();
  }

  static LaunchedStep step(int number, int tasks) {
    List<Integer> ranks = IntStream.range(0, tasks).boxed().toList();
    StepShare share = new StepShare("n1", List.of(0), 1, 0, ranks);
    return LaunchedStep.begun(
        number, StepSpec.of("sh", tasks), List.of(share), Instant.EPOCH, null);
  }

  StepLaunchOrder order(StepCredential credential, CredentialSigner by, String script) {
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
        null,
        false);
  }

  StepLaunchOrder order(Job job, LaunchedStep step, String script) {
    Instant now = Instant.now();
    StepCredential credential =
        new StepCredential("test", job, step, now, now.plus(Duration.ofMinutes(2)));
    return order(credential, signer, script);
  }

  /** Connects as soon as the daemon serves. */
  StepConnection launch(StepLaunchOrder order) throws Exception {
    Path socket = node.spool().resolve("step.sock");
    Await.seconds(30).until("the daemon serves steps", () -> serves(socket));
    StepConnection connection = StepConnection.to(socket);
    connection.send(new StepFrame('L', WireCodecs.launchOrders().encode(order)));
    return connection;
  }

  static boolean serves(Path socket) {
    try (StepConnection _ = StepConnection.to(socket)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static String refusal(StepConnection connection) throws IOException {
    StepFrame refused = connection.await('R');
    return refused.number(0) + " " + refused.text(1).strip().replace("\0", "");
  }

  static StepEnd exit(int code) {
    return new StepEnd.Ran(new ExitStatus(code, 0), false);
  }

  /** Without what it used. */
  Command.StepPartEnded ended() throws Exception {
    var told = controller.next(Command.StepPartEnded.class);
    return new Command.StepPartEnded(told.jobId(), told.run(), told.step(), told.end().alone());
  }

  StepAnswer ask(StepQuestion question) throws Exception {
    try (StepConnection connection = StepConnection.to(node.spool().resolve("step.sock"))) {
      connection.send(new StepFrame('U', WireCodecs.stepQuestions().encode(question)));
      return WireCodecs.stepAnswers().decode(connection.await('U').bytes(0));
    }
  }
}
