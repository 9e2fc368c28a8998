package io.dure.controller.loop;

import io.dure.core.controller.ClusterState;
import io.dure.core.forecast.Forecaster;
import java.time.Duration;
import java.time.Instant;

/** Sees what forecasts by futures say, in the thread that asks. */
public final class ForecasterSeer implements Foresight.Seer {
  private static final int PASSES = 16;

  /** Always the same, so that what is told changes with the cluster alone. */
  private static final long SEED = 1;

  /** One that has not been asked anything. */
  public ForecasterSeer() {}

  @Override
  public Foresight.Seen see(ClusterState state, Instant now) throws InterruptedException {
    long began = System.nanoTime();
    Forecaster forecaster =
        Forecaster.ofAll(new Forecaster.Question(state, now, state.forecasts().book(), SEED));
    while (forecaster.step(PASSES)) {
      if (Thread.interrupted()) {
        throw new InterruptedException("nobody waits for the forecasts any more");
      }
    }
    return new Foresight.Seen(forecaster.result(), Duration.ofNanos(System.nanoTime() - began));
  }
}
