package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.ProcFs;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prolog, epilog and health check around jobs. */
@Tag("process")
class ScriptsTest {
  private static final StepEnd OK = new StepEnd.Ran(new ExitStatus(0, 0), false);

  @TempDir private Path root;
  private final FakeController controller = new FakeController();
  private TestNode node;

  @AfterEach
  void end() throws Exception {
    node.end();
  }

  private void begin(String... lines) throws Exception {
    node = new TestNode(root, lines);
    node.start(controller);
    controller.welcomeAll();
  }

  private String script(String name, String body) throws IOException {
    Path file = root.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  private Path file(String name) {
    return root.resolve(name);
  }

  @Test
  void prologAndEpilogKnowTheJobAndHaveNoPath() throws Exception {
    String prolog = script("prolog", "/usr/bin/env > " + file("prolog.env"));
    String epilog = script("epilog", "/usr/bin/env > " + file("epilog.env"));
    begin("Prolog=" + prolog, "Epilog=" + epilog);
    Job job = new TestJob(30, "ls " + root + "; exit 2", node).build();
    controller.launch(job);
    controller.next(Command.StepLaunched.class);
    var ended = controller.next(Command.StepEnded.class);
    assertFalse(ended.clean());
    var cleaned = controller.next(Command.NodeCleaned.class);
    assertNull(cleaned.epilogError());
    assertTrue(Files.readString(node.work().resolve("out-30")).contains("prolog.env"));
    List<String> before = Files.readAllLines(file("prolog.env"));
    for (String line :
        List.of(
            "SLURM_JOB_ID=30",
            "SLURM_JOBID=30",
            "SLURM_JOB_USER=" + job.owner().userName(),
            "SLURM_JOB_UID=" + Integer.toUnsignedString(job.owner().uid()),
            "SLURM_JOB_NODELIST=n1",
            "SLURM_JOB_PARTITION=main",
            "SLURM_SCRIPT_CONTEXT=prolog_slurmd",
            "SLURM_JOB_STDOUT=" + node.work().resolve("out-30"),
            "SLURMD_NODENAME=n1",
            "SLURM_CLUSTER_NAME=test")) {
      assertTrue(before.contains(line), () -> line + " is not in " + before);
    }
    assertFalse(before.stream().anyMatch(line -> line.startsWith("PATH=/")), before::toString);
    List<String> after = Files.readAllLines(file("epilog.env"));
    assertTrue(after.contains("SLURM_JOB_EXIT_CODE2=2:0"), after::toString);
    assertTrue(after.contains("SLURM_JOB_EXIT_CODE=512"), after::toString);
  }

  @Test
  void failingPrologKeepsTheJobFromStarting() throws Exception {
    begin("Prolog=" + script("prolog", "echo no disk; exit 4"));
    controller.launch(new TestJob(31, "true", node).build());
    var ended = controller.next(Command.StepEnded.class);
    var end = assertInstanceOf(StepEnd.PrologFailed.class, ended.end());
    assertTrue(end.text().endsWith("/prolog failed with exit status 4: no disk"), end.text());
    assertTrue(ended.clean());
    assertFalse(Files.exists(node.work().resolve("out-31")));
  }

  @Test
  void prologThatIsMissingFails() throws Exception {
    begin("Prolog=/no/such/prolog");
    controller.launch(new TestJob(32, "true", node).build());
    assertInstanceOf(StepEnd.PrologFailed.class, controller.next(Command.StepEnded.class).end());
  }

  @Test
  void prologThatHangsIsEndedAfterItsTime() throws Exception {
    begin("Prolog=" + script("prolog", "/bin/sleep 600"), "PrologTimeout=1");
    controller.launch(new TestJob(33, "true", node).build());
    assertInstanceOf(StepEnd.PrologFailed.class, controller.next(Command.StepEnded.class).end());
  }

  @Test
  void serialPrologsRunOneAfterTheOther() throws Exception {
    String body =
        "[ ! -e %1$s ] || : > %2$s; : > %1$s; /bin/sleep 0.3; /bin/rm %1$s; echo x >> %3$s"
            .formatted(file("running"), file("two"), file("log"));
    begin("Prolog=" + script("prolog", body), "PrologFlags=Serial");
    for (int id = 50; id < 54; id++) {
      controller.launch(new TestJob(id, "true", node).build());
    }
    Await.seconds(60)
        .until(
            "four prologs",
            () -> Files.exists(file("log")) && Files.readAllLines(file("log")).size() == 4);
    assertFalse(Files.exists(file("two")), "two prologs ran at a time");
  }

  @Test
  void theAddressSpaceOfAJobIsBoundedByItsMemory() throws Exception {
    begin("VSizeFactor=300");
    TestJob test = new TestJob(55, "ulimit -v", node);
    test.memoryMib = 200;
    controller.launch(test.build());
    controller.next(Command.StepLaunched.class);
    assertEquals(OK, controller.next(Command.StepEnded.class).end().alone());
    assertEquals(
        List.of(Integer.toString(600 * 1024)), Files.readAllLines(node.work().resolve("out-55")));
  }

  @Test
  void terminatedDuringTheProlog() throws Exception {
    begin(
        "Prolog="
            + script(
                "prolog",
                ": > "
                    + file("begun")
                    + "; while [ ! -e "
                    + file("gate")
                    + " ]; do /bin/sleep 0.02; done"));
    Job job = new TestJob(34, "true", node).build();
    controller.launch(job);
    Await.seconds(20).until("the prolog runs", () -> Files.exists(file("begun")));
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 60);
    // The node takes orders one after the other: an answer to a later one says that it has this.
    controller.terminate(
        new TestJob(99, "true", node).build(), Effect.TerminationReason.CANCELLED, 60);
    controller.hear(Command.NodeCleaned.class, told -> told.jobId() == 99);
    Files.createFile(file("gate"));
    var ended = controller.next(Command.StepEnded.class);
    assertInstanceOf(StepEnd.NotStarted.class, ended.end());
    assertTrue(ended.clean());
    assertFalse(Files.exists(node.work().resolve("out-34")));
  }

  @Test
  void hangingPrologOfATerminatedJobIsKilled() throws Exception {
    begin("Prolog=" + script("prolog", ": > " + file("begun") + "; /bin/sleep 600"));
    Job job = new TestJob(35, "true", node).build();
    controller.launch(job);
    Await.seconds(20).until("the prolog runs", () -> Files.exists(file("begun")));
    controller.terminate(job, Effect.TerminationReason.CANCELLED, 0);
    assertInstanceOf(StepEnd.NotStarted.class, controller.next(Command.StepEnded.class).end());
  }

  @Test
  void failingEpilogIsTold() throws Exception {
    begin("Epilog=" + script("epilog", "exit 9"));
    controller.launch(new TestJob(36, "true", node).build());
    assertEquals(OK, controller.hear(Command.StepEnded.class, _ -> true).end().alone());
    String error = controller.next(Command.NodeCleaned.class).epilogError();
    assertTrue(error.endsWith("/epilog failed with exit status 9"), error);
  }

  @Test
  void nodeWithoutTheStepRunsTheEpilogOnce() throws Exception {
    String epilog = script("epilog", "echo $SLURM_JOB_ID >> " + file("log"));
    begin("Epilog=" + epilog);
    TestJob test = new TestJob(37, "true", node);
    test.nodes = List.of("n2", "n1");
    Job job = test.build();
    controller.terminate(job, Effect.TerminationReason.ENDED, 5);
    controller.terminate(job, Effect.TerminationReason.ENDED, 5);
    controller.next(Command.NodeCleaned.class);
    controller.terminate(job, Effect.TerminationReason.ENDED, 5);
    controller.next(Command.NodeCleaned.class);
    assertEquals(List.of("37"), Files.readAllLines(file("log")));
    controller.forget(job);
    Await.seconds(20).until("the run is gone", () -> !Files.exists(node.runDirectory(test)));
  }

  @Test
  void epilogIsOwedByTheNextDaemon() throws Exception {
    String gate = file("gate").toString();
    String epilog =
        script(
            "epilog",
            "echo begun >> "
                + file("log")
                + "; while [ ! -e "
                + gate
                + " ]; do /bin/sleep 0.02; done");
    begin("Epilog=" + epilog);
    controller.launch(new TestJob(38, "true", node).build());
    controller.hear(Command.StepEnded.class, _ -> true);
    Await.seconds(20).until("the epilog runs", () -> Files.exists(file("log")));
    node.stop();
    node.start(controller);
    var runs = controller.welcomeAll();
    assertEquals(OK, runs.getFirst().end().alone());
    assertFalse(runs.getFirst().clean());
    Await.seconds(20).until("it runs again", () -> Files.readAllLines(file("log")).size() == 2);
    // What it forks has its words until it is another program.
    Await.seconds(20).until("the first one is ended", () -> processesWith(epilog) == 1);
    Files.createFile(file("gate"));
    controller.hear(Command.NodeCleaned.class, _ -> true);
  }

  private static long processesWith(String word) {
    return ProcessHandle.allProcesses()
        .filter(process -> ProcFs.ofThisMachine().isAlive((int) process.pid()))
        .filter(process -> process.info().commandLine().orElse("").contains(word))
        .count();
  }

  @Test
  void severalPrologsByPattern() throws Exception {
    Files.createDirectory(file("prolog.d"));
    script("prolog.d/10-a", "echo a >> " + file("log"));
    script("prolog.d/20-b", "echo b >> " + file("log"));
    begin("Prolog=" + file("prolog.d") + "/*");
    controller.launch(new TestJob(39, "true", node).build());
    controller.hear(Command.StepEnded.class, _ -> true);
    assertEquals(List.of("a", "b"), Files.readAllLines(file("log")));
  }

  @Test
  void taskPrologChangesTheEnvironmentAndTheOutput() throws Exception {
    String prolog =
        script(
            "task-prolog",
            "id -u > "
                + root.resolve("work/who")
                + "; echo export SCRATCH=/scratch/$SLURM_JOB_ID a=b; echo unset GONE;"
                + " echo print welcome to $SLURMD_NODENAME; echo noise; echo export PATH=$PATH:/opt");
    begin("TaskProlog=" + prolog);
    TestJob test = new TestJob(40, "echo $SCRATCH ${GONE-unset} $PATH $SLURM_TASK_PID $$", node);
    test.environment.add("GONE=here");
    Job job = test.build();
    controller.launch(job);
    assertEquals(OK, controller.hear(Command.StepEnded.class, _ -> true).end().alone());
    List<String> lines = Files.readAllLines(node.work().resolve("out-40"));
    assertEquals("welcome to n1", lines.getFirst());
    assertTrue(
        lines.getLast().matches("/scratch/40 a=b unset /usr/bin:/bin:/opt (\\d+) \\1"),
        lines::toString);
    assertEquals(2, lines.size());
    assertEquals(
        Integer.toUnsignedString(job.owner().uid()),
        Files.readString(node.work().resolve("who")).strip());
  }

  @Test
  void taskPrologThatFailsKeepsTheTaskFromBeginning() throws Exception {
    begin("TaskProlog=" + script("task-prolog", "echo print no; exit 3"));
    controller.launch(new TestJob(41, "echo begun", node).build());
    var end = controller.hear(Command.StepEnded.class, _ -> true).end().alone();
    assertEquals(new StepEnd.Ran(new ExitStatus(3, 0), false), end);
    assertEquals(
        List.of("no", "slurmstepd: error: TaskProlog failed status=3"),
        Files.readAllLines(node.work().resolve("out-41")));
  }

  @Test
  void taskEpilogFollowsTheTaskAndLeavesItsEndAlone() throws Exception {
    begin("TaskEpilog=" + script("task-epilog", "id -u; echo after $SLURM_JOB_ID; exit 9"));
    Job job = new TestJob(42, "echo task; exit 5", node).build();
    controller.launch(job);
    assertEquals(
        new StepEnd.Ran(new ExitStatus(5, 0), false),
        controller.hear(Command.StepEnded.class, _ -> true).end().alone());
    assertEquals(
        List.of(
            "task",
            Integer.toUnsignedString(job.owner().uid()),
            "after 42",
            "slurmstepd: error: TaskEpilog failed status=2304"),
        Files.readAllLines(node.work().resolve("out-42")));
  }
}
