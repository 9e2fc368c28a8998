package io.dure.controller.loop;

import io.dure.core.controller.ClusterState;
import io.dure.core.forecast.Forecast;
import io.dure.core.forecast.Forecaster;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sees what forecasts by futures say. One thread. */
public final class ForecasterSeer implements Foresight.Seer {
  private static final long STEP_NANOS = 20_000_000;

  /** Always the same, so that what is told changes with the cluster alone. */
  private static final long SEED = 1;

  private @Nullable Forecaster forecaster;
  private Map<Integer, Forecast> result = Collections.emptyMap();

  /** One that has not been asked anything. */
  public ForecasterSeer() {}

  @Override
  public void begin(ClusterState state, Instant now) {
    result = Collections.emptyMap();
    forecaster =
        Forecaster.ofAll(new Forecaster.Question(state, now, state.forecasts().book(), SEED));
  }

  @Override
  public boolean step() {
    Forecaster asked = forecaster;
    long until = System.nanoTime() + STEP_NANOS;
    boolean more = asked != null;
    while (asked != null && more && System.nanoTime() < until) {
      more = asked.step(1);
    }
    if (asked != null && !more) {
      result = asked.result();
      forecaster = null;
    }
    return more;
  }

  @Override
  public @Nullable Forecast of(int jobId) {
    return result.get(jobId);
  }
}
