package io.dure.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.ErrorCode;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterSettings.EnforcePartLimits;
import io.dure.model.config.PartitionConfig;
import io.dure.placement.JobFeasibility.Answer;
import io.dure.scheduler.JobBuilder;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import io.dure.scheduler.TestCluster;
import io.dure.scheduler.TestView;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plans that were made from a view that is no longer true, and answers to submissions. */
@Tag("pure")
class PlacementRecheckTest {
  private static @Nullable String objection(
      UnaryOperator<JobBuilder> options, UnaryOperator<TestCluster> meanwhile) {
    TestCluster cluster = TestCluster.nodes(2, 4);
    int id = cluster.submit(options);
    SchedulingPlan plan = Planner.once(cluster.view(), cluster.now);
    assertEquals(id, plan.starts().getFirst().jobId());
    TestCluster later = meanwhile.apply(cluster);
    return PlacementRecheck.objection(later.view(), plan.starts().getFirst(), later.now);
  }

  private static TestCluster start(TestCluster cluster, UnaryOperator<JobBuilder> options) {
    cluster.submit(j -> options.apply(j).on("n1").priority(999));
    SchedulingPlan plan = Planner.once(cluster.view(), cluster.now);
    cluster.start(plan.starts().getFirst());
    return cluster;
  }

  @Test
  void whatStillFitsMayStart() {
    assertNull(objection(j -> j, c -> c));
    assertNull(objection(j -> j.mem(500), c -> c.down("n2")));
  }

  @Test
  void whatHasChangedIsNoticed() {
    assertEquals("n1 takes no jobs", objection(j -> j, c -> c.down("n1")));
    assertEquals("n1 has no room", objection(j -> j.tasks(4), c -> start(c, k -> k)));
    assertEquals("n1 has no room", objection(j -> j.mem(800), c -> start(c, k -> k.mem(300))));
    assertEquals("n1 has no room", objection(j -> j.exclusive(), c -> start(c, k -> k)));
    assertEquals(
        "n1 has no room", objection(j -> j.user(1), c -> start(c, k -> k.user(2).exclusiveUser())));
    assertEquals("n1 has given these cores away", objection(j -> j, c -> start(c, k -> k)));
    PartitionConfig debug = TestCluster.partition("debug", List.of("n1", "n2"));
    assertEquals(
        "PartitionDown",
        objection(
            j -> j, c -> c.with(TestCluster.state("debug", debug, PartitionConfig.State.DOWN, 1))));
  }

  @Test
  void anArrayTaskStartsOnceAndWithinTheThrottle() {
    TestCluster cluster = TestCluster.nodes(1, 4);
    cluster.submit(j -> j.array("0-3%2"));
    List<Placement> starts = Planner.once(cluster.view(), cluster.now).starts();
    cluster.start(starts.getFirst());
    assertEquals(
        "the array task is not waiting",
        PlacementRecheck.objection(cluster.view(), starts.getFirst(), cluster.now));
    assertNull(PlacementRecheck.objection(cluster.view(), starts.get(1), cluster.now));
    cluster.start(starts.get(1));
    Placement third = new Placement(1, 2, starts.getFirst().allocation());
    assertEquals(
        "JobArrayTaskLimit", PlacementRecheck.objection(cluster.view(), third, cluster.now));
  }

  @Test
  void ofSeveralPartitionsOneIsEnoughUnlessAllMustTakeTheJob() {
    TestCluster cluster = TestCluster.nodes(4, 4);
    cluster.with(TestCluster.partition("small", List.of("n1", "n2")));
    TestView view = cluster.view();
    var spec = new JobBuilder().nodes(4).spec();
    List<String> both = List.of("small", "debug");
    List<String> one = List.of("small");
    Answer possible = new Answer.Possible();
    Answer refused = new Answer.Refused(ErrorCode.NODE_CONFIG_UNAVAILABLE, "");
    Answer waits = new Answer.Waits("PartitionNodeLimit", ErrorCode.NODE_CONFIG_UNAVAILABLE);
    assertEquals(waits, JobFeasibility.submission(view, one, spec, EnforcePartLimits.NO));
    assertEquals(refused, JobFeasibility.submission(view, one, spec, EnforcePartLimits.ANY));
    assertEquals(possible, JobFeasibility.submission(view, both, spec, EnforcePartLimits.ANY));
    assertEquals(refused, JobFeasibility.submission(view, both, spec, EnforcePartLimits.ALL));
  }
}
