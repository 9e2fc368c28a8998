package io.dure.node.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.user.CurrentProcess;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.request.PropagatedRlimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keys of slurm.conf do to the steps of a node. */
@Tag("process")
class StepKeysTest {
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

  private String output(TestJob job) throws Exception {
    controller.launch(job.build());
    controller.next(Command.StepLaunched.class);
    assertEquals(
        new StepEnd.Ran(new ExitStatus(0, 0), false),
        controller.next(Command.StepEnded.class).end().alone());
    return Files.readString(node.work().resolve("out-" + job.id));
  }

  private TestJob limited(int id) {
    TestJob job = new TestJob(id, "ulimit -n; ulimit -c", node);
    job.limits = List.of(new PropagatedRlimit("NOFILE", 99), new PropagatedRlimit("CORE", 0));
    job.limitsOfSite = true;
    return job;
  }

  @Test
  void allLimitsOfTheSubmitterAreTaken() throws Exception {
    begin();
    assertEquals("99\n0\n", output(limited(60)));
  }

  @Test
  void onlyTheLimitsThatTheSiteNamesAreTaken() throws Exception {
    begin("PropagateResourceLimitsExcept=NOFILE");
    String[] lines = output(limited(61)).split("\n");
    assertTrue(!lines[0].equals("99") && lines[1].equals("0"), String.join(" ", lines));
  }

  @Test
  void whatTheJobNamesIsTakenWhateverTheSiteSays() throws Exception {
    begin("PropagateResourceLimits=NONE");
    TestJob asked = limited(62);
    asked.limitsOfSite = false;
    assertEquals("99\n0\n", output(asked));
    String[] lines = output(limited(63)).split("\n");
    assertTrue(!lines[0].equals("99"), String.join(" ", lines));
  }

  private String niceness(int id) throws Exception {
    TestJob job = new TestJob(id, "nice; echo $SLURM_PRIO_PROCESS", node);
    job.environment = List.of("PATH=/bin:/usr/bin", "SLURM_PRIO_PROCESS=7");
    return output(job);
  }

  @Test
  void aStepHasTheDaemonsPriority() throws Exception {
    begin();
    assertEquals(own() + "\n7\n", niceness(64));
  }

  @Test
  void aStepHasThePriorityOfItsSubmitter() throws Exception {
    begin("PropagatePrioProcess=1");
    assertEquals("7\n7\n", niceness(65));
  }

  @Test
  void aStepIsAlwaysNicerThanTheDaemon() throws Exception {
    begin("PropagatePrioProcess=2");
    TestJob job = new TestJob(66, "nice", node);
    job.environment = List.of("PATH=/bin:/usr/bin", "SLURM_PRIO_PROCESS=0");
    assertEquals(Math.max(own() + 1, 0) + "\n", output(job));
  }

  /** The nice value of this process, which is the daemon's here. */
  private static int own() throws Exception {
    Process nice = new ProcessBuilder("nice").start();
    return Integer.parseInt(new String(nice.getInputStream().readAllBytes(), UTF_8).strip());
  }

  private long locked(int id) throws Exception {
    String line = output(new TestJob(id, "grep VmLck /proc/$PPID/status", node));
    return Long.parseLong(line.replaceAll("[^0-9]", ""));
  }

  @Test
  void theKeeperOfAStepIsLockedInMemory() throws Exception {
    assumeTrue(CurrentProcess.effectiveUid() == 0, "root may lock memory");
    begin("LaunchParameters=slurmstepd_memlock_all");
    assertTrue(locked(67) > 0);
  }

  @Test
  void theKeeperOfAStepIsNotLocked() throws Exception {
    begin();
    assertEquals(0, locked(68));
  }

  private Path frequencies() throws IOException {
    Path files = Files.createDirectories(root.resolve("cpu/cpu0/cpufreq"));
    Files.writeString(files.resolve("scaling_governor"), "schedutil\n");
    Files.writeString(files.resolve("scaling_min_freq"), "800000\n");
    Files.writeString(files.resolve("scaling_max_freq"), "3000000\n");
    Files.writeString(files.resolve("scaling_setspeed"), "<unsupported>\n");
    Files.writeString(
        files.resolve("scaling_available_frequencies"), "3000000 2000000 1500000 800000\n");
    return files;
  }

  private String frequency(int id, String request, String... lines) throws Exception {
    Path files = frequencies();
    node = new TestNode(root, lines);
    node.sysCpu = root.resolve("cpu");
    node.start(controller);
    controller.welcomeAll();
    TestJob job =
        new TestJob(
            id,
            "cd "
                + files
                + "; echo $(cat scaling_governor scaling_min_freq scaling_max_freq scaling_setspeed)",
            node);
    job.environment = List.of("PATH=/bin:/usr/bin", request);
    String seen = output(job).strip();
    assertEquals("schedutil", Files.readString(files.resolve("scaling_governor")).strip());
    assertEquals("3000000", Files.readString(files.resolve("scaling_max_freq")).strip());
    assertEquals("800000", Files.readString(files.resolve("scaling_min_freq")).strip());
    return seen;
  }

  private static final String BOUND = "TaskPlugin=task/affinity";
  private static final String SETS = "LaunchParameters=batch_step_set_cpu_freq";

  @Test
  void theFrequencyOfABatchStepIsLeftAlone() throws Exception {
    assertEquals(
        "schedutil 800000 3000000 <unsupported>",
        frequency(69, "SLURM_CPU_FREQ_REQ=medium", BOUND, "CpuFreqDef=Performance"));
  }

  @Test
  void aBatchStepHasTheFrequencyThatItAsksFor() throws Exception {
    assertEquals(
        "userspace 800000 3000000 1500000",
        frequency(70, "SLURM_CPU_FREQ_REQ=medium", BOUND, SETS));
  }

  @Test
  void aBatchStepMayAskForARange() throws Exception {
    assertEquals(
        "performance 1500000 2000000 <unsupported>",
        frequency(71, "SLURM_CPU_FREQ_REQ=1000000-2000000:performance", BOUND, SETS));
  }

  @Test
  void aStepThatAsksForNoFrequencyHasTheSites() throws Exception {
    assertEquals(
        "powersave 800000 3000000 <unsupported>",
        frequency(72, "A=b", BOUND, SETS, "CpuFreqDef=PowerSave"));
  }

  @Test
  void governorsThatTheSiteDoesNotNameAreNotSet() throws Exception {
    assertEquals(
        "schedutil 800000 3000000 <unsupported>",
        frequency(73, "SLURM_CPU_FREQ_REQ=performance", BOUND, SETS, "CpuFreqGovernors=OnDemand"));
  }

  @Test
  void aStepWithMoreMemoryThanItAskedForIsKilled() throws Exception {
    begin(
        "JobAcctGatherType=jobacct_gather/linux",
        "JobAcctGatherFrequency=1",
        "JobAcctGatherParams=OverMemoryKill",
        "SelectTypeParameters=CR_Core_Memory");
    TestJob job =
        new TestJob(74, "x=$(head -c 90000000 /dev/zero | tr '\\0' a); read y < fifo", node);
    job.memoryMib = 20;
    new ProcessBuilder("mkfifo", node.work().resolve("fifo").toString()).start().waitFor();
    controller.launch(job.build());
    controller.next(Command.StepLaunched.class);
    assertEquals(
        new StepEnd.Ran(new ExitStatus(0, 9), true),
        controller.next(Command.StepEnded.class).end().alone());
    String said = Files.readString(node.work().resolve("out-74"));
    assertTrue(said.contains("StepId=74.batch exceeded memory limit ("), said);
    assertTrue(said.contains(" > 20971520), being killed"), said);
  }

  @Test
  void aStepWithinItsMemoryGoesOn() throws Exception {
    begin(
        "JobAcctGatherType=jobacct_gather/cgroup",
        "JobAcctGatherFrequency=1",
        "JobAcctGatherParams=OverMemoryKill,UsePss");
    TestJob job = new TestJob(75, "sleep 2.5", node);
    job.memoryMib = 500;
    assertEquals("", output(job));
  }

  @Test
  void nodesTellOfTheirEpilogsOneAfterTheOther() throws Exception {
    Path epilog = root.resolve("epilog");
    Path mark = root.resolve("mark");
    Files.writeString(epilog, "#!/bin/sh\n: > " + mark + "\n");
    Files.setPosixFilePermissions(epilog, PosixFilePermissions.fromString("rwxr-xr-x"));
    begin("Epilog=" + epilog, "EpilogMsgTime=1500000");
    TestJob job = new TestJob(76, "true", node);
    job.nodes = List.of("n2", "n1");
    controller.terminate(job.build(), Effect.TerminationReason.ENDED, 1);
    controller.next(Command.NodeCleaned.class);
    Instant told = Instant.now();
    Duration between = Duration.between(Files.getLastModifiedTime(mark).toInstant(), told);
    assertTrue(between.toMillis() >= 1_400, between::toString);
  }
}
