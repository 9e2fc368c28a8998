package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.node.NodeLife;
import io.dure.model.request.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SchedulerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void whoIsMovedToAnotherPartitionStartsThere() {
    TestCluster cluster = TestCluster.nodes(2, 4).backfill();
    cluster.with(TestCluster.partition("left", List.of("n1")));
    cluster.with(TestCluster.partition("right", List.of("n2")));
    cluster.submit(j -> j.tasks(4).partition("left"));
    Planner planner = new Planner();
    cluster.plan(planner).starts().forEach(cluster::start);
    cluster.submit(j -> j.tasks(4).partition("left"));
    assertTrue(cluster.plan(planner).starts().isEmpty());
    JobSpec moved = new JobBuilder().tasks(4).partition("right").spec();
    Job job = cluster.pending.require(2);
    cluster.pending = cluster.pending.with(2, job.withSpec(moved, job.priority()));
    SchedulingPlan plan = cluster.plan(planner);
    assertEquals("right", plan.starts().getFirst().allocation().partition());
  }

  @Test
  void aMemoryServesOnePassOfOnePlanner() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.submit(j -> j.tasks(4).minutes(10));
    cluster.submit(j -> j.tasks(3).minutes(10));
    Planner planner = new Planner();
    Planner.Planned first = plan(planner, cluster, Planner.Memory.none());
    first.plan().starts().forEach(cluster::start);
    Planner.Planned second = plan(planner, cluster, first.memory());
    assertEquals(1, second.memory().promised());
    assertEquals(cluster.now.plus(MINUTE.multipliedBy(10)), start(second.memory(), 2));
    assertNull(first.memory().promiseTo(2), "it was handed on");
    assertEquals(second.plan(), plan(planner, cluster, first.memory()).plan(), "begins anew");
    assertEquals(
        second.plan(), plan(new Planner(), cluster, second.memory()).plan(), "of another planner");
  }

  private static Planner.Planned plan(Planner by, TestCluster cluster, Planner.Memory memory) {
    return by.plan(cluster.view(), cluster.now, ArrayTaskGate.OPEN, memory);
  }

  private static @Nullable Instant start(Planner.Memory memory, int job) {
    StartEstimate promise = memory.promiseTo(job);
    return promise == null ? null : promise.start();
  }

  @Test
  void startsWhatFitsAndTheHeadWaitsForResources() {
    TestCluster cluster = TestCluster.nodes(1, 4);
    cluster.submit(j -> j.tasks(3));
    cluster.submit(j -> j.tasks(2));
    cluster.submit(j -> j.tasks(1));
    assertEquals("1", cluster.starts());
    assertEquals("Resources", cluster.reason(2));
    assertEquals("Priority", cluster.reason(3));
  }

  @Test
  void priorityComesBeforeAgeAndAgeBeforeId() {
    TestCluster cluster = TestCluster.nodes(1, 1);
    cluster.submit(j -> j);
    cluster.submit(j -> j.priority(200));
    assertEquals("2", cluster.starts());
    assertEquals("Resources", cluster.reason(1));
  }

  @Test
  void backfillLetsShortJobsPassAndLongOnesNot() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.submit(j -> j.tasks(3).minutes(60));
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.submit(j -> j.minutes(90));
    cluster.submit(j -> j.minutes(60));
    assertEquals("1 4", cluster.starts());
    assertEquals("Resources", cluster.reason(2));
    assertEquals("Priority", cluster.reason(3));
    PendingVerdict head = cluster.last.verdicts().require(2);
    assertEquals(TestCluster.START.plus(Duration.ofMinutes(60)), head.expectedStart());
    assertEquals("[n1]", head.plannedNodes().toString());
  }

  @Test
  void aNodeThatIsExpectedIsPlannedForFromThen() {
    TestCluster cluster = TestCluster.nodes(2, 4).backfill();
    Instant back = TestCluster.START.plus(Duration.ofMinutes(10));
    cluster.life("n2", new NodeLife.Rebooting(back, false, NodeLife.AfterBoot.AS_BEFORE));
    cluster.submit(j -> j.nodes(2).exclusive().minutes(60));
    cluster.submit(j -> j.tasks(4).minutes(20));
    cluster.submit(j -> j.tasks(4).minutes(10));
    assertEquals("3", cluster.starts());
    assertEquals("n1:4", cluster.where(3));
    assertEquals("Resources", cluster.reason(1));
    assertEquals(back, cluster.last.verdicts().require(1).expectedStart());
    cluster.advance(Duration.ofMinutes(10));
    assertEquals("", cluster.starts());
    cluster.life("n2", NodeLife.Plain.UP);
    assertEquals("1", cluster.starts());
  }

  @Test
  void aNodeThatIsBeingSwitchedOffIsNotPlannedFor() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    Instant off = TestCluster.START.plus(Duration.ofMinutes(10));
    cluster.life("n1", new NodeLife.PoweringDown(off, TestCluster.START));
    cluster.submit(j -> j.tasks(4));
    assertEquals("", cluster.starts());
    assertTrue(cluster.reason(1).startsWith("Nodes required for job are DOWN"), cluster.reason(1));
  }

  @Test
  void aNodeThatIsOffIsTakenAfterThoseThatAreOnWhateverTheirWeight() {
    TestCluster cluster = new TestCluster();
    cluster.node("n1", 1, 4, 1, 1000, 1).node("n2", 1, 4, 1, 1000, 1).node("n3", 1, 4, 1, 1000, 9);
    cluster.life("n1", new NodeLife.PoweredDown(null));
    cluster.life("n2", new NodeLife.PoweringUp(TestCluster.START, null));
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.tasks(4));
    assertEquals("1 2 3", cluster.starts());
    assertEquals("n3:4", cluster.where(1));
    assertEquals("n2:4", cluster.where(2));
    assertEquals("n1:4", cluster.where(3));
  }

  @Test
  void aJobThatStartsIsToldNoReasonThoughOneLikeItWaits() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.submit(j -> j.tasks(2).minutes(60));
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.submit(j -> j.tasks(2).minutes(30));
    cluster.submit(j -> j.tasks(2).minutes(30));
    assertEquals("1 3", cluster.starts());
    assertEquals("None", cluster.reason(3));
    assertEquals("Priority", cluster.reason(4));
  }

  @Test
  void backfillLetsLongJobsPassThatTheHeadLeavesRoomFor() {
    TestCluster cluster = TestCluster.nodes(1, 8).backfill();
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.submit(j -> j.tasks(6).minutes(60));
    cluster.submit(j -> j.tasks(3).unlimited());
    cluster.submit(j -> j.tasks(2).unlimited());
    assertEquals("1 4", cluster.starts());
    cluster.advance(MINUTE.multipliedBy(60));
    assertEquals("2", cluster.starts());
  }

  @Test
  void behindAHeadThatWaitsForUnlimitedJobsOnlyLimitedOnesPass() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.submit(j -> j.tasks(2).unlimited());
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.unlimited());
    cluster.submit(j -> j.minutes(10));
    assertEquals("1 4", cluster.starts());
  }

  @Test
  void jobsThatAreNotEligibleBlockNobody() {
    TestCluster cluster = TestCluster.nodes(1, 1);
    cluster.submit(j -> j.held());
    cluster.submit(j -> j.dependent());
    cluster.submit(j -> j.begin(TestCluster.START.plusSeconds(60)));
    cluster.submit(j -> j.deadline(TestCluster.START.plusSeconds(60)));
    cluster.submit(j -> j);
    assertEquals("5", cluster.starts());
    assertEquals("JobHeldUser", cluster.reason(1));
    assertEquals("Dependency", cluster.reason(2));
    assertEquals("BeginTime", cluster.reason(3));
    assertEquals("DeadLine", cluster.reason(4));
  }

  @Test
  void anArrayStartsAsManyTasksAsFitLowestFirst() {
    TestCluster cluster = TestCluster.nodes(1, 2);
    cluster.submit(j -> j.array("0-9"));
    assertEquals("1_0 1_1", cluster.starts());
    assertEquals("Resources", cluster.reason(1));
  }

  @Test
  void aThrottleCountsRunningTasks() {
    TestCluster cluster = TestCluster.nodes(1, 8);
    cluster.submit(j -> j.array("0-9%3"));
    cluster.submit(j -> j);
    assertEquals("1_0 1_1 1_2 2", cluster.starts());
    assertEquals("JobArrayTaskLimit", cluster.reason(1));
    cluster.end(3);
    assertEquals("1_3", cluster.starts());
  }

  @Test
  void exclusiveTakesTheNodeWholeButOnlyTheMemoryAskedFor() {
    TestCluster cluster = TestCluster.nodes(2, 4);
    cluster.submit(j -> j);
    cluster.submit(j -> j.exclusive().mem(10));
    cluster.submit(j -> j.exclusive());
    assertEquals("1 2", cluster.starts());
    assertEquals("n2:4", cluster.where(2));
    assertEquals(10, cluster.last.starts().get(1).allocation().memoryMib());
    assertEquals("Resources", cluster.reason(3));
  }

  @Test
  void exclusiveUserKeepsOtherUsersAway() {
    TestCluster cluster = TestCluster.nodes(2, 4);
    cluster.submit(j -> j.user(1).exclusiveUser());
    cluster.submit(j -> j.user(2));
    cluster.submit(j -> j.user(1));
    cluster.submit(j -> j.user(1).exclusiveUser().tasks(3));
    assertEquals("1 2 3", cluster.starts());
    assertEquals("n2:1", cluster.where(2));
    assertEquals("n1:1", cluster.where(3));
    assertEquals("Resources", cluster.reason(4));
  }

  @Test
  void memoryIsGivenLikeCpus() {
    TestCluster cluster = TestCluster.nodes(2, 8);
    cluster.submit(j -> j.mem(600));
    cluster.submit(j -> j.mem(600));
    cluster.submit(j -> j.mem(600));
    cluster.submit(j -> j.mem(0).priority(50));
    assertEquals("1 2", cluster.starts());
    assertEquals("n2:1", cluster.where(2));
  }

  @Test
  void memoryPerCpuCountsTheCpusOfWholeCores() {
    TestCluster cluster = new TestCluster().node("n1", 1, 4, 2, 1000, 1);
    cluster.submit(j -> j.memPerCpu(100));
    assertEquals("1", cluster.starts());
    assertEquals("n1:2", cluster.where(1));
    assertEquals(200, cluster.last.starts().getFirst().allocation().memoryMib());
  }

  @Test
  void aTaskIsNeverSplitOverNodes() {
    TestCluster cluster = TestCluster.nodes(3, 4);
    cluster.submit(j -> j.tasks(3).cpusPerTask(3));
    assertEquals("1", cluster.starts());
    assertEquals("n1:3 n2:3 n3:3", cluster.where(1));
  }

  @Test
  void oneNodeJobsTakeTheTightestFitAndLowWeightFirst() {
    TestCluster cluster =
        new TestCluster()
            .node("heavy", 1, 2, 1, 1000, 9)
            .node("big", 1, 8, 1, 1000, 1)
            .node("small", 1, 4, 1, 1000, 1);
    cluster.submit(j -> j.tasks(2).nodes(1, 1));
    cluster.submit(j -> j.tasks(6).nodes(1, 1));
    assertEquals("1 2", cluster.starts());
    assertEquals("small:2", cluster.where(1));
    assertEquals("big:6", cluster.where(2));
  }

  @Test
  void requiredNodesAreAllTakenAndOthersAddedOnlyIfNeeded() {
    TestCluster cluster = TestCluster.nodes(4, 2);
    cluster.submit(j -> j.tasks(5).on("n2", "n4"));
    assertEquals("1", cluster.starts());
    assertEquals("n2:2 n3:1 n4:2", cluster.where(1));
  }

  @Test
  void aJobWithItsOwnNodesHoldsBackOnlyThem() {
    TestCluster cluster = TestCluster.nodes(2, 2);
    cluster.submit(j -> j.on("n1").tasks(2));
    cluster.submit(j -> j.on("n1"));
    cluster.submit(j -> j);
    assertEquals("1 3", cluster.starts());
    assertEquals("Resources", cluster.reason(2));
  }

  @Test
  void nodesThatAreDownAreNamedOrCounted() {
    TestCluster cluster = TestCluster.nodes(3, 2).down("n1");
    cluster.submit(j -> j.on("n1"));
    cluster.submit(j -> j.nodes(3));
    cluster.submit(j -> j);
    assertEquals("3", cluster.starts());
    assertEquals("ReqNodeNotAvail, UnavailableNodes:n1", cluster.reason(1));
    assertEquals(
        "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions",
        cluster.reason(2));
  }

  @Test
  void contiguousNodesAreNeighbours() {
    TestCluster cluster = TestCluster.nodes(5, 1);
    cluster.submit(j -> j.on("n2"));
    cluster.submit(j -> j.nodes(3).contiguous());
    assertEquals("1 2", cluster.starts());
    assertEquals("n3:1 n4:1 n5:1", cluster.where(2));
  }

  @Test
  void socketsGiveCoresInTurnsAndTasksStayTogether() {
    TestCluster cluster = new TestCluster().node("n1", 2, 4, 1, 1000, 1);
    cluster.submit(j -> j.tasks(3));
    cluster.submit(j -> j.tasks(2).cpusPerTask(2));
    cluster.submit(j -> j.tasks(1));
    cluster.schedule();
    assertEquals("[0, 1, 4]", cores(cluster, 0));
    assertEquals("[2, 3, 5, 6]", cores(cluster, 1));
    assertEquals("[7]", cores(cluster, 2));
  }

  private static String cores(TestCluster cluster, int start) {
    return cluster.last.starts().get(start).allocation().shares().getFirst().cores().toString();
  }

  @Test
  void tasksGoInBlocksButEachNodeGetsOne() {
    TestCluster cluster = TestCluster.nodes(2, 4);
    cluster.submit(j -> j.tasks(4).nodes(2, 2));
    cluster.submit(j -> j.tasks(4).nodes(2, 2).tasksPerNode(2).priority(1));
    assertEquals("1", cluster.starts());
    assertEquals("n1:3 n2:1", cluster.where(1));
    cluster.end(1);
    assertEquals("2", cluster.starts());
    assertEquals("n1:2 n2:2", cluster.where(2));
  }

  @Test
  void tasksWhoseOwnDependenciesAreOpenAreSteppedOver() {
    TestCluster cluster = TestCluster.nodes(1, 4);
    int array = cluster.submit(j -> j.array("0-3").afterCorr(9));
    ArrayTaskGate odd = (_, index) -> index % 2 == 1;
    SchedulingPlan plan = new Planner().plan(cluster.view(), cluster.now, odd);
    assertEquals(List.of(1, 3), plan.starts().stream().map(Placement::taskIndex).toList());
    assertEquals("Dependency", plan.verdicts().require(array).reason());
  }

  @Test
  void aJobOfSeveralPartitionsStartsWhereItFirstCan() {
    TestCluster cluster = TestCluster.nodes(2, 2);
    cluster.with(TestCluster.partition("one", List.of("n1")));
    cluster.with(TestCluster.partition("two", List.of("n2")));
    cluster.submit(j -> j.partition("one").tasks(2));
    cluster.submit(j -> j.partition("one", "two"));
    cluster.submit(j -> j.partition("two", "one").tasks(2));
    assertEquals("1 2", cluster.starts());
    assertEquals("n2:1", cluster.where(2));
    assertEquals("Resources", cluster.reason(3));
  }

  @Test
  void aHigherTierComesFirstAndPartitionsThatAreDownStartNothing() {
    TestCluster cluster = TestCluster.nodes(1, 1);
    PartitionConfig low = TestCluster.partition("debug", List.of("n1"));
    cluster.with(low);
    cluster.with(TestCluster.state("high", low, PartitionConfig.State.UP, 9));
    cluster.with(TestCluster.state("down", low, PartitionConfig.State.DOWN, 99));
    cluster.with(TestCluster.state("off", low, PartitionConfig.State.INACTIVE, 99));
    cluster.submit(j -> j);
    cluster.submit(j -> j.partition("high"));
    cluster.submit(j -> j.partition("down"));
    cluster.submit(j -> j.partition("off"));
    assertEquals("2", cluster.starts());
    assertEquals("PartitionDown", cluster.reason(3));
    assertEquals("PartitionInactive", cluster.reason(4));
  }

  @Test
  void withoutBackfillAHeadClosesItsNodesForOverlappingPartitionsToo() {
    TestCluster cluster = TestCluster.nodes(3, 2);
    cluster.with(TestCluster.partition("a", List.of("n1", "n2")));
    cluster.with(TestCluster.partition("b", List.of("n2", "n3")));
    cluster.submit(j -> j.partition("a").on("n1"));
    cluster.submit(j -> j.partition("a").nodes(2).exclusive());
    cluster.submit(j -> j.partition("b").tasks(2));
    cluster.submit(j -> j.partition("b").tasks(2));
    assertEquals("1 3", cluster.starts());
    assertEquals("n3:2", cluster.where(3));
    assertEquals("Resources", cluster.reason(2));
    assertEquals("Priority", cluster.reason(4));
  }

  @Test
  void aPartitionsCpusPerNodeBoundItsJobsTogether() {
    TestCluster cluster = TestCluster.nodes(1, 8);
    cluster.with(TestCluster.cpusPerNode("debug", List.of("n1"), 3));
    cluster.submit(j -> j.tasks(2));
    cluster.submit(j -> j.tasks(2));
    assertEquals("1", cluster.starts());
    assertEquals("Resources", cluster.reason(2));
  }

  @Test
  void singleCpusAreCountedWhereTheUnitIsTheCpuAndCoresAreOfOneJob() {
    TestCluster cluster =
        new TestCluster().unit(ClusterSettings.Unit.CPU).node("n1", 1, 2, 2, 1000, 1);
    for (int i = 0; i < 5; i++) {
      cluster.submit(j -> j);
    }
    assertEquals("1 2", cluster.starts());
    assertEquals("n1:1", cluster.where(2));
  }

  @Test
  void wholeNodesAreGivenWhereTheUnitIsTheNode() {
    TestCluster cluster =
        new TestCluster().unit(ClusterSettings.Unit.NODE).node("n1", 1, 2, 2, 1000, 1);
    cluster.submit(j -> j);
    cluster.submit(j -> j);
    assertEquals("1", cluster.starts());
    assertEquals("n1:4", cluster.where(1));
  }

  @Test
  void threadsPerCoreLeavesTheOtherThreadsIdle() {
    TestCluster cluster = new TestCluster().node("n1", 1, 4, 2, 1000, 1);
    cluster.submit(j -> j.tasks(3).threadsPerCore(1));
    assertEquals("1", cluster.starts());
    assertEquals("n1:6", cluster.where(1));
  }
}
