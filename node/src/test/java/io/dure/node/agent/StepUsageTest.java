package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.gpu.GpuProcess;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.ResourceRequest;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.step.GpuFigures;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.StepQuestion;
import io.dure.protocol.step.TaskFigures;
import io.dure.testkit.Await;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What steps use, as their node tells and keeps it. */
@Tag("process")
class StepUsageTest extends StepFixture {
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

  @Test
  void whatItsTasksHaveOfGpusIsToldAndKept() throws Exception {
    node.end();
    node = new TestNode(root, "JobAcctGatherType=jobacct_gather/linux", "GresTypes=gpu");
    node.gres = " Gres=gpu:1";
    node.gresConf = "AutoDetect=nvml\n";
    Path task = node.work().resolve("task");
    node.gpus =
        mode -> {
          assertEquals("nvml", mode);
          int pid = Files.exists(task) ? Integer.parseInt(Files.readString(task).strip()) : 0;
          return List.of(
              new GpuProcess(pid, 0, 3L << 20),
              new GpuProcess(pid, 90, 1L << 20),
              new GpuProcess(pid, 80, 0),
              new GpuProcess(1, 100, 1L << 40));
        };
    start();
    Path go = node.work().resolve("go");
    String script = "echo $$ >" + task + "; echo on; until [ -e " + go + " ]; do sleep 0.1; done";
    try (StepConnection connection = launch(order(job(12), step(0, 1), script))) {
      connection.await('O');
      assertEquals(new GpuFigures(170, 4L << 20), task().gpus());
      Files.createFile(go);
      connection.await('Z');
    }
    StepConsumption.TaskSums kept =
        controller.next(Command.StepPartEnded.class).end().consumption().tasks();
    assertEquals(4L << 20, kept.gpuMemory().total());
    assertEquals(170, kept.gpuPercent().most().amount());
  }

  /** A directory stands in for the counters of the machine's processors. */
  @Test
  void whatItsNodeTakesIsToldAndKept() throws Exception {
    node.end();
    node =
        new TestNode(
            root,
            "JobAcctGatherType=jobacct_gather/linux",
            "AcctGatherEnergyType=acct_gather_energy/rapl");
    Path zone = Files.createDirectories(node.counters().resolve("intel-rapl:0"));
    Files.writeString(zone.resolve("name"), "package-0\n");
    Files.writeString(zone.resolve("max_energy_range_uj"), "262143328850\n");
    Files.writeString(zone.resolve("energy_uj"), "262140328850\n");
    start();
    Path go = node.work().resolve("go");
    String script = "echo on; until [ -e " + go + " ]; do sleep 0.1; done";
    try (StepConnection connection = launch(order(job(12), step(0, 2), script))) {
      connection.await('O');
      connection.await('O');
      Files.writeString(zone.resolve("energy_uj"), "2000000\n");
      List<TaskFigures> tasks = ask(new StepQuestion(12, "0", 0)).steps().getFirst().tasks();
      assertEquals(List.of(5L, 0L), tasks.stream().map(TaskFigures::joules).toList());
      Files.writeString(zone.resolve("energy_uj"), "1002000000\n");
      Files.createFile(go);
      connection.await('Z');
    }
    assertEquals(1005, controller.next(Command.StepPartEnded.class).end().consumption().joules());
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
  void aStepThatHasMoreThanItAskedForIsKilledAndNoOther() throws Exception {
    node.end();
    node =
        new TestNode(
            root,
            "JobAcctGatherType=jobacct_gather/linux",
            "JobAcctGatherFrequency=1",
            "JobAcctGatherParams=OverMemoryKill",
            "SelectTypeParameters=CR_Core_Memory");
    start();
    Path go = node.work().resolve("go");
    String hungry = "x=$(head -c 90000000 /dev/zero | tr '\\0' a); sleep 1000";
    try (StepConnection modest = launch(order(job(12), limited(0), "echo on; exec sleep 1000"));
        StepConnection other =
            launch(
                order(
                    job(12),
                    limited(1),
                    "echo on; until [ -e " + go + " ]; do sleep 0.1; done; " + hungry))) {
      modest.await('O');
      other.await('O');
      // What is kept of its bound outlives the daemon.
      node.stop();
      start();
      Files.createFile(go);
      List<StepFrame> frames = other.until('Z');
      String said = StepConnection.written(frames, 'E', 0);
      assertTrue(said.startsWith("slurmstepd: error: StepId=12.1 exceeded memory limit ("), said);
      assertTrue(said.contains(" > 20971520), being killed\n"), said);
      assertTrue(said.contains("slurmstepd: error: *** STEP 12.1 ON n1 CANCELLED AT "), said);
      assertEquals(
          new Command.StepPartEnded(12, 1, 1, new StepEnd.Ran(new ExitStatus(0, 9), true)),
          ended());
      assertEquals(1, ask(new StepQuestion(12, "0", 0)).steps().size());
    }
  }

  private static LaunchedStep limited(int number) {
    StepShare share = new StepShare("n1", List.of(0), 1, 20, List.of(0));
    return LaunchedStep.begun(number, StepSpec.of("sh", 1), List.of(share), Instant.EPOCH, null);
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
        assertEquals(13, line.split(",", -1).length, line);
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
        "task",
        false);
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
}
