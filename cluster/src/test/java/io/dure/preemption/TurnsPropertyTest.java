package io.dure.preemption;

import static io.dure.testkit.cluster.JobBuilder.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.invariants.CoreUseInvariant;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.testkit.SeededRandom;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Of the jobs that share a core one runs at a time, as many have it as OverSubscribe allows, each
 * gets its turn, and all that stood still goes on.
 */
@Tag("pure")
class TurnsPropertyTest {
  private static final int CLUSTERS = 60;
  private static final int STEPS = 60;
  private static final Duration TICK = Duration.ofSeconds(5);
  private static final Duration SLICE = Duration.ofSeconds(30);

  private int waited;
  private int suspended;

  @Test
  void turnsAreKept() {
    SeededRandom.check("one runs at a time, and each has its turn", CLUSTERS, this::turns);
    assertTrue(waited > 0, "somebody waits");
  }

  @Test
  void nobodyIsForgottenWhereOperatorsAndHigherPartitionsSuspend() {
    SeededRandom.check("what stood still goes on", CLUSTERS, this::disturbed);
    assertTrue(suspended > 0, "somebody is suspended");
  }

  private void turns(SeededRandom random) {
    TestCluster cluster =
        ClusterBuilder.of(random.between(1, 3))
            .set("PreemptMode", "GANG")
            .partition("f2", "Nodes=ALL Default=YES OverSubscribe=FORCE:2")
            .partition("f4", "Nodes=ALL OverSubscribe=FORCE")
            .partition("y3", "Nodes=ALL OverSubscribe=YES:3")
            .start();
    for (int step = 0; step < STEPS; step++) {
      if (random.percent(60)) {
        String partition = random.oneOf(List.of("f2", "f4", "y3"));
        JobBuilder one = some(random, cluster).partition(partition);
        cluster.submit(TestCluster.ALICE, random.percent(60) ? one.oversubscribe() : one);
      }
      passes(random, cluster);
      checkCores(cluster.state());
      checkWaits(cluster);
    }
    drain(cluster);
  }

  private void disturbed(SeededRandom random) {
    TestCluster cluster =
        ClusterBuilder.of(random.between(1, 3))
            .set("PreemptType", "preempt/partition_prio")
            .set("PreemptMode", "SUSPEND,GANG")
            .partition("low", "Nodes=ALL Default=YES PriorityTier=1 OverSubscribe=FORCE:2")
            .partition("high", "Nodes=ALL PriorityTier=3 OverSubscribe=FORCE:2")
            .partition("alone", "Nodes=ALL PriorityTier=5")
            .start();
    for (int step = 0; step < STEPS; step++) {
      if (random.percent(60)) {
        String partition = random.oneOf(List.of("low", "low", "high", "alone"));
        cluster.submit(TestCluster.ALICE, some(random, cluster).partition(partition));
      }
      List<Integer> active = cluster.state().active().keys();
      if (random.percent(30) && !active.isEmpty()) {
        JobSelector one = new JobSelector(random.oneOf(active), null);
        cluster.ask(
            TestCluster.ROOT,
            random.percent(50) ? new Command.SuspendJob(one) : new Command.ResumeJob(one));
      }
      passes(random, cluster);
      suspended += standStill(cluster.state());
    }
    for (int id : cluster.state().active().keys()) {
      cluster.ask(TestCluster.ROOT, new Command.ResumeJob(new JobSelector(id, null)));
    }
    drain(cluster);
  }

  private static int standStill(ClusterState state) {
    int count = 0;
    for (Job job : state.active().values()) {
      count += job.state() instanceof JobState.Suspended ? 1 : 0;
    }
    return count;
  }

  private static JobBuilder some(SeededRandom random, TestCluster cluster) {
    int nodes = random.between(1, cluster.state().nodes().size());
    return job()
        .nodes(nodes)
        .cpus(random.between(1, 4))
        .memory(100L * random.between(1, 8))
        .time(30)
        .runs(random.between(1, 400));
  }

  private static void passes(SeededRandom random, TestCluster cluster) {
    if (random.percent(60)) {
      cluster.advance(TICK.multipliedBy(random.between(1, 8)));
    }
    if (random.percent(5)) {
      cluster.restartController();
      cluster.connectAll();
    }
  }

  private static void drain(TestCluster cluster) {
    for (int hour = 0; hour < 24 && unfinished(cluster.state()) > 0; hour++) {
      cluster.minutes(60);
    }
    assertEquals(0, unfinished(cluster.state()));
    cluster.checkReplay();
  }

  private static int unfinished(ClusterState state) {
    return state.pending().size() + state.active().size();
  }

  /** One of a partition runs on a core, and no more have it than may. */
  private static void checkCores(ClusterState state) {
    for (NodeRecord node : state.nodes().values()) {
      Map<String, Integer> running = new TreeMap<>();
      Map<Integer, NodeShare> held = new TreeMap<>();
      node.shares().forEach(held::put);
      assertNull(CoreUseInvariant.overused(state, held), node.name());
      for (int id : held.keySet()) {
        Allocation its = running(state.active().require(id));
        for (int core : its == null ? List.<Integer>of() : held.get(id).cores()) {
          Integer other = running.put(its.partition() + " " + core, id);
          assertNull(other, () -> id + " runs beside " + other + " on core " + core);
        }
      }
    }
  }

  private static Allocation running(Job job) {
    return job.state() instanceof JobState.Running running ? running.allocation() : null;
  }

  /** Nobody waits for longer than those need that had come to wait before, and one turn each. */
  private void checkWaits(TestCluster cluster) {
    ClusterState state = cluster.state();
    int members = state.active().size();
    Duration most = SLICE.plus(TICK.multipliedBy(2)).multipliedBy(members + 1L);
    for (Job job : state.active().values()) {
      if (job.state() instanceof JobState.Suspended its) {
        waited++;
        Duration waits = Duration.between(its.since(), cluster.now());
        assertTrue(waits.compareTo(most) <= 0, () -> job + " has waited for " + waits);
      }
    }
  }
}
