package io.dure.preemption;

import static io.dure.testkit.cluster.JobBuilder.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.model.ExitStatus;
import io.dure.model.command.Preemption;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import io.dure.testkit.SeededRandom;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever makes room may have to, is needed, and is enough; and nobody makes room twice. */
@Tag("pure")
class PreemptionPropertyTest {
  private static final int CLUSTERS = 60;
  private static final int STEPS = 40;

  private int seen;

  @Test
  void victimsAreFewAndEnough() {
    SeededRandom.check("who makes room is needed", CLUSTERS, this::play);
    assertTrue(seen > 0, "somebody makes room");
  }

  private void play(SeededRandom random) {
    TestCluster cluster =
        ClusterBuilder.of(random.between(1, 4))
            .set("PreemptType", "preempt/partition_prio")
            .set("PreemptMode", random.percent(50) ? "CANCEL" : "REQUEUE")
            .partition("low", "Nodes=ALL Default=YES PriorityTier=1")
            .partition("mid", "Nodes=ALL PriorityTier=2")
            .partition("off", "Nodes=ALL PriorityTier=1 PreemptMode=OFF")
            .partition("high", "Nodes=ALL PriorityTier=5")
            .start();
    for (int step = 0; step < STEPS; step++) {
      cluster.decide(some(random).submission(), TestCluster.ALICE);
      check(cluster.state(), cluster);
      cluster.tick();
      if (random.percent(30)) {
        cluster.seconds(random.between(1, 60));
      }
      assertTrue(
          cluster.state().pending().values().stream().allMatch(job -> job.restarts() <= STEPS));
    }
    cluster.minutes(300);
    assertEquals(0, cluster.state().pending().size() + cluster.state().active().size());
  }

  private JobBuilder some(SeededRandom random) {
    JobBuilder one =
        job()
            .partition(random.oneOf(List.of("low", "low", "mid", "off", "high")))
            .cpus(random.between(1, 4))
            .memory(100L * random.between(1, 10))
            .time(10)
            .runs(random.between(1, 400));
    return random.percent(20) ? one.exclusive() : one;
  }

  private void check(ClusterState state, TestCluster cluster) {
    SchedulingPlan plan = Planner.once(state, cluster.now());
    TreeSet<Integer> taken = new TreeSet<>();
    for (Preemption one : plan.preemptions()) {
      seen++;
      Job job = state.pending().require(one.jobId());
      assertFalse(one.victims().isEmpty());
      for (Preemption.Victim victim : one.victims()) {
        assertTrue(taken.add(victim.jobId()), "taken twice: " + victim);
        Job its = state.active().require(victim.jobId());
        PartitionConfig partition = partition(state, its);
        assertTrue(tier(state, one.partition()) > partition.priorityTier(), job + " takes " + its);
        assertTrue(partition.preemptMode() != PreemptMode.OFF, job + " takes " + its);
      }
    }
    boolean quiet =
        state.active().values().stream().allMatch(job -> job.state() instanceof JobState.Running);
    if (!plan.preemptions().isEmpty() && plan.starts().isEmpty() && quiet) {
      Preemption first = plan.preemptions().getFirst();
      assertTrue(starts(without(state, first.victims(), cluster), first, cluster), "too few");
      for (Preemption.Victim spared : first.victims()) {
        List<Preemption.Victim> others = new ArrayList<>(first.victims());
        others.remove(spared);
        assertFalse(
            starts(without(state, others, cluster), first, cluster), () -> "in vain: " + spared);
      }
    }
  }

  private static int tier(ClusterState state, String partition) {
    PartitionConfig found = state.partition(partition);
    return found == null ? 0 : found.priorityTier();
  }

  private static PartitionConfig partition(ClusterState state, Job job) {
    JobState.Running run = job.state().runningOrSuspended();
    PartitionConfig found = run == null ? null : state.partition(run.allocation().partition());
    if (found == null) {
      throw new AssertionError(job + " does not run");
    }
    return found;
  }

  private static boolean starts(ClusterState state, Preemption one, TestCluster cluster) {
    return Planner.once(state, cluster.now()).starts().stream()
        .anyMatch(start -> start.jobId() == one.jobId());
  }

  /** The state in which they are gone. */
  private static ClusterState without(
      ClusterState state, List<Preemption.Victim> victims, TestCluster cluster) {
    ClusterState next = state;
    for (Preemption.Victim victim : victims) {
      JobOutcome outcome = new JobOutcome.Preempted(ExitStatus.OK);
      next =
          EventApplier.apply(
              next,
              new Event.JobEnding(
                  victim.jobId(),
                  victim.run(),
                  outcome,
                  cluster.now(),
                  List.of(),
                  PostRunAction.END,
                  false));
    }
    return next;
  }
}
