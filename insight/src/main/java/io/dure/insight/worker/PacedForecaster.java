package io.dure.insight.worker;

import com.sun.management.OperatingSystemMXBean;
import io.dure.cluster.ClusterState;
import io.dure.insight.forecast.StartForecaster;
import io.dure.model.config.queueorder.PolicySettingsReader;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;

/**
 * Forecasts in the calling thread, by simulating futures, with its CPU use spread evenly by a
 * {@link CpuPacer}. One thread; the CPU time of the whole process counts as its work.
 */
public final class PacedForecaster implements ForecastSource {
  private static final int PASSES = 16;

  /** Fixed, so that forecasts change only when the cluster does. */
  private static final long SEED = 1;

  private final CpuPacer pacer;

  /** A forecaster without any previous round. */
  public PacedForecaster() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    pacer = new CpuPacer(System::nanoTime, system::getProcessCpuTime);
  }

  @Override
  public ForecastSource.Result forecast(ClusterState state, Instant now)
      throws InterruptedException {
    pacer.begin(PolicySettingsReader.forecastShare(state.settings().scheduling().parameters()));
    StartForecaster forecaster =
        StartForecaster.ofAll(
            new StartForecaster.Question(state, now, state.forecasts().book(), SEED));
    while (forecaster.step(PASSES)) {
      // Also where an interrupt ends the computation.
      Thread.sleep(Duration.ofNanos(pacer.pause()));
    }
    return new ForecastSource.Result(forecaster.result(), pacer.end());
  }
}
