package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.testkit.Await;
import io.dure.testkit.step.SpawnerProcess;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What srun prints and returns; texts and codes are those of srun of Slurm 22.05. */
@Tag("process")
class FrontEndTest {
  private static final Path NOTHING = Path.of("/dev/null");

  private final List<SrunProcess> started = new ArrayList<>();
  private SpawnerProcess spawner;

  @BeforeEach
  void open() throws Exception {
    spawner = new SpawnerProcess(Checkout.root().resolve("node/target"), true);
  }

  @AfterEach
  void close() throws Exception {
    for (SrunProcess srun : started) {
      srun.close();
    }
    spawner.close();
  }

  private SrunProcess srun(SrunProcess.Step step, Path input) throws IOException {
    Path client = Checkout.root().resolve("target/client/command");
    SrunProcess srun = new SrunProcess(client, spawner.socket, step, input);
    started.add(srun);
    return srun;
  }

  private SrunProcess srun(int tasks, String script, String... order) throws IOException {
    return srun(SrunProcess.Step.of(tasks, script, order), NOTHING);
  }

  @Test
  void theHighestCodeIsItsOwnAndTheAgentHearsIt() throws Exception {
    SrunProcess srun = srun(3, "exit $SLURM_PROCID");
    assertEquals(2, srun.code());
    assertEquals(
        List.of(
            "srun: error: n1: task 1: Exited with exit code 1",
            "srun: error: n1: task 2: Exited with exit code 2"),
        srun.errors().lines().sorted().toList());
    assertEquals(2, srun.result.get(30, TimeUnit.SECONDS).number(0));
    assertEquals(0, srun.result.get().number(1));
  }

  @Test
  void tasksThatEndAlikeShareALine() throws Exception {
    String together = "srun: error: n1: tasks 0-2: Exited with exit code 3\n";
    String said = "";
    // On a machine that is busy they may end too far apart.
    for (int tries = 0; tries < 20 && !said.equals(together); tries++) {
      SrunProcess srun = srun(3, "sleep 0.0$SLURM_PROCID; exit 3");
      assertEquals(3, srun.code());
      said = srun.errors();
    }
    assertEquals(together, said);
  }

  @Test
  void signalsCountMoreThanCodes() throws Exception {
    SrunProcess srun = srun(2, "[ $SLURM_PROCID = 0 ] && exit 200; kill -9 $$");
    assertEquals(137, srun.code());
    assertTrue(srun.errors().contains("srun: error: n1: task 1: Killed\n"), srun.errors());
    assertTrue(srun.errors().endsWith("srun: Force Terminated StepId=7.0\n"), srun.errors());
    SrunProcess quiet = srun(1, "kill -9 $$", "quiet=1");
    assertEquals(137, quiet.code());
    assertEquals("srun: error: n1: task 0: Killed\n", quiet.errors());
  }

  @Test
  void labelsStandBeforeEachLine() throws Exception {
    SrunProcess srun = srun(11, "echo a; printf b; echo e >&2", "label=1");
    assertEquals(0, srun.code());
    TreeSet<String> expected = new TreeSet<>();
    for (int rank = 0; rank < 11; rank++) {
      expected.add("%2d: a".formatted(rank));
      expected.add("%2d: b".formatted(rank));
    }
    assertEquals(expected, new TreeSet<>(srun.output().lines().toList()));
    assertEquals(11, srun.errors().lines().filter(line -> line.endsWith(": e")).count());
  }

  @Test
  void inputGoesToAllToOneOrToNone() throws Exception {
    Path input = Files.writeString(spawner.home.resolve("in"), "1\n2\n");
    SrunProcess all = srun(SrunProcess.Step.of(2, "cat", "label=1"), input);
    assertEquals(0, all.code());
    assertEquals(List.of("0: 1", "0: 2", "1: 1", "1: 2"), all.output().lines().sorted().toList());
    SrunProcess one = srun(1, "cat", "stdin=0", "stdin_file=" + input);
    assertEquals(0, one.code());
    assertEquals("1\n2\n", one.output());
    SrunProcess none =
        srun(SrunProcess.Step.of(1, "cat", "stdin=none").withLaunch("stdin=r:/dev/null"), input);
    assertEquals(0, none.code());
    assertEquals("", none.output());
  }

  @Test
  void filesAreOpenedByTheCaller() throws Exception {
    Path file = Files.writeString(spawner.home.resolve("all"), "old\n");
    SrunProcess srun = srun(1, "echo out; echo err >&2", "stdout_file=a:" + file);
    assertEquals(0, srun.code());
    assertEquals(List.of("err", "old", "out"), Files.readString(file).lines().sorted().toList());
    assertEquals("", srun.output() + srun.errors());
    SrunProcess missing = srun(1, "echo never", "stdin_file=/no/such");
    assertEquals(1, missing.code());
    assertEquals(
        "srun: error: Could not open stdin file: No such file or directory\n", missing.errors());
    assertEquals(1, missing.result.get(30, TimeUnit.SECONDS).number(1));
  }

  @Test
  void theFilesOfAComponentAreForItsNodesAlone() throws Exception {
    Path file = spawner.home.resolve("first");
    String before = "stdout_file=t:" + file;
    SrunProcess first = srun(1, "echo out", "component=0", before);
    assertEquals(0, first.code());
    assertEquals("out\n", Files.readString(file));
    SrunProcess second = srun(1, "echo out", "component=0", before, "component=1");
    assertEquals(0, second.code());
    assertEquals("out\n", second.output());
    assertEquals("", Files.readString(file));
    SrunProcess same = srun(1, "echo one", before, "component=1", before, "stderr_file=t:" + file);
    assertEquals(0, same.code());
    assertEquals("one\n", Files.readString(file));
  }

  @Test
  void aStepSaysThatTheKernelKilledForWantOfMemory() throws Exception {
    Path group = Files.createDirectory(spawner.home.resolve("group"));
    Files.writeString(group.resolve("cgroup.procs"), "");
    Files.writeString(group.resolve("cgroup.kill"), "");
    Files.writeString(group.resolve("memory.events"), "oom 1\noom_kill 1\n");
    SrunProcess srun =
        srun(SrunProcess.Step.of(1, "kill -9 $$").withLaunch("cgroup=" + group), NOTHING);
    assertEquals(1, srun.code());
    String line = "slurmstepd: error: Detected 1 oom_kill event in StepId=1.0. Some of the step";
    assertTrue(srun.errors().contains(line + " tasks have been OOM Killed.\n"), srun.errors());
  }

  @Test
  void signalsThatAreIgnoredReachNobody() throws Exception {
    SrunProcess srun =
        srun(
            1,
            "trap 'echo one' USR1; trap 'echo two' USR2; echo up; while :; do sleep 0.1; done",
            "ignore_signal=15",
            "ignore_signal=10");
    srun.awaitOutput("up");
    srun.signal("TERM");
    srun.signal("USR1");
    srun.signal("USR2"); // it comes behind the others
    srun.awaitOutput("two");
    assertEquals("up\ntwo\n", srun.output());
    srun.signal("HUP");
    assertEquals(137, srun.code());
  }

  @Test
  void aStepWaitsForWhatItsTasksLeaveIfItIsTo() throws Exception {
    Path gate = spawner.home.resolve("gate");
    String script = "(until [ -e " + gate + " ]; do sleep 0.1; done; echo late) & echo early";
    SrunProcess at = srun(1, script);
    assertEquals(0, at.code());
    assertEquals("early\n", at.output());
    SrunProcess.Step step = SrunProcess.Step.of(1, script).withLaunch("children=await");
    SrunProcess waits = srun(step, NOTHING);
    waits.awaitOutput("early");
    Files.createFile(gate);
    assertEquals(0, waits.code());
    assertEquals("early\nlate\n", waits.output());
  }

  @Test
  void aStepThatWaitsForChildrenIsEndedLikeAnyOther() throws Exception {
    SrunProcess.Step step =
        SrunProcess.Step.of(1, "sleep 1000 & echo up").withLaunch("children=await");
    SrunProcess waits = srun(step, NOTHING);
    waits.awaitOutput("up");
    waits.signal("TERM");
    int code = waits.code(); // the task may have been there still
    assertTrue(code == 0 || code == 137, "code " + code);
  }

  @Test
  void aBadExitEndsTheRestIfItIsToBe() throws Exception {
    SrunProcess srun =
        srun(3, "[ $SLURM_PROCID = 1 ] && exit 5; exec sleep 1000", "kill_on_bad_exit=1");
    assertEquals(143, srun.code());
    List<String> lines = srun.errors().lines().toList();
    assertEquals("srun: error: n1: task 1: Exited with exit code 5", lines.get(0));
    assertEquals("srun: launch/slurm: _step_signal: Terminating StepId=7.0", lines.get(1));
    assertTrue(
        lines.get(2).startsWith("slurmstepd: error: *** STEP 1.0 ON n1 CANCELLED AT "),
        srun.errors());
    assertEquals("srun: error: n1: tasks 0,2: Terminated", lines.get(3));
    assertEquals("srun: Force Terminated StepId=7.0", lines.get(4));
  }

  @Test
  void theFirstEndLimitsTheOthersWhereAWaitIsSet() throws Exception {
    SrunProcess srun = srun(2, "[ $SLURM_PROCID = 1 ] && exit; exec sleep 1000", "wait=1");
    assertEquals(137, srun.code());
    List<String> lines = new ArrayList<>(srun.errors().lines().toList());
    assertTrue(lines.removeIf(line -> line.contains("CANCELLED")), srun.errors());
    assertEquals(
        List.of(
            "srun: First task exited 1s ago",
            "srun: StepId=7.0 task 0: running",
            "srun: StepId=7.0 task 1: exited",
            "srun: launch/slurm: _step_signal: Terminating StepId=7.0",
            "srun: Job step aborted: Waiting up to 3 seconds for job step to finish.",
            "srun: error: n1: task 0: Killed"),
        lines);
  }

  @Test
  void aWaitDoesNotConcernWhatEndedTasksLeave() throws Exception {
    Path gate = spawner.home.resolve("gate");
    String script = "(until [ -e " + gate + " ]; do sleep 0.1; done; echo late) & echo early";
    SrunProcess.Step step = SrunProcess.Step.of(1, script, "wait=1").withLaunch("children=await");
    SrunProcess left = srun(step, NOTHING);
    left.awaitOutput("early");
    SrunProcess later = srun(2, "[ $SLURM_PROCID = 1 ] && exit; exec sleep 1000", "wait=1");
    assertEquals(137, later.code(), "a wait that began later is over");
    Files.createFile(gate);
    assertEquals(0, left.code());
    assertEquals("early\nlate\n", left.output());
    assertEquals("", left.errors());
  }

  @Test
  void oneInterruptTellsTwoEnd() throws Exception {
    String script = "trap 'echo int; exit 1' INT; echo ready; while :; do sleep 0.02; done";
    SrunProcess srun = srun(1, script);
    srun.awaitOutput("ready");
    srun.signal("INT");
    srun.awaitErrors("srun: StepId=7.0 task 0: running\n");
    assertEquals("ready\n", srun.output());
    srun.signal("INT");
    srun.awaitErrors("srun: sending Ctrl-C to StepId=7.0\nsrun: forcing job termination\n");
    assertEquals(1, srun.code());
    assertEquals("ready\nint\n", srun.output());
    assertEquals(2, srun.result.get(30, TimeUnit.SECONDS).number(1));
  }

  @Test
  void terminationKillsAndUserSignalsArePassedOn() throws Exception {
    SrunProcess srun = srun(1, "echo ready; exec sleep 1000");
    srun.awaitOutput("ready");
    srun.signal("TERM");
    assertEquals(137, srun.code());
    assertEquals(
        List.of(
            "srun: forcing job termination",
            "srun: Job step aborted: Waiting up to 3 seconds for job step to finish."),
        srun.errors().lines().limit(2).toList());
    assertTrue(srun.errors().endsWith("srun: error: n1: task 0: Killed\n"), srun.errors());
    SrunProcess other = srun(1, "echo ready; exec sleep 1000");
    other.awaitOutput("ready");
    other.signal("USR2");
    assertEquals(140, other.code());
    assertEquals("srun: error: n1: task 0: User defined signal 2\n", other.errors());
  }

  @Test
  void aLaunchThatWaitsForItsTurnOnANodeCanBeInterrupted() throws Exception {
    Path client = Checkout.root().resolve("target/client/command");
    Path node = spawner.home.resolve("busy");
    try (var busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      busy.bind(UnixDomainSocketAddress.of(node));
      // More than fits into the connection while nothing is read there.
      String word = "arg=" + "x".repeat(4 << 20);
      SrunProcess.Step step = SrunProcess.Step.of(1, "echo never").withLaunch(word);
      SrunProcess srun = new SrunProcess(client, node, step, NOTHING);
      started.add(srun);
      try (var _ = busy.accept()) {
        srun.signal("INT");
        srun.awaitErrors("srun: StepId=7.0 task 0: running\n");
        srun.signal("TERM");
        assertEquals(1, srun.code());
      }
      assertEquals(3, srun.result.get(30, TimeUnit.SECONDS).number(1));
      assertEquals(
          List.of(
              "srun: forcing job termination",
              "srun: Job step aborted: Waiting up to 3 seconds for job step to finish.",
              "srun: error: Application launch failed: Operation canceled"),
          srun.errors().lines().skip(2).toList());
    }
  }

  @Test
  void aStepGoesOnWithoutItsAgent() throws Exception {
    Path go = spawner.home.resolve("go");
    SrunProcess srun = srun(1, "echo ready; until [ -e " + go + " ]; do sleep 0.02; done; exit 6");
    srun.awaitOutput("ready");
    srun.killAgent();
    Files.createFile(go);
    assertEquals(6, srun.code());
  }

  /** An srun whose output nobody reads, which waits to write more of it. */
  private SrunProcess unread(String redirection, String... order) throws Exception {
    Path client = Checkout.root().resolve("target/client/command");
    Path up = spawner.home.resolve("up");
    Files.createFile(up);
    Files.setPosixFilePermissions(up, PosixFilePermissions.fromString("rw-rw-rw-"));
    String script = "while :; do head -c 65536 /dev/zero; echo >>" + up + "; done";
    // A pipe that has a reader, which is this very process.
    String line = "exec 9<> <(:) " + redirection + "; exec \"$0\"";
    SrunProcess.Step step = SrunProcess.Step.of(1, script, order);
    SrunProcess srun = new SrunProcess(client, spawner.socket, step, NOTHING, line);
    started.add(srun);
    Await.seconds(30).until("it writes", () -> Files.size(up) > 9);
    return srun;
  }

  @Test
  void anInterruptEndsASrunWhoseOutputIsNotRead() throws Exception {
    SrunProcess srun = unread(">&9", "quit_on_interrupt=1");
    srun.signal("INT");
    assertEquals(1, srun.code());
    assertEquals(
        List.of(
            "srun: sending Ctrl-C to StepId=7.0",
            "srun: forcing job termination",
            "srun: Job step aborted: Waiting up to 3 seconds for job step to finish.",
            "srun: error: Timed out waiting for job step to complete"),
        srun.errors().lines().toList());
  }

  @Test
  void terminationEndsASrunWhoseErrorsAreNotReadEither() throws Exception {
    SrunProcess srun = unread(">&9 2>&9");
    srun.signal("TERM");
    assertEquals(1, srun.code());
  }

  @Test
  void aSrunWhoseOutputIsNotReadEndsWithItsShepherd() throws Exception {
    SrunProcess srun = unread(">&9");
    Path step = spawner.lastStep();
    String alive = Files.readString(step.resolve("alive"), StandardCharsets.ISO_8859_1);
    int shepherd = Integer.parseInt(alive.replaceAll("(?s)^shepherd=(\\d+).*", "$1"));
    ProcessHandle.of(shepherd).orElseThrow().destroyForcibly();
    assertEquals(1, srun.code());
    String waits = "srun: Job step aborted: Waiting up to 3 seconds for job step to finish.\n";
    assertTrue(srun.errors().startsWith(waits), srun.errors());
  }

  @Test
  void aReaderThatComesLateGetsAllOfIt() throws Exception {
    Path client = Checkout.root().resolve("target/client/command");
    Path go = spawner.home.resolve("go");
    // The step is over long before anything is read.
    String reader = "until [ -e " + go + " ]; do sleep 0.02; done; wc -c";
    String line = "exec > >(" + reader + "); exec \"$0\"";
    SrunProcess.Step step = SrunProcess.Step.of(1, "head -c 500000 /dev/zero");
    SrunProcess srun = new SrunProcess(client, spawner.socket, step, NOTHING, line);
    started.add(srun);
    Await.seconds(30).until("the step is over", () -> !spawner.news('W').isEmpty());
    Files.createFile(go);
    assertEquals(0, srun.code());
    srun.awaitOutput("500000\n");
  }

  @Test
  void aKilledFrontEndTakesItsTasksAlong() throws Exception {
    SrunProcess srun = srun(1, "echo $$; exec sleep 1000");
    srun.awaitOutput("\n");
    long task = Long.parseLong(srun.output().strip());
    srun.signal("KILL");
    Await.seconds(30).until("the task is gone", () -> ProcessHandle.of(task).isEmpty());
  }

  @Test
  void aKilledShepherdIsTold() throws Exception {
    SrunProcess srun = srun(1, "echo $PPID; exec sleep 1000");
    srun.awaitOutput("\n");
    ProcessHandle.of(Long.parseLong(srun.output().strip())).orElseThrow().destroyForcibly();
    assertEquals(1, srun.code());
    assertTrue(srun.errors().startsWith("srun: error: n1: the step was lost: "), srun.errors());
  }

  @Test
  void aLaunchThatIsRefusedIsTold() throws Exception {
    SrunProcess srun = srun(SrunProcess.Step.of(1, "echo never").withLaunch("future=1"), NOTHING);
    assertEquals(1, srun.code());
    String why = "Launch entry not understood: future=1\n";
    assertTrue(
        srun.errors()
            .startsWith(
                "srun: error: Task launch for StepId=7.0 failed on node n1: "
                    + why
                    + "srun: error: Application launch failed: "
                    + why),
        srun.errors());
    assertEquals(1, srun.result.get(30, TimeUnit.SECONDS).number(1) & 1);
    assertFalse(srun.output().contains("never"));
  }
}
