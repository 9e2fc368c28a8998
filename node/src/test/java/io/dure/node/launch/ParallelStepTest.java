package io.dure.node.launch;

import static io.dure.testkit.step.StepConnection.written;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.node.step.StepControl;
import io.dure.testkit.Await;
import io.dure.testkit.step.SpawnerProcess;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parallel steps under real shepherds, started by a real spawner; the test is the front end. */
@Tag("process")
class ParallelStepTest extends ParallelStepFixture {
  @Test
  void outputErrorsAndStatusOfOneTask() throws Exception {
    List<StepFrame> frames = run(shell(1, "echo out; echo err >&2; exit 3"));
    assertEquals("out\n", written(frames, 'O', 0));
    assertEquals("err\n", written(frames, 'E', 0));
    assertEquals(List.of(3 << 8), statuses(frames));
    assertEquals('Z', frames.getLast().type());
    assertEquals("3:0", exit().exitCode());
  }

  @Test
  void tasksBeginTogetherAndKnowTheirPlace() throws Exception {
    List<String> entries =
        shell(3, "echo $SLURM_PROCID $SLURM_LOCALID $MARK; echo $SLURM_TASK_PID $$");
    entries.replaceAll(entry ->
        entry.startsWith("rank=") ? "rank=" + (7 + Integer.parseInt(entry.substring(5))) : entry);
    entries.add("task_env=1:MARK=second");
    List<StepFrame> frames = run(entries);
    StepFrame begun = only(frames, 'B');
    assertEquals(3, begun.number(1));
    for (int local = 0; local < 3; local++) {
      int rank = 7 + local;
      assertEquals(rank, begun.number(2 + 2 * local));
      String pid = Integer.toString(begun.number(3 + 2 * local));
      String mark = local == 1 ? " second" : "";
      assertEquals(
          rank + " " + local + mark + "\n" + pid + " " + pid + "\n", written(frames, 'O', rank));
    }
  }

  @Test
  void tasksMayHaveProgramsFilesAndCpusOfTheirOwn() throws Exception {
    Path out = Files.createDirectory(spawner.home.resolve("out"));
    Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rwxrwxrwx"));
    List<String> entries = tasks(2, "/bin/echo", "common");
    entries.addAll(List.of("task_arg=1:/bin/echo", "task_arg=1:own"));
    entries.add("task_stdout=1:t:" + out.resolve("own"));
    List<StepFrame> frames = run(entries);
    assertEquals("common\n", written(frames, 'O', 0));
    assertEquals("", written(frames, 'O', 1));
    assertEquals("own\n", Files.readString(out.resolve("own")));
  }

  @Test
  void aTaskIsToldAndBoundForItself() throws Exception {
    List<String> entries =
        shell(2, "grep Cpus_allowed_list /proc/self/status; head -1 /proc/self/numa_maps");
    entries.addAll(List.of("task_cpu=0:0", "task_memory=0:bind:0", "task_note=0:task %p here"));
    entries.addAll(List.of("task_note=1:one", "task_note=1:cannot begin", "task_fails=1:"));
    List<StepFrame> frames = run(entries);
    StepFrame begun = only(frames, 'B');
    assertEquals("task " + begun.number(3) + " here\n", written(frames, 'E', 0));
    String bound = written(frames, 'O', 0);
    assertTrue(bound.startsWith("Cpus_allowed_list:\t0\n"), bound);
    assertTrue(bound.contains(" bind:0 "), bound);
    assertEquals("one\ncannot begin\n", written(frames, 'E', 1));
    assertEquals("", written(frames, 'O', 1));
    assertEquals(List.of(0, 1 << 8), statuses(frames));
  }

  @Test
  void linesInFilesHaveTheNumberOfTheirTask() throws Exception {
    Path out = Files.createDirectory(spawner.home.resolve("labelled"));
    Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rwxrwxrwx"));
    List<String> entries = shell(2, "echo a; echo b >&2; printf rest");
    entries.removeIf(entry -> entry.startsWith("stdout=") || entry.startsWith("stderr="));
    entries.addAll(List.of("label=2", "stdout=t:" + out.resolve("all")));
    entries.add("task_stderr=1:a:" + out.resolve("err"));
    List<StepFrame> frames = run(entries);
    assertEquals(List.of(0, 0), statuses(frames));
    List<String> lines = Files.readAllLines(out.resolve("all"));
    String all = String.join("\n", lines);
    assertTrue(all.contains(" 0: a\n") && all.contains(" 0: b") && all.contains(" 1: a"), all);
    assertEquals(" 1: b\n", Files.readString(out.resolve("err")));
    entries.add("task_stdout=0:t:/no/such/file");
    StepFrame failed = only(run(entries), 'F');
    assertTrue(failed.text(2).contains("No such file or directory"), failed.text(2));
  }

  @Test
  void whatIsSaidOfAStepAfterItsLabelledFileIsClosedGoesToTheFrontEnd() throws Exception {
    Path out = Files.createDirectory(spawner.home.resolve("labelled"));
    Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path group = Files.createDirectory(spawner.home.resolve("group"));
    Files.writeString(group.resolve("cgroup.procs"), "");
    Files.writeString(group.resolve("cgroup.kill"), "");
    Files.writeString(group.resolve("memory.events"), "oom 1\noom_kill 1\n");
    List<String> entries = shell(1, "exec >&- 2>&-; : >" + out.resolve("closed") + "; read line");
    entries.removeIf(entry -> entry.startsWith("stdout=") || entry.startsWith("stderr="));
    entries.addAll(List.of("label=1", "stdout=t:" + out.resolve("all"), "cgroup=" + group));
    try (StepConnection front = launch(entries)) {
      Await.seconds(30).until("it has closed it", () -> Files.exists(out.resolve("closed")));
      // The shepherd reads this behind the end of the output.
      front.send(StepFrame.of('I', EVERY_TASK, "\n"));
      String said = written(front.until('Z'), 'O', 0);
      assertTrue(said.startsWith("slurmstepd: error: Detected 1 oom_kill event"), said);
    }
    assertEquals("", Files.readString(out.resolve("all")));
  }

  @Test
  void programsThatCannotRunEndTheirTasksAsSlurmDoes() throws Exception {
    List<StepFrame> missing = run(tasks(2, "/no/such"));
    String text = "slurmstepd: error: execve(): /no/such: No such file or directory\n";
    assertEquals(text, written(missing, 'E', 0));
    assertEquals(text, written(missing, 'E', 1));
    assertEquals(List.of(2 << 8, 2 << 8), statuses(missing));
    assertEquals("2:0", exit().exitCode());
    List<StepFrame> closed = run(tasks(1, "/etc/passwd"));
    assertEquals(
        "slurmstepd: error: execve(): /etc/passwd: Permission denied\n", written(closed, 'E', 0));
    assertEquals(List.of(13 << 8), statuses(closed));
    assertEquals(
        "slurmstepd: error: execve(): nosuchprogram: No such file or directory\n",
        written(run(tasks(1, "nosuchprogram")), 'E', 0));
    assertEquals("x\n", written(run(tasks(1, "echo", "x")), 'O', 0));
  }

  @Test
  void whatATaskLeavesBehindEndsWithIt() throws Exception {
    List<StepFrame> frames = run(shell(2, "sleep 1000 & head -c 100000 /dev/zero; exit 3"));
    assertEquals(100000, written(frames, 'O', 0).length());
    assertEquals(100000, written(frames, 'O', 1).length());
    assertEquals(List.of(3 << 8, 3 << 8), statuses(frames));
    assertEquals("3:0", exit().exitCode());
    List<StepFrame> quiet = run(shell(1, "sleep 1000 >/dev/null 2>&1 & echo $!"));
    int left = Integer.parseInt(written(quiet, 'O', 0).strip());
    assertFalse(ProcessHandle.of(left).isPresent(), "no process is left when Z is said");
  }

  @Test
  void aProgramIsLookedForInPathAndThenHere(@TempDir Path tools) throws Exception {
    Path tool = Files.writeString(tools.resolve("onlyhere"), "#!/bin/sh\necho found\n");
    Files.setPosixFilePermissions(tools, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (StepConnection front = StepConnection.to(spawner.socket)) {
      front.send(SpawnerProcess.launch(tasks(1, "onlyhere"), "PATH=/usr/bin:" + tools));
      assertEquals("found\n", written(front.until('Z'), 'O', 0));
    }
    List<String> here = tasks(1, "onlyhere");
    here.add("cwd=" + tools);
    assertEquals("found\n", written(run(here), 'O', 0));
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(
        "slurmstepd: error: execve(): ./onlyhere: Permission denied\n", written(run(here), 'E', 0));
  }

  @Test
  void theHighestStatusIsTheStepsAndASignalIsHigherThanACode() throws Exception {
    run(shell(3, "exit $((3 - SLURM_PROCID))"));
    assertEquals("3:0", exit().exitCode());
    run(shell(2, "[ $SLURM_PROCID = 1 ] && kill -TERM $$; exit 200"));
    assertEquals("0:15", exit().exitCode());
    String record = Files.readString(spawner.lastStep().resolve("exit"));
    assertTrue(record.contains("task=0:51200:") && record.contains("\0task=1:15:"), record);
  }

  @Test
  void aTaskThatCannotBeMadeReadyStartsNone() throws Exception {
    List<String> entries = shell(2, "echo never");
    entries.add("task_stdout=1:t:/no/such/file");
    List<StepFrame> frames = run(entries);
    StepFrame failed = only(frames, 'F');
    assertEquals(2, failed.number(1));
    assertEquals(
        "stdout\0Could not open stdout file /no/such/file: No such file or directory\0",
        failed.text(2));
    assertEquals('Z', frames.getLast().type());
    assertEquals("", written(frames, 'O', 0));
    var recorded = assertInstanceOf(StepExit.LaunchFailed.class, exit());
    assertEquals(LaunchStage.STDOUT, recorded.stage());
  }

  @Test
  void aLaunchFileThatIsNotUnderstoodStartsNothing() throws Exception {
    List<String> entries = shell(1, "echo never");
    entries.add("future=1");
    List<StepFrame> frames = run(entries);
    assertEquals("launch\0Launch entry not understood: future=1\0", only(frames, 'F').text(2));
    assertEquals("", written(frames, 'O', 0));
  }

  @Test
  void inputGoesToAllOrToOne() throws Exception {
    try (StepConnection front = launch(tasks(3, "/bin/cat"))) {
      front.send(StepFrame.of('I', EVERY_TASK, "for all\n"));
      assertEquals(EVERY_TASK, front.await('i').number(0));
      front.send(StepFrame.of('I', 1, "for one\n"));
      List<StepFrame> frames = new ArrayList<>(front.until('i'));
      front.send(StepFrame.of('I', EVERY_TASK, ""));
      frames.addAll(front.until('Z'));
      assertTrue(written(frames, 'O', 1).endsWith("for one\n"), frames::toString);
      assertEquals(List.of(0, 0, 0), statuses(frames));
    }
  }

  @Test
  void inputWaitsForATaskThatDoesNotReadAndNotForOneThatHasEnded() throws Exception {
    byte[] chunk = new byte[65536];
    try (StepConnection front = launch(shell(2, "[ $SLURM_PROCID = 0 ] && exit; wc -c"))) {
      front.await('X');
      for (int i = 0; i < 64; i++) {
        front.send(StepFrame.of('I', EVERY_TASK, chunk));
        front.await('i');
      }
      front.send(StepFrame.of('I', EVERY_TASK, ""));
      assertEquals("4194304", written(front.until('Z'), 'O', 1).strip());
    }
  }

  @Test
  void wholeLinesAreSentUnlessUnbuffered() throws Exception {
    String script = "printf ab; read x; printf 'cd\\nef'; read x; printf gh";
    List<String> entries = shell(1, script);
    assertEquals(List.of("abcd\n", "efgh"), chunks(entries, 2));
    entries.add("unbuffered=1");
    assertEquals(List.of("ab", "cd\nef", "gh"), chunks(entries, 3));
  }

  /** The outputs of a task that waits for a line of input after each. */
  private List<String> chunks(List<String> entries, int most) throws IOException {
    List<StepFrame> frames = new ArrayList<>();
    try (StepConnection front = launch(entries)) {
      front.await('B');
      boolean waits = most > 2; // each part comes by itself only where it is not held back
      for (int i = 0; i < 2; i++) {
        if (waits) {
          frames.addAll(front.until('O'));
        }
        front.send(StepFrame.of('I', EVERY_TASK, "\n"));
        frames.addAll(front.until('i'));
      }
      frames.addAll(front.until('Z'));
    }
    return frames.stream()
        .filter(frame -> frame.type() == 'O' && frame.length() > 4)
        .map(frame -> frame.text(1))
        .toList();
  }

  @Test
  void aMillionLinesComeWholeAndInOrder() throws Exception {
    int next = 1;
    try (StepConnection front = launch(tasks(1, "seq", "1000000"))) {
      for (StepFrame frame : front.until('Z')) {
        if (frame.type() != 'O') {
          continue;
        }
        String text = frame.text(1);
        assertTrue(text.isEmpty() || text.endsWith("\n"), "whole lines");
        for (String line : text.lines().toList()) {
          assertEquals(Integer.toString(next++), line);
        }
      }
    }
    assertEquals(1_000_001, next);
  }

  @Test
  void linesThatAreLongerThanTheBufferComeInParts() throws Exception {
    String script = "head -c 1000000 /dev/zero | tr '\\0' x; echo; echo y";
    List<StepFrame> frames = run(shell(1, script));
    assertEquals("x".repeat(1000000) + "\ny\n", written(frames, 'O', 0));
  }

  @Test
  void aReaderThatStopsStopsTheTaskAndCostsNoMemory() throws Exception {
    Path count = Files.createFile(spawner.home.resolve("count"));
    Files.setPosixFilePermissions(count, PosixFilePermissions.fromString("rw-rw-rw-"));
    String script =
        "i=0; while [ $i -lt 3000 ]; do head -c 65536 /dev/zero; i=$((i+1)); echo >>"
            + count
            + "; done";
    try (StepConnection front = launch(shell(1, script))) {
      front.await('B');
      awaitStandstill(count);
      assertTrue(Files.size(count) > 0);
      assertTrue(Files.size(count) < 100, "what was written lies in pipes and buffers");
      int shepherd = new StepDirectory(spawner.lastStep()).shepherd().pid();
      long kib = residentKib(shepherd);
      assertTrue(kib < 4096, () -> kib + " KiB");
      assertEquals(
          3000L * 65536,
          front.until('Z').stream()
              .filter(frame -> frame.type() == 'O')
              .mapToLong(frame -> frame.length() - 4L)
              .sum());
    }
  }

  /** A task that writes for ever, and what it counts its lines in; its front end does not read. */
  private StepConnection stoppedReader(Path count) throws IOException {
    Files.createFile(count);
    Files.setPosixFilePermissions(count, PosixFilePermissions.fromString("rw-rw-rw-"));
    String script = "while :; do head -c 65536 /dev/zero; echo >>" + count + "; done";
    StepConnection front = launch(shell(1, script));
    awaitStandstill(count);
    return front;
  }

  @Test
  void aStepThatIsKilledDoesNotWaitForItsReaderForEver() throws Exception {
    try (StepConnection front = stoppedReader(spawner.home.resolve("lines"))) {
      StepDirectory directory = new StepDirectory(spawner.lastStep());
      StepIdentity identity = new StepIdentity(1, "0", "n1", SpawnerProcess.user(), List.of(), "");
      CompletableFuture<StepExit> over = new CompletableFuture<>();
      RunningStep step = new RunningStep(directory, identity, over);
      step.signal(9, SignalScope.WHOLE_STEP);
      assertEquals("0:9", exit().exitCode());
      step.signal(9, SignalScope.WHOLE_STEP);
      assertEquals(List.of(), spawner.news('W'), "its reader has some time");
      int task = StepControl.tasks(directory.path()).get(0);
      assertFalse(ProcessHandle.of(task).isPresent(), "who asks is answered meanwhile");
      StepControl.announceEnd(directory.path(), "the end\n");
      Await.seconds(30)
          .until(
              "its shepherd is gone",
              () -> {
                step.signal(9, SignalScope.WHOLE_STEP);
                return !spawner.news('W').isEmpty();
              });
      assertEquals(9, spawner.awaitNews('W', 1).number(1));
      assertEquals(List.of(), front.until('Z').stream().filter(f -> f.type() == 'Z').toList());
    }
  }

  @Test
  void whoAsksAShepherdThatStandsStillIsToldSo() throws Exception {
    try (StepConnection front = launch(shell(1, "exec sleep 1000"))) {
      front.await('B');
      StepDirectory step = new StepDirectory(spawner.lastStep());
      String shepherd = Integer.toString(step.shepherd().pid());
      assertEquals(0, new ProcessBuilder("kill", "-STOP", shepherd).start().waitFor());
      assertThrows(IOException.class, () -> StepControl.tasks(step.path()));
      assertThrows(IOException.class, () -> StepControl.announceEnd(step.path(), "the end\n"));
      assertEquals(0, new ProcessBuilder("kill", "-CONT", shepherd).start().waitFor());
      assertEquals(1, StepControl.tasks(step.path()).size());
    }
  }

  /** Waits until the file has not grown for half a second. */
  private static void awaitStandstill(Path file) {
    long[] seen = {0, System.nanoTime()}; // its size, and since when
    Await.seconds(30)
        .until(
            "the writer stands still",
            () -> {
              long size = Files.size(file);
              if (size == 0 || size != seen[0]) {
                seen[0] = size;
                seen[1] = System.nanoTime();
              }
              return System.nanoTime() - seen[1] > 500_000_000;
            });
  }

  private static long residentKib(int pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no VmRSS of " + pid);
  }

  @Test
  void signalsGoToOneTaskOrToAll() throws Exception {
    String script =
        "trap 'echo usr1' USR1; trap 'exit 9' TERM; echo ready; while :; do read x || sleep 0.02; done";
    try (StepConnection front = launch(shell(2, script))) {
      front.send(StepFrame.of('I', EVERY_TASK, ""));
      int ready = 0;
      while (ready < 2) {
        ready += front.await('O').text(1).equals("ready\n") ? 1 : 0;
      }
      front.send(StepFrame.ofNumbers('G', 10, 1));
      StepFrame trapped = front.await('O');
      assertEquals("usr1\n", trapped.text(1));
      assertEquals(1, trapped.number(0));
      front.send(StepFrame.ofNumbers('G', 15, EVERY_TASK));
      List<StepFrame> frames = front.until('Z');
      assertEquals(List.of(9 << 8, 9 << 8), statuses(frames));
      String line = written(frames, 'E', 0).lines().findFirst().orElseThrow();
      assertTrue(
          line.matches(
              "slurmstepd: error: \\*\\*\\* STEP 1\\.0 ON n1 CANCELLED AT \\S{19} \\*\\*\\*"),
          line);
      assertFalse(written(frames, 'E', 1).contains("CANCELLED"));
    }
  }

  @Test
  void anExitRecordThatCannotBeWrittenAtOnceIsWholeInTheEnd() throws Exception {
    try (StepConnection front = launch(shell(2, "read line"))) {
      front.await('B');
      Path step = spawner.lastStep();
      Path inTheWay = Files.createDirectory(step.resolve("exit"));
      front.send(StepFrame.of('I', EVERY_TASK, ""));
      Path draft = step.resolve("exit.tmp");
      Await.seconds(30)
          .until(
              "a record is made",
              () -> new String(bytes(draft), 0, 5, StandardCharsets.US_ASCII).equals("code="));
      Files.delete(inTheWay);
      assertEquals(2, exit().used().tasks().size());
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLostFrontEndEndsTheTasksFirstPolitelyThenSurely() throws Exception {
    List<String> entries =
        shell(2, "[ $SLURM_PROCID = 0 ] && trap '' TERM; echo ready; while :; do sleep 0.02; done");
    entries.addAll(List.of("lost=kill", "killwait=1"));
    try (StepConnection front = launch(entries)) {
      front.await('O');
      front.await('O');
    }
    exit();
    String record = Files.readString(spawner.lastStep().resolve("exit"));
    assertTrue(record.contains("task=0:9:") && record.contains("\0task=1:15:"), record);
  }

  @Test
  void tasksThatAreToBeKeptOutliveTheirFrontEnd() throws Exception {
    List<String> entries = shell(1, "echo ready; read x; head -c 3000000 /dev/zero; exit 4");
    entries.add("lost=keep");
    try (StepConnection front = launch(entries)) {
      front.await('O');
    }
    assertEquals("4:0", exit().exitCode());
  }

  @Test
  void aKilledShepherdTakesItsTasksAlong() throws Exception {
    try (StepConnection front = launch(shell(1, "echo $$; exec sleep 1000"))) {
      int task = Integer.parseInt(front.await('O').text(1).strip());
      int shepherd = new StepDirectory(spawner.lastStep()).shepherd().pid();
      ProcessHandle.of(shepherd).orElseThrow().destroyForcibly();
      assertEquals(List.of(), front.until('Z').stream().filter(f -> f.type() == 'Z').toList());
      assertEquals(9, spawner.awaitNews('W', 1).number(1));
      Await.seconds(20).until("the task is gone", () -> !ProcessHandle.of(task).isPresent());
    }
  }

  @Test
  void aKilledSpawnerLeavesStepsAlone() throws Exception {
    try (StepConnection front = launch(shell(1, "echo ready; read x; exit 5"))) {
      front.await('O');
      spawner.process().destroyForcibly().waitFor();
      front.send(StepFrame.of('I', 0, "\n"));
      assertEquals(List.of(5 << 8), statuses(front.until('Z')));
    }
  }

  @Test
  void aFrontEndThatTalksNonsenseIsLost() throws Exception {
    List<String> entries = shell(1, "exec sleep 1000");
    entries.addAll(List.of("lost=kill", "killwait=1"));
    try (StepConnection front = launch(entries)) {
      front.await('B');
      front.sendBytes("no frame at all".getBytes(StandardCharsets.UTF_8));
      assertEquals("0:15", exit().exitCode());
    }
  }

  @Test
  void theFirstTaskMayHaveATerminalOfTheFrontEndsSize() throws Exception {
    String script =
        "tty >/dev/null && stty size; trap 'stty size; exit 4' WINCH; echo ready;"
            + " while :; do sleep 0.02; done";
    List<String> entries = shell(1, script);
    entries.add("pty=33:77");
    try (StepConnection front = launch(entries)) {
      StringBuilder text = new StringBuilder();
      while (!text.toString().contains("ready")) {
        text.append(front.await('O').text(1));
      }
      assertEquals(List.of("33 77", "ready"), text.toString().lines().toList());
      front.send(new StepFrame('W', (byte) 0, (byte) 40, (byte) 0, (byte) 90));
      List<StepFrame> frames = front.until('Z');
      assertEquals("40 90\r\n", written(frames, 'O', 0));
      assertEquals(List.of(4 << 8), statuses(frames));
    }
  }

  @Test
  void whatIsTypedOnTheTerminalReachesItsTask() throws Exception {
    List<String> entries = shell(1, "stty -echo; echo ready; read x; echo got $x; exec cat");
    entries.add("pty=24:80");
    try (StepConnection front = launch(entries)) {
      front.await('O');
      front.send(StepFrame.of('I', 0, "hello\r"));
      front.await('i');
      assertEquals("got hello\r\n", front.await('O').text(1));
      front.send(StepFrame.of('I', 0, "")); // as ctrl-d
      assertEquals(List.of(0), statuses(front.until('Z')));
    }
  }
}
