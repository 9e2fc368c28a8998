package io.dure.bench.scheduling;

import io.dure.insight.forecast.StartForecaster;
import io.dure.model.forecast.ForecastHistory;
import io.dure.scheduler.ArrayTaskGate;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * How long one thread takes to say of each job of a long queue when it will start. The cluster is
 * full and has a past, of eight classes of nodes, five partitions and 300 shapes of jobs.
 *
 * @param seconds of a processor
 * @param jobs of how many something was said
 */
public record ForecastSpeedBench(double seconds, int jobs) {
  /** Jobs that end and others that come before it is measured, and seconds between. */
  private static final int PAST = 200;

  private static final int APART = 120;

  /** Measured on a cluster of so many nodes of which so many jobs wait. */
  public static ForecastSpeedBench of(int nodes, int waiting) throws IOException {
    BenchCluster cluster = new BenchCluster(nodes, 1);
    cluster.submit(waiting);
    for (@Nullable SchedulingPlan plan = null; plan == null || !plan.starts().isEmpty(); ) {
      plan = new Planner().plan(cluster.state(), cluster.now(), ArrayTaskGate.OPEN);
      cluster.start(plan.starts());
      cluster.submit(waiting - cluster.state().pending().size());
    }
    for (int i = 0; i < PAST; i++) {
      cluster.later(APART);
      cluster.end();
      cluster.submit(1);
    }
    long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    StartForecaster all =
        StartForecaster.ofAll(
            new StartForecaster.Question(cluster.state(), cluster.now(), ForecastHistory.EMPTY, 1));
    while (all.step()) {
      // One future after the other.
    }
    int said = all.result().size();
    long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began;
    return new ForecastSpeedBench(took / 1e9, said);
  }
}
