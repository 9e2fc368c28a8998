package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is left of a step when the daemon, the shepherd or the disk fails. */
@Tag("process")
class RestartTest {
  /** Leaves processes behind in every way a script can: child, own session, orphan. */
  private static final String[] STUBBORN = {
    "sleep 1000 &",
    "(setsid setsid bash -c 'trap \"\" TERM HUP; echo ready; while :; do sleep 1000; done' &)",
    "echo ready",
    "while :; do sleep 1000; done"
  };

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
  void aJobOutlivesItsDaemonAndItsExitCodeArrives() throws Exception {
    var step = bench.step("echo ready; until [ -e go ]; do sleep 0.01; done; exit 5");
    StepDirectory directory = step.create();
    DoomedDaemon.startAndDie(directory);
    step.awaitOutput("ready");
    RunningStep adopted = bench.shepherd.adopt(directory);
    assertEquals(directory.identity(), adopted.identity());
    assertTrue(adopted.processes().contains(adopted.scriptPid()));
    assertFalse(adopted.exit().toCompletableFuture().isDone());
    Files.createFile(bench.work.resolve("go"));
    assertEquals("5:0", Bench.end(adopted).exitCode());
  }

  @Test
  void aJobThatEndedWhileNoDaemonWasThereIsKnownAtOnce() throws Exception {
    var step = bench.step("until [ -e go ]; do sleep 0.01; done; kill -9 $$");
    StepDirectory directory = step.create();
    DoomedDaemon.startAndDie(directory);
    Files.createFile(bench.work.resolve("go"));
    Await.seconds(20).until("the exit record stands", () -> directory.exit() != null);
    assertEquals("0:9", Bench.end(bench.shepherd.adopt(directory)).exitCode());
    assertEquals("0:9", Bench.end(bench.shepherd.adopt(directory)).exitCode(), "as often as asked");
  }

  @Test
  void anAdoptedJobCanBeKilled() throws Exception {
    var step = bench.step(STUBBORN);
    StepDirectory directory = step.create();
    DoomedDaemon.startAndDie(directory);
    step.awaitOutput("ready\nready\n");
    RunningStep adopted = bench.shepherd.adopt(directory);
    assertTrue(adopted.signal(9, SignalScope.WHOLE_STEP) >= 1);
    assertEquals("0:9", Bench.end(adopted).exitCode());
    assertEquals(List.of(), step.alive());
  }

  @Test
  void aKilledShepherdMeansLostAndNoProcessIsLeft() throws Exception {
    var step = bench.step(STUBBORN);
    RunningStep running = step.start();
    step.awaitOutput("ready\nready\n");
    // Two shells, each of which says that it is ready before it starts another program.
    Await.seconds(20).until("all of it runs", () -> step.alive().size() >= 4);
    KillSystemCall.send(running.directory().shepherd(), KillSystemCall.SIGKILL);
    var lost = assertInstanceOf(StepExit.Lost.class, Bench.end(running));
    assertEquals(0, lost.survivors());
    assertEquals(List.of(), step.alive());
  }

  @Test
  void aShepherdKilledAfterItsDaemonMeansLostToo() throws Exception {
    var step = bench.step(STUBBORN);
    StepDirectory directory = step.create();
    DoomedDaemon.startAndDie(directory);
    step.awaitOutput("ready\nready\n");
    RunningStep adopted = bench.shepherd.adopt(directory);
    KillSystemCall.send(directory.shepherd(), KillSystemCall.SIGKILL);
    assertEquals(0, assertInstanceOf(StepExit.Lost.class, Bench.end(adopted)).survivors());
    assertEquals(List.of(), step.alive());
    assertInstanceOf(StepExit.Lost.class, Bench.end(bench.shepherd.adopt(directory)));
  }

  @Test
  void theScriptDiesWithItsShepherdEvenWithoutADaemon() throws Exception {
    var step = bench.step("echo ready; while :; do sleep 1000; done");
    StepDirectory directory = step.create();
    DoomedDaemon.startAndDie(directory);
    step.awaitOutput("ready");
    RecordedProcess script = directory.child();
    assertTrue(script.isAlive());
    KillSystemCall.send(directory.shepherd(), KillSystemCall.SIGKILL);
    Await.seconds(20).until("the script is gone", () -> !script.isAlive());
    assertInstanceOf(StepExit.Lost.class, Bench.end(bench.shepherd.adopt(directory)));
    assertEquals(List.of(), step.alive());
  }

  @Test
  void aStepThatWasDeclaredLostNeverStartsLater() throws Exception {
    var step = bench.step("echo run");
    StepDirectory directory = step.create();
    var lost = assertInstanceOf(StepExit.Lost.class, Bench.end(bench.shepherd.adopt(directory)));
    assertFalse(lost.mayHaveRun());
    Bench.end(bench.shepherd.start(directory));
    assertFalse(Files.exists(Path.of(step.stdout)));
  }

  @Test
  void aShepherdThatIsNotThereIsAnErrorOfTheStart() throws Exception {
    StepDirectory directory = bench.step("true").create();
    var missing = new Shepherd(Path.of("/no/such/shepherd"));
    org.junit.jupiter.api.Assertions.assertThrows(
        java.io.IOException.class, () -> missing.start(directory));
  }

  @Test
  void aFullSpoolLosesNoExitRecord() throws Exception {
    assumeTrue(Bench.isRoot(), "mounting a small disk takes root");
    Path disk = Files.createDirectory(bench.spool.resolve("disk"));
    assumeTrue(
        done("mount", "-t", "tmpfs", "-o", "size=128k,mode=755", "tmpfs", disk.toString()),
        "mounting is not allowed here");
    try {
      var step = bench.step("echo ready; until [ -e go ]; do sleep 0.01; done; exit 9");
      step.spool = disk;
      RunningStep running = step.start();
      step.awaitOutput("ready");
      Await.seconds(20).until("the pid record stands", () -> running.scriptPid() != 0);
      fill(disk.resolve("filler"));
      Files.createFile(bench.work.resolve("go"));
      assertEquals("9:0", Bench.end(running).exitCode(), "its space was reserved");
    } finally {
      assertTrue(done("umount", "-l", disk.toString()));
    }
  }

  @Test
  void anExitRecordThatCannotBeWrittenIsTriedAgainUntilItStands() throws Exception {
    var step = bench.step("until [ -e go ]; do sleep 0.01; done; exit 11");
    RunningStep running = step.start();
    Path obstacle = Files.createDirectory(running.directory().path().resolve("exit"));
    Files.createFile(bench.work.resolve("go"));
    Await.seconds(20)
        .until("it complains", () -> running.directory().logTail().contains("exit record"));
    assertFalse(running.exit().toCompletableFuture().isDone());
    Files.delete(obstacle);
    assertEquals("11:0", Bench.end(running).exitCode());
  }

  private static void fill(Path file) {
    try (var out = Files.newOutputStream(file)) {
      while (true) {
        out.write(new byte[512]);
      }
    } catch (java.io.IOException full) {
      assertTrue(full.getMessage().contains("No space"), full.getMessage());
    }
  }

  private static boolean done(String... words) throws Exception {
    return new ProcessBuilder(words).inheritIO().start().waitFor() == 0;
  }
}
