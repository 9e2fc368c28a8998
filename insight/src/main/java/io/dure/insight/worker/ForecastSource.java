package io.dure.insight.worker;

import io.dure.cluster.ClusterState;
import io.dure.model.forecast.JobStartForecast;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Computes start-time forecasts from a state. One thread calls; another may close. */
public interface ForecastSource extends AutoCloseable {
  /**
   * Forecasts the starts of the pending jobs.
   *
   * @throws IOException if no forecast can be made at this time
   */
  Result forecast(ClusterState state, Instant now) throws IOException, InterruptedException;

  /** No forecast is asked for at present, as nothing is pending or nothing has changed. */
  default void idle() {}

  /** Ends a computation that is under way. */
  @Override
  default void close() {}

  /**
   * Forecasts of one state.
   *
   * @param starts by job id
   * @param work CPU time that the computation took
   */
  record Result(Map<Integer, JobStartForecast> starts, Duration work) {}
}
