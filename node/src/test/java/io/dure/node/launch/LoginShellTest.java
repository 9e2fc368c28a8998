package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.ProcFs;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps whose environment a login makes, without control groups. */
@Tag("process")
class LoginShellTest {
  private static final Duration AMPLE = Duration.ofHours(1);

  private Bench bench;

  @BeforeEach
  void open() throws Exception {
    bench = new Bench();
  }

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  private Bench.Draft step(String loginFile, Duration patience, String... script)
      throws IOException {
    Files.writeString(bench.work.resolve(".bash_profile"), loginFile);
    Bench.Draft step = bench.step(script);
    step.environment.remove("PATH");
    String home = bench.work.toString();
    step.login =
        new LoginShell(
            "/bin/bash",
            home,
            new LinkedHashMap<>(Map.of("HOME", home, "PATH", "/usr/bin:/bin")),
            new LinkedHashMap<>(Map.of("PATH", "/bin", "HOME", home, "TMPDIR", "/tmp")),
            patience);
    return step;
  }

  private boolean isAlive(String file) throws IOException {
    String pid = Files.readString(bench.work.resolve(file)).strip();
    return ProcFs.ofThisMachine().isAlive(Integer.parseInt(pid));
  }

  @Test
  void theLoginsVariablesLieBelowTheSteps() throws Exception {
    Bench.Draft step =
        step(
            "echo Welcome; pwd; export A='one\ntwo' B=login PATH=/mine:/usr/bin:/bin\n",
            AMPLE,
            "echo \"$A\"; echo $B $C $PATH $HOME $TMPDIR; echo $SHLVL ${OLDPWD-none}; env >env");
    step.environment.put("B", "step");
    step.environment.put("C", "step");
    assertEquals("0:0", step.run().exitCode());
    assertEquals(
        "one\ntwo\nstep step /mine:/usr/bin:/bin " + bench.work + " /tmp\n1 none\n", step.output());
    List<String> variables = Files.readAllLines(bench.work.resolve("env"));
    assertEquals(1, variables.stream().filter(line -> line.startsWith("B=")).count());
    assertTrue(variables.stream().noneMatch(line -> line.startsWith("XXXX")));
  }

  @Test
  void withoutALoginShellTheStepGetsWhatItNeeds() throws Exception {
    Bench.Draft step = step("", AMPLE, "echo $PATH");
    step.login =
        new LoginShell(
            "/usr/sbin/nologin",
            "/no/home",
            step.login.environment(),
            step.login.fallback(),
            AMPLE);
    assertEquals("0:0", step.run().exitCode());
    assertEquals("/bin\n", step.output());
  }

  @Test
  void whatItLeavesInTheBackgroundEndsWithTheStep() throws Exception {
    Bench.Draft step =
        step(
            "(env -i /usr/bin/setsid /bin/sleep 7780 & echo $! >left)\n",
            AMPLE,
            "echo ready; while [ ! -e gate ]; do sleep 0.02; done");
    RunningStep running = step.start();
    step.awaitOutput("ready");
    assertTrue(isAlive("left"), "as long as the step");
    int pid = Integer.parseInt(Files.readString(bench.work.resolve("left")).strip());
    assertTrue(running.processes().contains(pid), "the step's");
    Files.createFile(bench.work.resolve("gate"));
    assertEquals("0:0", Bench.end(running).exitCode());
    assertTrue(!isAlive("left"), "no longer");
  }

  @Test
  void aLoginThatHangsIsGivenUp() throws Exception {
    Bench.Draft step = step("echo $$ >hangs; sleep 7781\n", Duration.ofMillis(300), "echo $PATH");
    assertEquals("0:0", step.run().exitCode());
    assertEquals("/bin\n", step.output());
    assertTrue(!isAlive("hangs"), "the login shell");
  }

  @Test
  void aStepIsEndedWhileItsLoginHangs() throws Exception {
    Bench.Draft step = step("echo $$ >hangs; sleep 7782\n", AMPLE, "echo ran");
    RunningStep running = step.start();
    Path hangs = bench.work.resolve("hangs");
    Await.seconds(20)
        .until("it hangs", () -> Files.exists(hangs) && Files.readString(hangs).endsWith("\n"));
    // The shepherd may be sooner with the others, once the first of them has gone.
    assertTrue(running.signal(KillSystemCall.SIGKILL, SignalScope.WHOLE_STEP) >= 1);
    assertEquals(9, assertInstanceOf(StepExit.Signalled.class, Bench.end(running)).signal());
    assertEquals("", step.output());
    assertTrue(!isAlive("hangs"), "the login shell");
  }
}
