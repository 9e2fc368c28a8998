package io.dure.controller.loop;

import com.sun.management.OperatingSystemMXBean;
import io.dure.core.config.policy.PolicyReader;
import io.dure.core.controller.ClusterState;
import io.dure.core.forecast.Forecaster;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;

/**
 * Sees what forecasts by futures say, in the thread that asks. One thread, which is what its
 * process is for: all that processors do for the process counts as its {@link EvenWork}.
 */
public final class ForecasterSeer implements Foresight.Seer {
  private static final int PASSES = 16;

  /** Always the same, so that what is told changes with the cluster alone. */
  private static final long SEED = 1;

  private final EvenWork work;

  /** One that has not been asked anything. */
  public ForecasterSeer() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    work = new EvenWork(System::nanoTime, system::getProcessCpuTime);
  }

  @Override
  public Foresight.Seen see(ClusterState state, Instant now) throws InterruptedException {
    work.begin(PolicyReader.forecastShare(state.settings().scheduling().parameters()));
    Forecaster forecaster =
        Forecaster.ofAll(new Forecaster.Question(state, now, state.forecasts().book(), SEED));
    while (forecaster.step(PASSES)) {
      // Ends also when nobody waits any more.
      Thread.sleep(Duration.ofNanos(work.rest()));
    }
    return new Foresight.Seen(forecaster.result(), work.end());
  }
}
