package io.dure.controller.server;

import io.dure.core.config.policy.PolicyReader;
import io.dure.core.controller.ClusterState;
import io.dure.core.forecast.Effort;
import io.dure.core.forecast.Forecast;
import io.dure.core.forecast.Forecaster;
import io.dure.core.scheduler.plan.PlannerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** When a job would start that is not submitted, by the same forecast as those that are. */
final class TrialForecast {
  /** Who asks waits no longer; then the plan's word stands. */
  private static final Duration PATIENCE = Duration.ofMillis(1500);

  private static final Duration ABOUT_NOW = Duration.ofSeconds(30);
  private static final int PASSES = 8;

  private final ReentrantLock one = new ReentrantLock();

  /**
   * The middle of a forecast, or what the plan says: where that is about now, where none are to be
   * made, and where the futures of the queue take too long. Any thread; one at a time.
   *
   * @param after a state in which the job waits
   */
  Instant start(ClusterState after, int jobId, Instant planned, Instant now) {
    int share = PolicyReader.forecastShare(after.settings().scheduling().parameters());
    if (share == 0 || !planned.isAfter(now.plus(ABOUT_NOW)) || !one.tryLock()) {
      return planned;
    }
    try {
      Forecast forecast = forecast(after, jobId, now);
      return forecast == null ? planned : forecast.p50();
    } finally {
      one.unlock();
    }
  }

  private static @Nullable Forecast forecast(ClusterState after, int jobId, Instant now) {
    Forecaster forecaster =
        Forecaster.of(
            new Forecaster.Question(after, now, after.forecasts().book(), 1),
            PlannerOptions.of(after.settings()),
            Effort.of(after.pending().size()),
            List.of(jobId));
    long until = System.nanoTime() + PATIENCE.toNanos();
    boolean more = true;
    while (more && System.nanoTime() < until) {
      more = forecaster.step(PASSES);
    }
    return forecaster.result().get(jobId);
  }
}
