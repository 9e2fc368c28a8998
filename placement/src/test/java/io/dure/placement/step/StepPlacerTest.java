package io.dure.placement.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.model.ErrorCode;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.model.step.StepSpec.Distribution;
import io.dure.model.step.StepSpec.Sharing;
import io.dure.model.step.StepSpec.TaskLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which nodes, cores and tasks a step gets of a job that has four cores on each of its nodes. */
@Tag("pure")
class StepPlacerTest {
  private static final StepSpec TRUE = StepSpec.of("true", 0);

  private static Allocation nodes(int count) {
    List<NodeShare> shares = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      shares.add(new NodeShare("n" + i, List.of(0, 1, 2, 3), 4, 4000, 4));
    }
    return new Allocation("debug", shares);
  }

  private static RunSteps running(StepSpec... specs) {
    RunSteps steps = RunSteps.NONE;
    for (StepSpec spec : specs) {
      List<StepShare> shares =
          assertInstanceOf(StepPlacer.Answer.Placed.class, StepPlacer.place(nodes(1), steps, spec))
              .shares();
      steps = steps.with(LaunchedStep.begun(steps.next(), spec, shares, Instant.EPOCH, null));
    }
    return steps;
  }

  private static String placed(int nodes, StepSpec spec) {
    return text(StepPlacer.place(nodes(nodes), RunSteps.NONE, spec));
  }

  private static String text(StepPlacer.Answer answer) {
    return switch (answer) {
      case StepPlacer.Answer.Refused(ErrorCode code, String detail) ->
          detail.isEmpty() ? code.name() : detail;
      case StepPlacer.Answer.Busy _ -> "busy";
      case StepPlacer.Answer.Placed(List<StepShare> shares) -> {
        StringJoiner text = new StringJoiner(" ");
        for (StepShare share : shares) {
          text.add(share.node() + share.cores() + share.ranks());
        }
        yield text.toString().replace(" ", "").replace("]n", "] n");
      }
    };
  }

  private static StepSpec tasks(int count) {
    return TRUE.withTasks(count);
  }

  private static StepSpec laid(int count, Distribution how, int plane, String... hosts) {
    return tasks(count).withLayout(TaskLayout.of(how, plane, 0, List.of(hosts)));
  }

  @Test
  void withoutACountThereIsATaskOnEachNode() {
    assertEquals("n1[0,1,2,3][0] n2[0,1,2,3][1]", placed(2, TRUE));
    assertEquals("n1[0,1,2,3][0]", placed(2, TRUE.withMinNodes(1).withMaxNodes(1)));
  }

  @Test
  void aStepHasAllThatItsJobHasOnItsNodesUnlessItWantsLess() {
    assertEquals("n1[0,1,2,3][0]", placed(2, tasks(1)));
    assertEquals("n1[0][0]", placed(2, tasks(1).withSharing(Sharing.EXACT)));
    assertEquals(
        "n1[0,1,2,3][0,1] n2[0,1][2]",
        placed(2, tasks(3).withCpusPerTask(2).withSharing(Sharing.EXACT)));
  }

  @Test
  void eachNodeGetsAsManyUnlessTheyArePacked() {
    assertEquals("n1[0,1,2,3][0,1,2] n2[0,1,2,3][3,4]", placed(3, tasks(5)));
    assertEquals(
        "n1[0,1,2,3][0,1] n2[0,1,2,3][2,3] n3[0,1,2,3][4]", placed(3, tasks(5).withMinNodes(3)));
    assertEquals("n1[0,1,2,3][0,1,2,3] n2[0,1,2,3][4]", placed(3, laid(5, Distribution.PACKED, 0)));
    assertEquals(
        "n1[0,1,2,3][0,1,2] n2[0,1,2,3][3] n3[0,1,2,3][4]",
        placed(3, laid(5, Distribution.PACKED, 0).withMinNodes(3)));
  }

  @Test
  void tasksGoRoundByTurnsInPlanesOrAsNamed() {
    assertEquals(
        "n1[0,1,2,3][0,2,4] n2[0,1,2,3][1,3]",
        placed(2, laid(5, Distribution.CYCLIC, 0).withMinNodes(2)));
    assertEquals(
        "n1[0,1,2,3][0,1,4] n2[0,1,2,3][2,3]",
        placed(2, laid(5, Distribution.PLANE, 2).withMinNodes(2)));
    assertEquals(
        "n1[0,1,2,3][1] n2[0,1,2,3][0,2]",
        placed(2, laid(3, Distribution.ARBITRARY, 0, "n2", "n1", "n2")));
  }

  @Test
  void nodesAreChosenByNameByPlaceOrLeftOut() {
    assertEquals("n3[0,1,2,3][0]", placed(3, tasks(1).withNodes(List.of("n3"))));
    assertEquals("n2[0,1,2,3][0]", placed(3, tasks(1).withRelativeNode(1)));
    assertEquals("n2[0,1,2,3][0]", placed(3, tasks(1).withExcludedNodes(List.of("n1"))));
    assertEquals("NODE_CONFIG_UNAVAILABLE", placed(3, tasks(1).withNodes(List.of("elsewhere"))));
    assertEquals("Only allocated 2 nodes asked for 3", placed(2, tasks(3).withMinNodes(3)));
  }

  @Test
  void cpusMayBeSharedByAsManyTasksAsANodeStarts() {
    assertEquals("n1[0,1,2,3][0] n2[0,1,2,3][1]", placed(2, TRUE.withOvercommit(true)));
    assertEquals("TOO_MANY_CPUS", placed(2, tasks(2 * 4096 + 1).withOvercommit(true)));
    assertEquals("TOO_MANY_CPUS", placed(1, tasks(2_000_000_000).withOvercommit(true)));
  }

  @Test
  void whatTheJobWillNeverHaveIsRefused() {
    assertEquals("TOO_MANY_CPUS", placed(2, tasks(9)));
    assertEquals("TOO_MANY_CPUS", placed(1, tasks(2).withCpusPerTask(3)));
    assertEquals("MEMORY_UNAVAILABLE", placed(1, tasks(1).withMemoryMib(5000L)));
  }

  @Test
  void whatOtherStepsHaveIsWaitedFor() {
    StepSpec two = tasks(2).withSharing(Sharing.EXACT);
    RunSteps beside = running(two);
    assertEquals("n1[2,3][0,1]", text(StepPlacer.place(nodes(1), beside, two)));
    assertEquals("n1[2,3][0]", text(StepPlacer.place(nodes(1), beside, tasks(1))));
    assertEquals("busy", text(StepPlacer.place(nodes(1), beside, tasks(3))));
    StepSpec over = tasks(3).withSharing(Sharing.OVERLAP);
    assertEquals("n1[0,1,2,3][0,1,2]", text(StepPlacer.place(nodes(1), beside, over)));
    assertEquals("n1[0,1,2,3][0]", text(StepPlacer.place(nodes(1), running(over), tasks(1))));
  }

  @Test
  void memoryIsSharedOutWhereItIsAskedFor() {
    StepSpec most = tasks(1).withMemoryMib(3000L).withSharing(Sharing.EXACT);
    assertEquals("busy", text(StepPlacer.place(nodes(1), running(most), most)));
    assertEquals(
        "n1[1][0]", text(StepPlacer.place(nodes(1), running(most), most.withMemoryMib(1000L))));
  }

  @Test
  void memoryMayGoByCpus() {
    StepSpec two = tasks(2).withSharing(Sharing.EXACT).withMemoryPerCpuMib(1500L);
    RunSteps beside = running(two);
    assertEquals(3000, beside.live().getFirst().shares().getFirst().memoryMib());
    assertEquals("busy", text(StepPlacer.place(nodes(1), beside, two)));
    StepSpec less = two.withMemoryPerCpuMib(500L);
    assertEquals("n1[2,3][0,1]", text(StepPlacer.place(nodes(1), beside, less)));
    assertEquals("MEMORY_UNAVAILABLE", placed(1, two.withTasks(3)));
    assertEquals("MEMORY_UNAVAILABLE", placed(1, tasks(1).withMemoryPerCpuMib(Long.MAX_VALUE)));
    assertEquals("MEMORY_UNAVAILABLE", placed(1, two.withTasks(1).withCpusPerTask(3)));
    assertEquals("n1[0,1][0,1] n2[0][2]", placed(2, two.withTasks(3)));
    RunSteps whole = running(tasks(1).withMemoryPerCpuMib(700L));
    assertEquals(2800, whole.live().getFirst().shares().getFirst().memoryMib());
    RunSteps many = running(tasks(6).withOvercommit(true).withMemoryPerCpuMib(3000L));
    assertEquals(4000, many.live().getFirst().shares().getFirst().memoryMib());
  }

  @Test
  void memoryThatIsNotPositiveIsNotAskedFor() {
    for (long mib : new long[] {0, -1, Long.MIN_VALUE}) {
      StepSpec odd = tasks(1).withMemoryPerCpuMib(mib).withMemoryMib(mib).withMemoryPerGpuMib(mib);
      assertEquals(tasks(1), odd);
      assertEquals("n1[0,1,2,3][0]", placed(1, odd));
    }
  }

  @Test
  void aJobThatUsesOneThreadOfEachCorePaysStepsForThatOne() {
    Allocation single =
        new Allocation("debug", List.of(new NodeShare("n1", List.of(0, 1, 2, 3), 8, 4000, 4)));
    Allocation both =
        new Allocation("debug", List.of(new NodeShare("n1", List.of(0, 1), 4, 4000, 4)));
    StepSpec one = tasks(1).withSharing(Sharing.EXACT).withMemoryPerCpuMib(1000L);
    assertEquals(List.of(1000L, 1000L, 1000L, 1000L), memoryOfEach(single, one));
    assertEquals(List.of(2000L, 2000L), memoryOfEach(both, one));
    assertEquals(List.of(3000L), memoryOfEach(single, one.withMemoryPerCpuMib(3000L)));
  }

  /** The memory of as many such steps as run beside each other. */
  private static List<Long> memoryOfEach(Allocation nodes, StepSpec spec) {
    List<Long> memory = new ArrayList<>();
    RunSteps steps = RunSteps.NONE;
    while (StepPlacer.place(nodes, steps, spec) instanceof StepPlacer.Answer.Placed placed) {
      memory.add(placed.shares().getFirst().memoryMib());
      steps =
          steps.with(LaunchedStep.begun(steps.next(), spec, placed.shares(), Instant.EPOCH, null));
    }
    return memory;
  }

  @Test
  void aStepThatEndedOnANodeHoldsNothingThere() {
    RunSteps all = running(tasks(4));
    LaunchedStep step = all.live().getFirst();
    RunSteps over = all.changed(step.endedOn(Set.of("n1"), io.dure.model.ExitStatus.OK));
    assertEquals("busy", text(StepPlacer.place(nodes(1), all, tasks(1))));
    assertEquals("n1[0,1,2,3][0]", text(StepPlacer.place(nodes(1), over, tasks(1))));
  }

  @Test
  void tasksAreSpreadEvenlyWhereNothingIsPacked() {
    assertEquals(
        "n1[0,1,2,3][0,1,2] n2[0,1,2,3][3,4]",
        placed(2, laid(5, Distribution.EVEN, 0).withMinNodes(2)));
    assertEquals("TOO_MANY_CPUS", placed(2, laid(9, Distribution.EVEN, 0)));
  }

  @Test
  void aClusterThatPacksNodesFillsThemUnlessAStepSaysOtherwise() {
    StepSpec plain = laid(5, Distribution.BLOCK, 0).withMinNodes(2);
    String even = "n1[0,1,2,3][0,1,2] n2[0,1,2,3][3,4]";
    assertEquals(even, placed(2, plain.placed(false)));
    assertEquals("n1[0,1,2,3][0,1,2,3] n2[0,1,2,3][4]", placed(2, plain.placed(true)));
    assertEquals(even, placed(2, laid(5, Distribution.EVEN, 0).withMinNodes(2).placed(true)));
    assertEquals(
        "n1[0,1,2,3][0,2,4] n2[0,1,2,3][1,3]",
        placed(2, laid(5, Distribution.CYCLIC, 0).withMinNodes(2).placed(true)));
  }

  @Test
  void anOvercommittedStepPutsSeveralTasksOnACpu() {
    assertEquals("n1[0,1,2,3][0,1,2,3,4,5]", placed(1, tasks(6).withOvercommit(true)));
    Allocation uneven =
        new Allocation(
            "debug",
            List.of(
                new NodeShare("n1", List.of(0, 1, 2), 3, 0, 3),
                new NodeShare("n2", List.of(0), 1, 0, 1)));
    StepSpec crowd = tasks(8).withMinNodes(2).withOvercommit(true);
    assertEquals(
        "n1[0,1,2][0,1,2,3,4] n2[0][5,6,7]", text(StepPlacer.place(uneven, RunSteps.NONE, crowd)));
  }

  @Test
  void aRangeOfNodesIsUsedToItsEnd() {
    assertEquals(
        "n1[0,1,2,3][0,1] n2[0,1,2,3][2] n3[0,1,2,3][3]",
        placed(3, tasks(4).withMinNodes(2).withMaxNodes(3)));
  }

  @Test
  void tooFewNodesAreExplained() {
    assertEquals(
        "Are required nodes explicitly excluded?\nOnly allocated 2 nodes asked for 3",
        placed(3, tasks(3).withMinNodes(3).withExcludedNodes(List.of("n1"))));
    assertEquals(
        "--relative and --nodes option incompatible with count of allocated nodes (2+1>2)",
        placed(2, tasks(1).withMinNodes(1).withRelativeNode(2)));
  }
}
