package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Prints how long a pass takes on a full queue; it asserts nothing about time. */
@Tag("process")
class SchedulerSpeedTest {
  private static final int JOBS = 10_000;

  @Test
  void aFullPassOverTenThousandJobsOnTwoHundredNodes() {
    TestCluster cluster = TestCluster.nodes(200, 64).backfill();
    for (int i = 0; i < JOBS; i++) {
      int shape = i % 8;
      cluster.submit(j -> j.tasks(1 << shape).minutes(10L * (1 + shape)).user(1000 + shape));
    }
    measure("empty cluster", cluster);
    cluster.schedule();
    measure("full cluster", cluster);
    TestCluster array = TestCluster.nodes(200, 64).backfill();
    array.submit(j -> j.array("0-" + (JOBS - 1)));
    measure("array", array);
  }

  private static void measure(String name, TestCluster cluster) {
    TestView view = cluster.view();
    long best = Long.MAX_VALUE;
    SchedulingPlan plan = Planner.once(view, cluster.now);
    for (int round = 0; round < 20; round++) {
      long start = System.nanoTime();
      plan = Planner.once(view, cluster.now);
      best = Math.min(best, System.nanoTime() - start);
    }
    assertFalse(plan.starts().isEmpty() && plan.verdicts().isEmpty());
    System.out.printf(
        "%s: %d starts, %d verdicts in %.1f ms%n",
        name, plan.starts().size(), plan.verdicts().size(), best / 1e6);
  }
}
