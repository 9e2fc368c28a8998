package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.TimeLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes of jobs, nodes and partitions: what is sent, and what is refused before. */
@Tag("pure")
class ScontrolUpdateTest extends ScontrolSite {

  @Test
  void limitsAreSetRaisedAndLowered() {
    assertEquals(
        TimeLimit.minutes(20), jobChange("update", "job", "5", "timelimit=20").timeLimit());
    assertEquals(10L, jobChange("update", "JobId=5", "TimeLimit+=10").timeLimitDelta());
    assertEquals(-65L, jobChange("update", "jobid=5", "TimeLim-=1:05:00").timeLimitDelta());
    assertEquals(10L, jobChange("update", "jobid=5", "timelimit=+10").timeLimitDelta());
  }

  @Test
  void settingsOfAJobAreTyped() {
    JobChange change =
        jobChange(
            "update",
            "jobid=5",
            "NumNodes=2-4",
            "MinMemoryNode=4G",
            "nice",
            "requeue=0",
            "starttime=now+1hour",
            "Partition=a,b",
            "reqnodelist=n[1-2]",
            "comment='two words'",
            "WCKey=survey",
            "arraytaskthrottle=3");
    assertEquals(2, change.shape().minNodes());
    assertEquals(4, change.shape().maxNodes());
    assertEquals(new MemoryRequest.PerNode(4096), change.shape().memory());
    assertEquals(100L, change.nice());
    assertEquals(RequeuePolicy.NO, change.requeue());
    assertEquals(FakeContext.NOW.plusSeconds(3600), change.beginTime());
    assertEquals(List.of("a", "b"), change.partitions());
    assertEquals(List.of("n1", "n2"), change.shape().requiredNodes());
    assertEquals("two words", change.comment());
    assertEquals("survey", change.wckey());
    assertEquals(3, change.arrayThrottle());
  }

  @Test
  void rarerKeysOfAJob() {
    JobChange change =
        jobChange(
            "update",
            "jobid=5",
            "AdminComment=seen",
            "TimeMin=10",
            "ResetAccrueTime",
            "Prefer=fast",
            "Switches=2@5:00",
            "ReqSockets=2",
            "ReqThreads=1",
            "Extra=x",
            "DelayBoot=0:30",
            "MCSLabel=a",
            "TresBind=gres/gpu:map:0",
            "TresFreq=gpu:high");
    assertEquals("seen", change.adminComment());
    assertEquals(Duration.ofMinutes(10), change.timeMin());
    assertTrue(change.resetAge());
    assertEquals(new JobChange.Reach("fast", 2, Duration.ofMinutes(5)), change.shape().reach());
    assertEquals(new JobChange.NodeShape(2, null, 1), change.shape().shape());
    assertEquals("x", change.shape().kept().extra());
    assertEquals("a", change.shape().kept().mcsLabel());
    assertEquals("gres/gpu:map:0", change.shape().kept().tresBind());
    assertEquals("high", change.shape().kept().gpuFrequency());
    assertEquals(Duration.ofSeconds(30), change.shape().kept().delayBoot());
    assertEquals(
        new JobChange.Reach(null, 3, Duration.ofHours(1)),
        jobChange("update", "jobid=5", "switches=3", "wait-for-switch=1:00:00").shape().reach());
  }

  @Test
  void whatCannotBeChangedIsRefusedBeforeAnythingIsSent() {
    assertEquals(1, scontrol("update", "jobid=5", "foo=bar"));
    assertEquals(
        "Update of this parameter is not supported: foo=bar\nRequest aborted\n", world.errors());
    assertEquals(1, scontrol("update", "jobid=5", "timelimit=x"));
    assertEquals(1, scontrol("update", "jobid=5", "numtasks=0"));
    assertTrue(world.errors().endsWith("scontrol: error: Invalid NumTasks value: 0\n"));
    assertEquals(1, scontrol("update", "jobid=5"));
    assertEquals(1, scontrol("update", "foo=bar"));
    assertEquals(1, scontrol("update", "jobid=5", "corespec=1"));
    assertTrue(controller.requests.isEmpty());
  }

  @Test
  void aJobIsToHaveOtherNodes() {
    JobChange change = jobChange("update", "jobid=5", "numnodes=0");
    assertEquals(0, change.shape().minNodes());
    controller.answer(refused(ErrorCode.INVALID_ARRAY));
    assertEquals(1, scontrol("update", "jobid=5", "numnodes=1"));
    controller.answer(refused(ErrorCode.INVALID_JOB_ID));
    assertEquals(1, scontrol("update", "jobid=5", "nodelist=n1"));
    controller.answer(refused(ErrorCode.INVALID_NODE_NAME));
    assertEquals(1, scontrol("update", "jobid=5", "nodelist=n1"));
    int sent = controller.requests.size();
    assertEquals(1, scontrol("update", "jobid=5,6", "numnodes=1"));
    assertEquals(1, scontrol("update", "jobid=5", "numnodes=foo"));
    assertEquals(sent, controller.requests.size());
    assertEquals(
        """
        scontrol: error: Job resizing not supported for job arrays
        scontrol: error: Could not load state information for job 5: Invalid job id specified
        Invalid node name specified for job 5
        scontrol: error: Invalid job ID 5,6
        scontrol: error: Invalid numeric value "foo" for requested node count.
        """,
        world.errors());
  }

  @Test
  void nodesAreDrainedWithAReason() {
    controller.answer(done());
    assertEquals(0, scontrol("update", "nodename=n[1-2]", "state=drain", "reason=disk swap"));
    assertEquals(
        List.of(
            new Command.UpdateNodes(
                List.of("n1", "n2"), Map.of("state", "DRAIN", "reason", "disk swap"))),
        changes());
  }

  @Test
  void aPartitionIsSentWhole() {
    controller.answer(ClusterFixture.cluster()).answer(done());
    assertEquals(
        0,
        scontrol("update", "partitionname=debug", "state=down", "maxtime=2:00:00", "Nodes=-n4"),
        world.errors());
    PartitionConfig after = ((Command.ChangePartition) changes().getFirst()).partition();
    PartitionConfig before = ClusterFixture.cluster().partitions().getFirst();
    assertEquals(PartitionConfig.State.DOWN, after.state());
    assertEquals(Duration.ofHours(2), after.limits().maxTime());
    assertEquals(List.of("n1", "n2", "n3"), after.nodes());
    assertEquals(before.limits().defaultTime(), after.limits().defaultTime());
    assertEquals(before.priorityJobFactor(), after.priorityJobFactor());
    assertTrue(after.isDefault());
  }

  @Test
  void partitionsAndNodesComeAndGo() {
    controller.answer(ClusterFixture.cluster());
    for (int i = 0; i < 4; i++) {
      controller.answer(done());
    }
    assertEquals(0, scontrol("create", "partitionname=new", "nodes=n[1-2]", "maxtime=60"));
    assertEquals(0, scontrol("create", "nodename=x[1-2]", "cpus=4", "state=future"));
    assertEquals(0, scontrol("delete", "partitionname=new"));
    assertEquals(0, scontrol("delete", "nodename=x[1-2]"));
    assertTrue(((Command.ChangePartition) changes().get(0)).create());
    assertEquals(2, ((Command.CreateNodes) changes().get(1)).nodes().size());
    assertEquals(new Command.DeletePartition("new"), changes().get(2));
    assertEquals(new Command.DeleteNodes(List.of("x1", "x2")), changes().get(3));
  }

  @Test
  void whatComesWithGpusOfAPartition() {
    controller.answer(ClusterFixture.cluster());
    controller.answer(done());
    assertEquals(
        0,
        scontrol("update", "partitionname=debug", "jobdefaults=defcpupergpu=4,DefMemPerGPU=300"));
    PartitionConfig after = ((Command.ChangePartition) changes().getFirst()).partition();
    assertEquals(new GpuDefaults(4, 300L), after.gpuDefaults());
    assertEquals("DefCpuPerGPU=4,DefMemPerGPU=300", after.gpuDefaults().text());
  }

  @Test
  void whatComesWithGpusIsANumber() {
    for (String words : List.of("foo=3", "DefCpuPerGPU=x", "DefCpuPerGPU=2,DefMemPerGPU=1G")) {
      ScontrolTest other = new ScontrolTest();
      other.controller.answer(ClusterFixture.cluster());
      assertEquals(1, other.scontrol("update", "partitionname=debug", "jobdefaults=" + words));
      assertEquals("slurm_update error: Invalid JobDefaults specification\n", other.world.errors());
    }
  }

  @Test
  void whatAPartitionCannotBeIsRefused() {
    controller.answer(ClusterFixture.cluster());
    assertEquals(1, scontrol("update", "partitionname=debug", "nodes=n9"));
    assertTrue(world.errors().contains("n9 not defined"), world.errors());
    assertEquals(List.of(), changes());
  }

  @Test
  void moreOfAJobCanBeChanged() {
    JobChange change =
        jobChange(
            "update",
            "job=5",
            "NumCPUs=4-8",
            "EndTime=2026-11-21T00:00:00",
            "WorkDir=/srv",
            "MailType=end,fail",
            "MailUser=alice");
    assertEquals(4, change.shape().cpus());
    assertEquals(Instant.parse("2026-11-21T00:00:00Z"), change.endTime());
    assertEquals("/srv", change.output().workDirectory());
    assertEquals("END,FAIL", change.mailType());
    assertEquals("alice", change.mailUser());
  }

  @Test
  void changesThatMakeNoSenseAreNotSent() {
    assertEquals(1, scontrol("update", "job=5", "NumCPUs=8-4"));
    assertEquals(1, scontrol("update", "job=5", "NumCPUs=x"));
    assertEquals(1, scontrol("update", "job=5", "WorkDir=here"));
    assertEquals(1, scontrol("update", "job=5", "MailType=often"));
    assertEquals(
        """
        scontrol: error: Invalid NumCPUs value: 8-4
        scontrol: error: Invalid NumCPUs value: x
        scontrol: error: Invalid WorkDir value: here
        scontrol: error: Invalid MailType value: often
        """,
        world.errors());
    assertEquals(List.of(), changes());
  }

  @Test
  void nodesAreCreatedForLaterOnly() {
    for (String state : List.of("", "state=down", "state=idle", "state=unknown")) {
      String[] words = {"create", "nodename=x", "cpus=4", state};
      assertEquals(
          1,
          scontrol(state.isEmpty() ? List.of(words).subList(0, 3).toArray(new String[0]) : words));
    }
    assertEquals(
        """
        scontrol: error: Only State=FUTURE, State=CLOUD and State=EXTERNAL allowed for nodes \
        created by scontrol
        Error creating node(s): Invalid node state specified
        """
            .repeat(4),
        world.errors());
    assertTrue(controller.requests.isEmpty());
  }

  @Test
  void aKeyThatIsNoneOfAPartitionIsToldBeforeAnythingIsAsked() {
    assertEquals(1, scontrol("update", "partitionname=nosuch", "bar=1"));
    assertEquals(
        "Update of this parameter is not supported: bar=1\nRequest aborted\n", world.errors());
    assertTrue(controller.requests.isEmpty());
  }
}
