package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.host.trust.CredentialSigner;
import io.dure.host.user.CurrentProcess;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.RunReport;
import io.dure.model.job.Job;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.testkit.Await;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Which job a login joins, and when. */
@Tag("process")
class LoginTest {
  private static final Await SOON = Await.seconds(30);

  /** Asks for a user's job, prints the answer's frame, and stays. */
  private static final String LOGIN =
      "use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;"
          + " print $s pack 'aNNC', 'J', 5, $ARGV[1], $ARGV[2]; $s->flush;"
          + " $/ = undef; $| = 1; print <$s>; sleep 1000;";

  @TempDir(cleanup = CleanupMode.ALWAYS)
  private Path root;

  private final CredentialSigner signer = CredentialSigner.generate();
  private final FakeController controller = new FakeController();
  private final List<Process> logins = new ArrayList<>();
  private TestNode node;

  @BeforeEach
  void check() {
    assumeTrue(CurrentProcess.effectiveUid() == 0, "root alone logs users in");
  }

  private void begin(String... lines) throws Exception {
    node = new TestNode(root, lines);
    start();
  }

  private void start() throws Exception {
    node.start(controller);
    List<ControllerToNodeMessage.Run> runs = new ArrayList<>();
    for (RunReport run : controller.registration().runs()) {
      runs.add(new ControllerToNodeMessage.Run(run.jobId(), run.run()));
    }
    controller.send(new ControllerToNodeMessage.Welcome(runs, signer.publicKey()));
    SOON.until("it takes connections", () -> Files.exists(socket()));
  }

  @AfterEach
  void end() throws Exception {
    logins.forEach(Process::destroyForcibly);
    if (node != null) {
      node.end();
    }
  }

  private Path socket() {
    return node.spool().resolve("step.sock");
  }

  /** What a login was told. */
  private record Told(int status, int job, String text) {}

  private Process login(boolean newest) throws IOException {
    Process login =
        new ProcessBuilder(
                "perl",
                "-e",
                LOGIN,
                socket().toString(),
                Integer.toString(node.owner().uid()),
                newest ? "1" : "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    logins.add(login);
    return login;
  }

  private static Told told(Process login) throws IOException {
    DataInputStream in = new DataInputStream(login.getInputStream());
    assertEquals('J', (char) in.readByte());
    int length = in.readInt();
    int status = in.readInt();
    int job = in.readInt();
    String text = new String(in.readNBytes(length - 9), StandardCharsets.UTF_8);
    assertEquals(0, in.readByte());
    return new Told(status, job, text);
  }

  private Job allocation(int id) {
    TestJob job = new TestJob(id, "true", node);
    // The script is on the first.
    job.nodes = List.of("n2", "n1");
    return job.build();
  }

  private String script(String name, String body) throws IOException {
    Path file = root.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  private static boolean isAlive(Process login) {
    return ProcFs.ofThisMachine().isAlive((int) login.pid());
  }

  private record Held(Job job, Process login) {}

  /** A login into a job whose prolog runs until there is a file. */
  private Held loginBehindProlog(Path flag) throws Exception {
    begin("Prolog=" + script("prolog", "until [ -e " + flag + " ]; do /usr/bin/sleep 0.02; done"));
    Job job = allocation(12);
    controller.knows(List.of(job));
    Process login = login(true);
    SOON.until("the prolog runs", () -> Files.exists(node.spool().resolve("runs/12.1/script")));
    return new Held(job, login);
  }

  @Test
  void itBeginsTheRunOfAJobThatTheNodeHasNotHeardOf() throws Exception {
    Path flag = root.resolve("flag");
    Held held = loginBehindProlog(flag);
    Job job = held.job();
    Process login = held.login();
    assertEquals(0, login.getInputStream().available());
    Files.createFile(flag);
    assertEquals(new Told(0, 12, "n1"), told(login));
    assertTrue(isAlive(login));
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 30);
    controller.next(Command.NodeCleaned.class);
    assertFalse(isAlive(login));
    assertEquals(new Told(1, 0, ""), told(login(true)));
  }

  @Test
  void afterAFailedPrologItIsToldWhy() throws Exception {
    begin("Prolog=" + script("prolog", "exit 3"));
    controller.knows(List.of(allocation(12)));
    Told told = told(login(true));
    assertEquals(3, told.status());
    assertEquals(12, told.job());
  }

  @Test
  void itWaitsForAScriptThatIsAboutToStart() throws Exception {
    begin();
    Job job = new TestJob(13, "exec sleep 1000", node).build();
    controller.knows(List.of(job));
    Process login = login(true);
    controller.launch(job);
    assertEquals(new Told(0, 13, "n1"), told(login));
    controller.next(Command.StepLaunched.class);
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 30);
    controller.next(Command.StepEnded.class);
    assertFalse(isAlive(login));
  }

  @Test
  void withoutAnAnswerOfTheControllerWhatRunsHereCounts() throws Exception {
    begin();
    Process early = login(true);
    assertEquals(new Told(1, 0, ""), told(early));
    Job job = new TestJob(14, "exec sleep 1000", node).build();
    controller.launch(job);
    controller.next(Command.StepLaunched.class);
    assertEquals(new Told(0, 14, "n1"), told(login(true)));
  }

  @Test
  void ofSeveralItTakesTheNewestIfThatWillDo() throws Exception {
    begin();
    controller.knows(List.of(allocation(15), allocation(17), allocation(16)));
    assertEquals(new Told(2, 0, ""), told(login(false)));
    assertEquals(new Told(0, 17, "n1"), told(login(true)));
  }

  @Test
  void whatIgnoresSigtermIsKilledAfterKillWait() throws Exception {
    begin();
    Job job = allocation(12);
    controller.knows(List.of(job));
    Process login =
        new ProcessBuilder(
                "perl",
                "-e",
                "$SIG{TERM} = 'IGNORE';" + LOGIN,
                socket().toString(),
                Integer.toString(node.owner().uid()),
                "1")
            .start();
    logins.add(login);
    assertEquals(new Told(0, 12, "n1"), told(login));
    node.end();
    start();
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 1);
    controller.next(Command.NodeCleaned.class);
    assertFalse(isAlive(login));
  }

  @Test
  void itStandsStillWithTheJobAndGoesOnWithIt() throws Exception {
    begin();
    Job job = allocation(12);
    controller.knows(List.of(job));
    Process login = login(true);
    assertEquals(0, told(login).status());
    controller.send(new ControllerToNodeMessage.Suspend(12, 1));
    SOON.until("it stands still", () -> state(login) == 'T');
    controller.send(new ControllerToNodeMessage.Resume(12, 1));
    SOON.until("it goes on", () -> state(login) == 'S');
  }

  private static char state(Process login) {
    ProcessStat stat = ProcFs.ofThisMachine().stat((int) login.pid());
    return stat == null ? '-' : stat.state();
  }

  @Test
  void oneThatHasEndedIsToldNothingAndHoldsNothing() throws Exception {
    Path flag = root.resolve("flag");
    Held held = loginBehindProlog(flag);
    Job job = held.job();
    Process login = held.login();
    login.destroyForcibly().waitFor();
    Files.createFile(flag);
    Process other = login(true);
    assertEquals(new Told(0, 12, "n1"), told(other));
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 30);
    controller.next(Command.NodeCleaned.class);
    assertFalse(isAlive(other));
  }
}
