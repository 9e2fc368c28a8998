package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One step from start to end: rights, files, limits, exit status, signals. */
@Tag("process")
class ShepherdTest {
  private Bench bench;

  @BeforeEach
  void open() throws Exception {
    bench = new Bench();
  }

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  @Test
  void exitCodeAndUsageAreRecorded() throws Exception {
    var step = bench.step("exit 7");
    var exit = assertInstanceOf(StepExit.Exited.class, step.run());
    assertEquals(7, exit.code());
    assertEquals("7:0", exit.exitCode());
    assertFalse(exit.usage().end().isBefore(exit.usage().start()));
    assertTrue(exit.usage().maxRssKib() > 100, () -> exit.toString());
  }

  @Test
  void signalIsRecorded() throws Exception {
    var exit = assertInstanceOf(StepExit.Signalled.class, bench.step("kill -TERM $$").run());
    assertEquals(15, exit.signal());
    assertEquals("0:15", exit.exitCode());
  }

  @Test
  void runsAsTheUserInItsPlace() throws Exception {
    var step =
        bench.step(
            "id -u; id -g; id -G; umask; pwd -P; echo \"$@\"; echo $0; cut -d' ' -f6 /proc/self/stat; echo $$");
    step.umask = 027;
    step.arguments = List.of("one", "two words");
    assertEquals(0, assertInstanceOf(StepExit.Exited.class, step.run()).code());
    List<String> lines = step.output().lines().toList();
    assertEquals(Integer.toString(bench.user.uid()), lines.get(0));
    assertEquals(Integer.toString(bench.user.gid()), lines.get(1));
    if (Bench.isRoot()) {
      assertEquals("65534 12345", lines.get(2));
    }
    assertEquals("0027", lines.get(3));
    assertEquals(bench.work.toRealPath().toString(), lines.get(4));
    assertEquals("one two words", lines.get(5));
    assertEquals(
        StepDirectory.pathOf(bench.spool, step.jobId, "batch") + "/slurm_script", lines.get(6));
    assertEquals(lines.get(8), lines.get(7), "the script leads its own session");
    assertEquals(
        "rw-r-----",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(step.stdout))));
  }

  @Test
  void limitsAreSetAndLoweredWhereTooHigh() throws Exception {
    var step = bench.step("ulimit -Sn; ulimit -Hn; ulimit -Sc; ulimit -Ss");
    step.limits =
        List.of(
            new StepRlimit(StepRlimit.Resource.NOFILE, 100, StepRlimit.UNLIMITED),
            new StepRlimit(StepRlimit.Resource.CORE, 0, 0),
            new StepRlimit(StepRlimit.Resource.STACK, 4 << 20, 4 << 20));
    step.run();
    List<String> lines = step.output().lines().toList();
    assertEquals("100", lines.get(0));
    assertFalse(lines.get(1).isEmpty());
    assertEquals("0", lines.get(2));
    assertEquals("4096", lines.get(3));
  }

  @Test
  void environmentIsExactlyWhatWasGivenAndKnowsThePid() throws Exception {
    var step = bench.step("[ $SLURM_TASK_PID = $$ ] && tr '\\0' '\\n' </proc/$$/environ");
    step.environment.put("SLURM_TASK_PID", "");
    step.environment.put("MULTI", "a\nb");
    step.environment.put("KOREAN", "두레");
    assertEquals("0:0", step.run().exitCode());
    assertTrue(step.output().contains("MULTI=a\nb\n"), step.output());
    assertTrue(step.output().contains("KOREAN=두레\n"), step.output());
    assertFalse(step.output().contains("JAVA_HOME="), step.output());
  }

  @Test
  void stdinIsReadAndStderrJoinsStdout() throws Exception {
    Path input = Files.writeString(bench.work.resolve("input"), "hello\n");
    var step = bench.step("cat", "echo oops >&2", "echo done");
    step.stdin = input.toString();
    step.run();
    assertEquals("hello\noops\ndone\n", step.output());
  }

  @Test
  void openModeAppendsOrTruncates() throws Exception {
    var step = bench.step("echo new; echo err >&2");
    Files.writeString(Path.of(step.stdout), "old and long\n");
    Files.setPosixFilePermissions(
        Path.of(step.stdout), PosixFilePermissions.fromString("rw-rw-rw-"));
    step.openMode = OutputOpenMode.APPEND;
    step.stderr = bench.work.resolve("err").toString();
    step.run();
    assertEquals("old and long\nnew\n", step.output());
    assertEquals("err\n", Files.readString(bench.work.resolve("err")));
    var second = bench.step("echo new");
    second.stdout = step.stdout;
    second.run();
    assertEquals("new\n", step.output());
  }

  @Test
  void aWorkingDirectoryThatIsGoneMeansTmpWithSlurmsMessage() throws Exception {
    var step = bench.step("pwd");
    step.workingDirectory = "/no/such/dir";
    assertEquals("0:0", step.run().exitCode());
    assertEquals(
        "slurmstepd: error: couldn't chdir to `/no/such/dir': No such file or directory:"
            + " going to /tmp instead\n/tmp\n",
        step.output());
  }

  @Test
  void outputThatCannotBeWrittenIsALaunchFailure() throws Exception {
    var step = bench.step("echo never");
    step.stdout = "/no/such/dir/out";
    var exit = assertInstanceOf(StepExit.LaunchFailed.class, step.run());
    assertEquals(LaunchStage.STDOUT, exit.stage());
    assertEquals(
        "Could not open stdout file /no/such/dir/out: No such file or directory", exit.text());
    assertEquals("0:53", exit.exitCode());
    assertTrue(exit.stage().isUsersFault());
  }

  @Test
  void filesAreOpenedWithTheUsersRightsOnly() throws Exception {
    Path secret = Files.writeString(bench.spool.resolve("secret"), "secret");
    Files.setPosixFilePermissions(
        secret, PosixFilePermissions.fromString(Bench.isRoot() ? "rw-------" : "---------"));
    var reading = bench.step("cat");
    reading.stdin = secret.toString();
    var exit = assertInstanceOf(StepExit.LaunchFailed.class, reading.run());
    assertEquals(LaunchStage.STDIN, exit.stage());
    assertEquals(13, exit.errno());
    var writing = bench.step("true");
    writing.stderr = secret.toString();
    assertEquals(
        LaunchStage.STDERR, assertInstanceOf(StepExit.LaunchFailed.class, writing.run()).stage());
    assertEquals("secret", Files.readString(secret));
  }

  @Test
  void badInterpreterIsALaunchFailureThatTheUserReads() throws Exception {
    var step = bench.step();
    step.script = "#!/no/such/shell -e\n";
    var exit = assertInstanceOf(StepExit.LaunchFailed.class, step.run());
    assertEquals(LaunchStage.EXEC, exit.stage());
    assertEquals(
        "execve(): bad interpreter(/no/such/shell): No such file or directory", exit.text());
    assertEquals("slurmstepd: error: " + exit.text() + "\n", step.output());
    var text = bench.step();
    text.script = "echo no interpreter line\n";
    assertTrue(
        assertInstanceOf(StepExit.LaunchFailed.class, text.run())
            .text()
            .endsWith("Exec format error"));
  }

  @Test
  void othersCannotReadTheScriptNorTheRest() throws Exception {
    var directory = bench.step("true").create();
    assertEquals(
        "rwx--x--x",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())));
    Path script = directory.path().resolve("slurm_script");
    assertEquals("r-x------", PosixFilePermissions.toString(Files.getPosixFilePermissions(script)));
    assertEquals(
        Files.getAttribute(directory.path(), "unix:uid"), Files.getAttribute(script, "unix:uid"));
    for (String name : List.of("launch", "step")) {
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(
              Files.getPosixFilePermissions(directory.path().resolve(name))));
    }
    assertEquals(
        "#!/bin/bash\ntrue\n",
        new String(directory.script(), java.nio.charset.StandardCharsets.UTF_8));
    assertEquals("run=1", directory.identity().note());
    assertEquals(List.of(directory), StepDirectory.list(bench.spool));
    StepDirectory.removeTree(directory.path());
    assertEquals(List.of(), StepDirectory.list(bench.spool));
  }

  @Test
  void aScriptIsReadByItsUserAloneAndWrittenByNobody() throws Exception {
    assumeTrue(Bench.isRoot(), "needs root: the script is not its user's then");
    var step =
        bench.step(
            "exec 2>/dev/null",
            "echo '# more' >>\"$0\" && echo appended",
            "chmod 700 \"$0\" && echo changed",
            "mv \"$0\" \"$0.old\" && echo moved",
            "echo x >\"${0%/*}/more\" && echo made",
            "for fd in /proc/$$/fd/*; do",
            "  if [ $(readlink $fd) = \"$0\" ]; then found=1; echo x >$fd && echo written; fi",
            "done",
            "echo found $found, $(head -n 1 \"$0\")",
            "echo ready; while [ ! -e gate ]; do sleep 0.02; done");
    RunningStep running = step.start();
    step.awaitOutput("ready");
    Path script = running.directory().path().resolve("slurm_script");
    Process other =
        new ProcessBuilder(
                "setpriv",
                "--reuid=54321",
                "--regid=" + Bench.NOBODY,
                "--clear-groups",
                "cat",
                script.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(1, other.waitFor(), "another user of the same group reads it");
    Files.createFile(bench.work.resolve("gate"));
    assertEquals("0:0", Bench.end(running).exitCode());
    assertEquals("found 1, #!/bin/bash\nready\n", step.output());
    assertEquals(
        step.script,
        new String(running.directory().script(), java.nio.charset.StandardCharsets.UTF_8));
  }

  @Test
  void aDirectoryIsNeverUsedTwice() throws Exception {
    var step = bench.step("echo run >>count");
    var directory = step.create();
    assertThrows(FileAlreadyExistsException.class, step::create);
    assertInstanceOf(StepExit.Exited.class, Bench.end(bench.shepherd.start(directory)));
    assertInstanceOf(StepExit.Exited.class, Bench.end(bench.shepherd.start(directory)));
    assertEquals("run\n", Files.readString(bench.work.resolve("count")));
  }

  @Test
  void orphansAreKilledWhenTheScriptEnds() throws Exception {
    List<Integer> others = processesOfUser();
    var step =
        bench.step(
            "(setsid setsid bash -c 'trap \"\" TERM HUP; echo ready >ready; while :; do sleep 1000; done' &)",
            "sleep 1000 & disown",
            "env -i setsid sleep 1000 &",
            "until [ -s ready ]; do :; done",
            "exit 3");
    assertEquals("3:0", step.run().exitCode());
    assertEquals(List.of(), step.alive());
    List<Integer> left = new ArrayList<>(processesOfUser());
    left.removeAll(others);
    assertEquals(List.of(), left);
  }

  private List<Integer> processesOfUser() throws IOException {
    return ProcFs.ofThisMachine().processes().stream()
        .filter(process -> process.isAlive() && ofUser(process))
        .map(ProcessStat::pid)
        .toList();
  }

  private boolean ofUser(ProcessStat process) {
    return Bench.isRoot() && StepProcesses.realUid(process.pid()) == bench.user.uid();
  }

  @Test
  void aSignalReachesTheBatchShellAloneOrEveryProcess() throws Exception {
    var step =
        bench.step(
            "trap 'echo shell' USR1",
            "bash -c 'trap \"echo child\" USR1; echo ready; while :; do sleep 0.05; done' &",
            "(setsid bash -c 'trap \"echo session\" USR1; echo ready; while :; do sleep 0.05; done' &)",
            "while :; do sleep 0.05; done");
    RunningStep running = step.start();
    step.awaitOutput("ready\nready\n");
    assertEquals(1, running.signal(10, SignalScope.BATCH_SHELL));
    step.awaitOutput("shell");
    assertFalse(step.output().contains("child"));
    assertTrue(running.signal(10, SignalScope.WHOLE_STEP) >= 1);
    // sleep dies of the signal, the shells go on.
    step.awaitOutput("child");
    step.awaitOutput("session");
    // The shell dies of the first one sent, and then the shepherd kills the rest as well.
    assertTrue(running.signal(9, SignalScope.WHOLE_STEP) >= 1);
    assertEquals("0:9", Bench.end(running).exitCode());
    assertEquals(List.of(), running.processes());
    assertEquals(0, running.signal(9, SignalScope.WHOLE_STEP));
  }

  @Test
  void aStepThatHangsBeforeItRunsCanBeKilled() throws Exception {
    // Opening a pipe for writing waits for a reader, who never comes.
    var step = bench.step("echo never");
    Path fifo = bench.work.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", "-m", "666", fifo.toString()).start().waitFor());
    step.stdout = fifo.toString();
    RunningStep running = step.start();
    Await.seconds(20)
        .until(
            "it is killed",
            () ->
                running.signal(9, SignalScope.BATCH_SHELL) > 0
                    || running.exit().toCompletableFuture().isDone());
    assertEquals("0:9", Bench.end(running).exitCode());
  }

  @Test
  void theShepherdIgnoresSignalsMeantForOthers() throws Exception {
    var step = bench.step("echo ready; read -r line <fifo");
    assertEquals(
        0,
        new ProcessBuilder("mkfifo", "-m", "666", bench.work.resolve("fifo").toString())
            .start()
            .waitFor());
    RunningStep running = step.start();
    step.awaitOutput("ready");
    RecordedProcess shepherd = running.directory().shepherd();
    for (int signal : new int[] {1, 2, 3, 10, 12, 13, 14, 15}) {
      assertTrue(KillSystemCall.send(shepherd, signal));
    }
    Files.writeString(bench.work.resolve("fifo"), "go\n");
    assertEquals("0:0", Bench.end(running).exitCode());
  }

  @Test
  void anUnknownLaunchEntryIsAFailureNotAGuess() throws Exception {
    var directory = bench.step("true").create();
    Files.writeString(directory.path().resolve("launch"), "colour=blue\0\0");
    var exit =
        assertInstanceOf(StepExit.LaunchFailed.class, Bench.end(bench.shepherd.start(directory)));
    assertEquals(LaunchStage.LAUNCH, exit.stage());
    assertTrue(exit.text().contains("colour=blue"), exit.text());
  }

  @Test
  void twoHundredQuickSteps() throws Exception {
    int count = 200;
    long start = System.nanoTime();
    var steps = new java.util.ArrayList<RunningStep>();
    for (int i = 0; i < count; i++) {
      var step = bench.step("exit " + i % 256);
      step.stdout = "/dev/null";
      steps.add(step.start());
    }
    for (int i = 0; i < count; i++) {
      assertEquals(i % 256 + ":0", Bench.end(steps.get(i)).exitCode());
    }
    System.out.printf(
        "shepherd: %.0f steps of bash per second%n", count / ((System.nanoTime() - start) / 1e9));
  }
}
