package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.EventApplier;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Instant;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a tick costs with a long queue; the figures are printed. */
@Tag("process")
class TickSpeedTest {
  private static final int JOBS = 50_000;

  @Test
  void aLongQueueIsTickedThrough() {
    tick("independent", _ -> job());
    tick("each waits for the one before", i -> i == 0 ? job() : job().dependency("afterok:" + i));
    tick("all are singletons of 100 names", i -> job().name("n" + i % 100).dependency("singleton"));
  }

  private static void tick(String queue, IntFunction<JobBuilder> jobs) {
    TestCluster cluster = ClusterBuilder.of(1).set("MaxJobCount", "100000").startWithoutDaemons();
    ClusterState state = cluster.state();
    Instant now = cluster.now();
    for (int i = 0; i < JOBS; i++) {
      JobBuilder job = jobs.apply(i);
      Command submit = job.submission();
      state =
          EventApplier.applyAll(state, CommandDecider.decide(state, submit, ALICE, now).events());
    }
    assertTrue(state.pending().size() == JOBS, "all accepted");
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      long start = System.nanoTime();
      var decision =
          CommandDecider.decide(state, new Command.Tick(), new Caller.Self(), now.plusSeconds(i));
      best = Math.min(best, System.nanoTime() - start);
      state = EventApplier.applyAll(state, decision.events());
    }
    System.out.printf("tick with %d pending jobs, %s: %.1f ms%n", JOBS, queue, best / 1e6);
  }
}
