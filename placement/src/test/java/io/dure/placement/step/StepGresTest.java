package io.dure.placement.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.model.ErrorCode;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.GresRequestBuilder;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.model.step.StepSpec.Sharing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which devices a step gets of a job that has four GPUs and eight cores on each of its nodes. */
@Tag("pure")
class StepGresTest {
  private static final StepSpec ONE =
      StepSpec.of("true", 1).withSharing(Sharing.EXACT).withMinNodes(1).withMaxNodes(1);

  private static Allocation nodes(int count) {
    List<NodeShare> shares = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      GresShare gpus = new GresShare("gpu", "a100", List.of(0, 1, 2, 3), 4);
      List<Integer> cores = List.of(0, 1, 2, 3, 4, 5, 6, 7);
      shares.add(new NodeShare("n" + i, cores, 8, 4000, 8, List.of(gpus)));
    }
    return new Allocation("debug", shares);
  }

  private static List<GresCount> gpus(long count) {
    return List.of(new GresCount("gpu", null, count));
  }

  private static GresRequest perNode(long count) {
    return GresRequestBuilder.builder(GresRequest.NONE).perNode(gpus(count)).build();
  }

  private static RunSteps running(StepSpec... specs) {
    RunSteps steps = RunSteps.NONE;
    for (StepSpec spec : specs) {
      StepPlacer.Answer answer = StepPlacer.place(nodes(1), steps, spec);
      List<StepShare> shares = assertInstanceOf(StepPlacer.Answer.Placed.class, answer).shares();
      steps = steps.with(LaunchedStep.begun(steps.next(), spec, shares, Instant.EPOCH, null));
    }
    return steps;
  }

  private static String placed(Allocation job, RunSteps beside, StepSpec spec) {
    return switch (StepPlacer.place(job, beside, spec)) {
      case StepPlacer.Answer.Refused(ErrorCode code, String detail) ->
          code + (detail.isEmpty() ? "" : ": " + detail);
      case StepPlacer.Answer.Busy _ -> "busy";
      case StepPlacer.Answer.Placed(List<StepShare> shares) ->
          String.join(
              " ",
              shares.stream()
                  .map(share ->
                      share.node()
                          + share.gres().stream().map(GresShare::text).toList()
                          + share.ranks().size())
                  .toList());
    };
  }

  private static String placed(int nodes, StepSpec spec) {
    return placed(nodes(nodes), RunSteps.NONE, spec);
  }

  @Test
  void withoutAWordAStepHasAllOfThem() {
    assertEquals("n1[gpu:a100:4(IDX:0-3)]1", placed(1, ONE));
    assertEquals("busy", placed(nodes(1), running(ONE.withGres(perNode(1))), ONE));
    assertEquals("busy", placed(nodes(1), running(ONE), ONE.withGres(perNode(1))));
  }

  @Test
  void stepsHaveDifferentOnes() {
    StepSpec two = ONE.withGres(perNode(2));
    assertEquals(
        "n1[gpu:a100:2(IDX:1-2)]1", placed(nodes(1), running(ONE.withGres(perNode(1))), two));
    assertEquals("busy", placed(nodes(1), running(two, two), ONE.withGres(perNode(1))));
    assertEquals("n1[]1", placed(nodes(1), running(two, two), ONE.withGres(GresRequest.NONE)));
  }

  @Test
  void whatIsSharedIsNotTaken() {
    StepSpec shared = ONE.withSharing(Sharing.OVERLAP).withGres(perNode(3));
    assertEquals("n1[gpu:a100:4(IDX:0-3)]1", placed(nodes(1), running(shared), ONE));
    assertEquals("n1[gpu:a100:3(IDX:0-2)]1", placed(nodes(1), running(ONE), shared));
  }

  @Test
  void eachTaskBringsItsOwn() {
    GresRequest each = GresRequestBuilder.builder(GresRequest.NONE).perTask(gpus(2)).build();
    assertEquals("n1[gpu:a100:4(IDX:0-3)]2", placed(1, ONE.withGres(each).withTasks(2)));
    assertEquals("TOO_MANY_CPUS", placed(1, ONE.withGres(each).withTasks(3)));
    StepSpec wide = ONE.withGres(each).withTasks(3).withMinNodes(0).withMaxNodes(0);
    assertEquals("n1[gpu:a100:4(IDX:0-3)]2 n2[gpu:a100:2(IDX:0-1)]1", placed(2, wide));
  }

  @Test
  void thoseOfAllNodesBeginOnTheFirst() {
    GresRequest three = GresRequestBuilder.builder(GresRequest.NONE).perJob(gpus(3)).build();
    StepSpec both = ONE.withTasks(2).withMinNodes(2).withMaxNodes(2).withGres(three);
    assertEquals("n1[gpu:a100:2(IDX:0-1)]1 n2[gpu:a100:1(IDX:0)]1", placed(2, both));
    GresRequest five = three.withPerJob(gpus(5));
    assertEquals("INVALID_GRES", placed(2, ONE.withGres(five)));
    assertEquals("INVALID_GRES", placed(1, ONE.withGres(five)));
  }

  @Test
  void aJobThatLacksThemSaysSo() {
    Allocation none = new Allocation("d", List.of(new NodeShare("n1", List.of(0), 1, 0, 1)));
    assertEquals(
        "INVALID_GRES: Step requested GRES but job doesn't have GRES",
        placed(none, RunSteps.NONE, ONE.withGres(perNode(1))));
    assertEquals(
        "INVALID_GRES: Step requested gres_per_node=gpu:5 is more than the job's"
            + " gres_per_node=gpu:4",
        placed(1, ONE.withGres(perNode(5))));
    GresRequest other = GresRequest.NONE.withPerNode(List.of(new GresCount("gpu", "h100", 1)));
    assertEquals(
        "INVALID_GRES: Step requested GRES (gpu:h100) not found in the job",
        placed(1, ONE.withGres(other)));
  }

  @Test
  void partsOfAGpuAreCounted() {
    GresShare shards = new GresShare("shard", null, List.of(1), 4);
    Allocation job =
        new Allocation("d", List.of(new NodeShare("n1", List.of(0, 1), 2, 0, 2, List.of(shards))));
    StepSpec three =
        ONE.withGres(GresRequest.NONE.withPerNode(List.of(new GresCount("shard", null, 3))));
    StepPlacer.Answer answer = StepPlacer.place(job, RunSteps.NONE, three);
    List<StepShare> shares = ((StepPlacer.Answer.Placed) answer).shares();
    assertEquals(List.of(new GresShare("shard", null, List.of(1), 3)), shares.getFirst().gres());
    RunSteps beside = RunSteps.NONE.with(LaunchedStep.begun(0, three, shares, Instant.EPOCH, null));
    assertEquals("busy", placed(job, beside, three));
    StepSpec one =
        three.withGres(GresRequest.NONE.withPerNode(List.of(new GresCount("shard", null, 1))));
    assertEquals("n1[shard:1(IDX:1)]1", placed(job, beside, one));
  }

  @Test
  void memoryFollowsTheGpus() {
    StepSpec spec = ONE.withGres(perNode(2)).withMemoryPerGpuMib(500L);
    StepPlacer.Answer answer = StepPlacer.place(nodes(1), RunSteps.NONE, spec);
    assertEquals(1000, ((StepPlacer.Answer.Placed) answer).shares().getFirst().memoryMib());
  }
}
