package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.TaskIndices;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.job.JobOutcome;
import io.dure.model.node.NodeGpu;
import io.dure.model.node.NodeMetrics;
import io.dure.protocol.JobInfo;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the words of the administrator's command ask for, print and end with. */
@Tag("pure")
class ScontrolTest extends ScontrolSite {

  @Test
  void wordsMayBeCutShortAndWrittenInAnyCase() {
    world.environment.put("SLURM_NODELIST", "a[1-2]");
    assertEquals(0, scontrol("SHOW", "Hostn"));
    assertEquals("a1\na2\n", world.printed());
  }

  @Test
  void namesOfHostsAreDrawnTogether() {
    assertEquals(0, scontrol("show", "hostlist", "n3,n1,n2"));
    assertEquals(0, scontrol("show", "hostlistsorted", "n3,n1,n2"));
    world.in = "n1\nn2\n".getBytes(StandardCharsets.UTF_8);
    assertEquals(0, scontrol("show", "hostlist", "-"));
    assertEquals("n[3,1-2]\nn[1-3]\nn[1-2]\n", world.printed());
  }

  @Test
  void tooManyHostsAreRefused() {
    assertEquals(1, scontrol("show", "hostnames", "n[1-1000000]"));
    assertTrue(world.errors().contains("Too many hosts in range"), world.errors());
  }

  @Test
  void anEmptyClusterHasWordsForIt() {
    controller.answer(jobs());
    controller.answer(new Response.Reservations(List.of(), FakeContext.NOW));
    controller.answer(ClusterFixture.cluster());
    assertEquals(0, scontrol("show", "jobs"));
    assertEquals(0, scontrol("show", "res"));
    assertEquals(0, scontrol("show", "lic"));
    assertEquals(
        "No jobs in the system\nNo reservations in the system\nNo licenses configured in"
            + " Slurm.\n",
        world.printed());
  }

  @Test
  void aTaskThatDoesNotExistIsNotFound() {
    controller.answer(jobs(JobFixture.waiting(20, "3-5")));
    assertEquals(1, scontrol("show", "job", "20_9"));
    assertEquals("Job 20_9 not found\n", world.errors());
  }

  @Test
  void tasksThatHaveLeftTheirArrayStandBehindItsNumberTheLastOneFirst() {
    controller.answer(
        jobs(
            JobFixture.running(20).task(20, 4),
            JobFixture.running(21).task(20, 1),
            JobFixture.running(22).task(20, 2)));
    assertEquals(0, scontrol("-o", "show", "job", "20"));
    assertEquals(
        List.of("20", "22", "21"),
        world.printed().lines().map(line -> line.split("[= ]", 3)[1]).toList());
  }

  @Test
  void oneTaskIsShownAlone() {
    controller.answer(jobs(JobFixture.waiting(20, "3-5"), JobFixture.running(21).task(20, 1)));
    assertEquals(0, scontrol("-o", "show", "job=20_1"));
    assertTrue(world.printed().startsWith("JobId=21 ArrayJobId=20 ArrayTaskId=1 JobName="));
    assertEquals(1, world.printed().lines().count());
  }

  @Test
  void optionsMayFollowTheWords() {
    controller.answer(jobs(JobFixture.running(21)));
    assertEquals(0, scontrol("show", "job", "21", "-o"), world.errors());
    assertEquals(1, world.printed().lines().count());
  }

  @Test
  void workloadKeyStandsBehindTheQos() {
    controller.answer(jobs(JobFixture.running(21).wckey("survey")));
    assertEquals(0, scontrol("show", "job", "21"), world.errors());
    assertTrue(world.printed().contains(" QOS=normal WCKey=survey\n"), world.printed());
  }

  @Test
  void theStateSaysWhatBecameOfAJob() {
    ExitStatus killed = new ExitStatus(0, 9);
    Map<String, JobOutcome> words =
        Map.of(
            "COMPLETED", new JobOutcome.Completed(ExitStatus.OK),
            "FAILED", new JobOutcome.Failed(killed),
            "NODE_FAIL", new JobOutcome.NodeFailed(killed, "n2"),
            "OUT_OF_MEMORY", new JobOutcome.OutOfMemory(killed),
            "DEADLINE", new JobOutcome.DeadlineMissed(killed));
    words.forEach((word, outcome) -> {
      controller.answer(
          jobs(
              JobFixture.running(3)
                  .ended(
                      "2026-11-20T15:00:00Z",
                      "2026-11-20T15:10:00Z",
                      outcome,
                      JobFixture.share("n2", 1, 100))));
      assertEquals(0, scontrol("show", "job", "3"));
      assertTrue(world.printed().contains("JobState=" + word + " "), world.printed());
    });
    assertTrue(world.printed().contains(" FailedNode=n2 "), world.printed());
  }

  @Test
  void withoutAControllerItSaysSo() {
    FakeContext alone = new FakeContext();
    assertEquals(1, new Scontrol().run(alone.call("scontrol", "show", "job", "1")));
    assertEquals(1, new Scontrol().run(alone.call("scontrol", "show", "nodes")));
    assertEquals(1, new Scontrol().run(alone.call("scontrol", "hold", "1")));
    assertEquals(1, new Scontrol().run(alone.call("scontrol", "ping")));
    String down = "Unable to contact slurm controller (connect failure)";
    assertEquals(
        "slurm_load_jobs error: "
            + down
            + "\nslurm_load_node error: "
            + down
            + "\n"
            + down
            + " for job 1\n",
        alone.errors());
    assertEquals("Slurmctld(primary) at vm is DOWN\n", alone.printed());
  }

  @Test
  void everyJobOfAListIsTried() {
    controller.answer(refused(ErrorCode.INVALID_JOB_ID)).answer(done()).answer(done());
    assertEquals(1, scontrol("hold", "jobid=7,8_[1,2]", "9"));
    assertEquals(
        """
        Invalid job id specified for job 7
        slurm_suspend error: Invalid job id specified
        """,
        world.errors());
    assertEquals(
        new Command.HoldJob(new JobSelector(8, TaskIndices.of(List.of(1, 2))), false),
        changes().get(1));
    assertEquals(3, changes().size());
  }

  @Test
  void aRefusedHoldOfATaskIsToldOnce() {
    controller.answer(refused(ErrorCode.INVALID_JOB_ID));
    assertEquals(1, scontrol("hold", "99_1"));
    assertEquals("99_1: Invalid job id specified\n", world.errors());
    assertEquals(1, scontrol("uhold", "x"));
    assertEquals(
        """
        99_1: Invalid job id specified
        Invalid job id specified for job x
        slurm_suspend error: Invalid job id specified
        """,
        world.errors());
  }

  @Test
  void jobsAreHeldAndReleasedByName() {
    Response all = jobs(JobFixture.pending(5).name("a"), JobFixture.pending(6).name("b"));
    controller.answer(all).answer(done()).answer(all).answer(done()).answer(all);
    assertEquals(0, scontrol("hold", "name=a"), world.errors());
    assertEquals(0, scontrol("release", "jobname=b"), world.errors());
    assertEquals(0, scontrol("hold", "name=nope"), world.errors());
    assertEquals(
        List.of(
            new Command.HoldJob(new JobSelector(5, null), false),
            new Command.ReleaseJob(new JobSelector(6, null))),
        changes());
  }

  @Test
  void jobsAreChangedByName() {
    Response all =
        jobs(
            JobFixture.pending(5).name("a"),
            JobFixture.pending(6).name("b"),
            JobFixture.pending(7).name("a"));
    controller.answer(all).answer(refused(ErrorCode.INVALID_JOB_ID)).answer(done());
    assertEquals(1, scontrol("update", "jobname=a", "priority=0"));
    assertEquals("Invalid job id specified for job 5\n", world.errors());
    assertEquals(
        List.of(5, 7),
        changes().stream().map(change -> ((Command.UpdateJob) change).job().jobId()).toList());
    String owner = JobFixture.pending(5).info().job().owner().userName();
    controller.answer(all).answer(done());
    assertEquals(0, scontrol("update", "Comment=x", "JobName=b", "UserID=" + owner));
    assertEquals(3, changes().size());
  }

  @Test
  void noJobOfThatNameIsAnError() {
    Response all = jobs(JobFixture.pending(5).name("a"));
    controller.answer(all).answer(all);
    assertEquals(1, scontrol("update", "jobname=x,a", "comment=x"));
    assertEquals(1, scontrol("update", "jobname=a", "userid=bob", "comment=x"));
    assertEquals(1, scontrol("update", "jobname=a", "userid=nobodyatall", "comment=x"));
    assertEquals(1, scontrol("update", "jobid=5", "userid=0"));
    assertEquals(1, scontrol("update", "jobid=5", "corespec=1"));
    assertEquals(1, scontrol("update", "jobid=5", "clusters=other"));
    assertEquals(
        """
        scontrol: error: No jobs with name 'x,a'
        scontrol: error: No jobs with user ID bob and name 'a'
        Invalid UserID: nobodyatall
        Request aborted
        No changes specified
        Access/permission denied for job 5
        Unspecified error for job 5
        """,
        world.errors());
    assertEquals(List.of(), changes());
  }

  @Test
  void requeueTakesItsWords() {
    controller.answer(done()).answer(done());
    assertEquals(0, scontrol("requeue", "incomplete", "5"));
    assertEquals(0, scontrol("requeuehold", "State=SpecialExit", "6"));
    assertEquals(
        List.of(
            new Command.RequeueJob(new JobSelector(5, null), false, false, true),
            new Command.RequeueJob(new JobSelector(6, null), true, true, false)),
        changes());
  }

  @Test
  void anOperatorsNoteIsShown() {
    JobInfo job = JobFixture.running(21).info();
    controller.answer(
        new Response.Jobs(
            List.of(job.withJob(job.job().withSpec(job.job().spec().withAdminComment("seen"), 1))),
            FakeContext.NOW));
    assertEquals(0, scontrol("show", "job", "21"), world.errors());
    assertTrue(world.printed().contains("\n   AdminComment=seen \n   "), world.printed());
  }

  @Test
  void aScriptIsWrittenByteByByte(@TempDir Path directory) throws IOException {
    world.directory = directory;
    String script = "#!/bin/sh\necho \u00c3\u00a9\n";
    controller
        .answer(new Response.Text(List.of(script)))
        .answer(new Response.Text(List.of(script)));
    assertEquals(0, scontrol("write", "batch_script", "5"));
    assertEquals(0, scontrol("write", "batch_script", "5", "-"));
    byte[] written = Files.readAllBytes(directory.resolve("slurm-5.sh"));
    assertEquals("#!/bin/sh\necho \u00e9\n", new String(written, StandardCharsets.UTF_8));
    assertEquals(
        "batch script for job 5 written to slurm-5.sh\n#!/bin/sh\necho \u00e9\n", world.printed());
  }

  @Test
  void waitingEndsWhenTheNodesOfTheJobAreReady() {
    controller
        .answer(jobs(JobFixture.running(5).launched(false)))
        .answer(jobs(JobFixture.running(5)));
    assertEquals(0, scontrol("wait_job", "5"));
    assertEquals(List.of(Duration.ofSeconds(3)), world.pauses);
  }

  @Test
  void thereIsNoWaitingForAJobThatHasNotStarted() {
    controller.answer(jobs(JobFixture.pending(5))).answer(jobs());
    assertEquals(1, scontrol("wait_job", "5"));
    assertEquals(1, scontrol("wait_job", "77"));
    assertEquals(1, scontrol("wait_job", "x"));
    assertEquals("", world.printed());
    assertEquals(
        """
        scontrol: Job 5 no longer running
        scontrol: Problem running job 77
        Invalid job_id x
        """,
        world.errors());
  }

  @Test
  void theDaemonsOfAMachineStandOnALineWithABlankBehindEach() {
    controller.answer(ClusterFixture.cluster()).answer(new Response.Pong("vm", "26.05.3", null));
    assertEquals(0, scontrol("show", "daemons"), world.errors());
    assertEquals("slurmctld slurmd \n", world.printed());
  }

  @Test
  void aJobIsTold() {
    controller.answer(done());
    assertEquals(0, scontrol("notify", "5", "we", "close"));
    assertEquals(List.of(new Command.NotifyJob(new JobSelector(5, null), "we close")), changes());
  }

  @Test
  void linesAreReadUntilTheEnd() {
    world.in = "bogus\noneliner\nhold 5\nquit\nhold 6\n".getBytes(StandardCharsets.UTF_8);
    controller.answer(done());
    assertEquals(1, scontrol());
    assertEquals("scontrol: ".repeat(4), world.printed());
    assertEquals("invalid keyword: bogus\n", world.errors());
    assertEquals(1, changes().size());
  }

  @Test
  void theConfigurationEndsWithTheController() {
    controller
        .answer(new Response.Text(List.of("Configuration data as of x", "A = b")))
        .answer(new Response.Pong("vm", "26.05.3", null));
    assertEquals(0, scontrol("show", "config"));
    assertEquals(
        "Configuration data as of x\nA = b\n\nSlurmctld(primary) at vm is UP\n", world.printed());
  }

  @Test
  void theControllersAreShownAndOneIsAskedToLead() {
    controller.answer(
        new Response.Replicas(
            List.of(
                new Response.Replica("c1", "LEADER", 3, true, 0, 0),
                new Response.Replica("c2", "UNKNOWN", 3, true, 12, 95),
                new Response.Replica("c3", "UNKNOWN", 0, false, -1, 0)),
            "missing: c2"));
    assertEquals(0, scontrol("show", "replicas"));
    assertEquals(
        """
        SlurmctldHost=c1 Role=LEADER Term=3 Voting=YES Lag=0
        SlurmctldHost=c2 Role=UNKNOWN Term=3 Voting=YES Lag=12 NotAnsweringFor=95s
        SlurmctldHost=c3 Role=UNKNOWN Term=0 Voting=NO Lag=UNKNOWN
        Trouble=missing: c2
        """,
        world.printed());
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, scontrol("takeover", "1"));
    assertEquals(1, scontrol("takeover", "x"));
    assertEquals("takeover: invalid backup controller index (x)\n", world.errors());
  }

  @Test
  void whatOthersMayNotSeeIsDenied() {
    Response.Cluster closed =
        new Response.Cluster(
            "lab",
            List.of(),
            List.of(),
            FakeContext.NOW,
            List.of(),
            List.of("nodes"),
            List.of(),
            List.of(),
            PreemptMode.OFF,
            List.of(),
            false,
            List.of());
    controller.answer(closed).answer(closed);
    assertEquals(1, scontrol("show", "node"));
    assertEquals(0, scontrol("show", "partition"));
    assertEquals("slurm_load_node error: Access/permission denied\n", world.errors());
    assertEquals("No partitions in the system\n", world.printed());
  }

  @Test
  void detailsOfANodeHaveItsGpusIfDriversToldOfThem() {
    Response.Cluster cluster = ClusterFixture.cluster();
    NodeInfo plain = cluster.nodes().getFirst();
    NodeGpu cut =
        new NodeGpu(
            "nvml",
            "nvidia_a100-sxm4-40gb",
            "GPU-a",
            List.of("/dev/nvidia0"),
            40536,
            List.of(0, 1, 2, 3, 8),
            List.of(-1, 2),
            List.of(new NodeGpu.Part("1g.5gb", "MIG-a"), new NodeGpu.Part("3g.20gb", "MIG-b")));
    NodeGpu bare =
        new NodeGpu("files", "h100", "1", List.of(), 0, List.of(), List.of(2, -1), List.of());
    NodeInfo node =
        plain
            .withFacts(plain.facts().withGpus(List.of(cut, bare, bare)))
            .withLoad(new NodeMetrics(0, 100, 0, 0, List.of("ok", "XID 79; 2 errors")));
    Response.Cluster told = cluster.withNodes(List.of(node));
    controller.answer(told).answer(told).answer(cluster);
    assertEquals(0, scontrol("show", "node", "-d"));
    String shown = world.printed();
    assertTrue(
        shown.contains(
            """
               GPU=0 Driver=nvml Type=nvidia_a100-sxm4-40gb UUID=GPU-a File=/dev/nvidia0\
             Memory=40536M Cores=0-3,8 Links=-1,2 MIG=1g.5gb:MIG-a,3g.20gb:MIG-b Health=ok
               GPU=1 Driver=files Type=h100 UUID=1 Links=2,-1 Health=XID 79; 2 errors
               GPU=2 Driver=files Type=h100 UUID=1 Links=2,-1 Health=unknown
            """),
        shown);
    assertTrue(shown.indexOf("GresUsed=") < shown.indexOf("GPU=0"), shown);
    assertEquals(0, scontrol("show", "node"));
    assertEquals(0, scontrol("show", "node", "-d", "n1"));
    assertEquals(shown.indexOf("GPU=2"), world.printed().lastIndexOf("GPU="));
  }

  @Test
  void quietSaysNothing() {
    controller.answer(refused(ErrorCode.ACCESS_DENIED));
    assertEquals(1, scontrol("-Q", "hold", "5"));
    assertEquals("", world.errors());
  }

  @Test
  void numbersHaveTexts() {
    assertEquals(0, scontrol("errnumstr", "2017"));
    assertEquals(0, scontrol("errnumstr", "13"));
    assertEquals(0, scontrol("errnumstr", "30002"));
    assertEquals(
        "Invalid job id specified\nPermission denied\n" + ErrorCode.RATE_LIMITED.text() + "\n",
        world.printed());
  }

  @Test
  void aNumberIsAskedForAsInSlurm() {
    assertEquals(0, scontrol("errnumstr", "--", "-1"));
    assertEquals(0, scontrol("errnostr", " +12"));
    assertEquals(0, scontrol("er", "99999999999"));
    assertEquals(
        "Unspecified error\nCannot allocate memory\nUnknown error 1215752191\n", world.printed());
    assertEquals(1, scontrol("errnumstr", "12a"));
    assertEquals(1, scontrol("errnumstr"));
    assertEquals(1, scontrol("errnostr", "1", "2"));
    assertEquals(
        """
        numeric arguments required for keyword:errnumstr
        one arguments required for keyword:errnumstr
        one arguments required for keyword:errnostr
        """,
        world.errors());
  }

  @Test
  void anExpectedStartIsShownWithItsEnd() {
    controller.answer(jobs(JobFixture.pending(5).begin("2026-11-21T00:00:00Z")));
    assertEquals(0, scontrol("show", "job", "5"));
    assertTrue(
        world.printed().contains("StartTime=2026-11-21T00:00:00 EndTime=2026-11-21T01:00:00"),
        world.printed());
    assertEquals(Instant.parse("2026-11-20T16:01:34Z"), FakeContext.NOW);
  }
}
