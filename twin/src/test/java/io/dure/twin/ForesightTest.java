package io.dure.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.twin.forecast.ForecastingScheduler;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.report.ForecastError;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.TraceJob;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever looks ahead changes nothing, and is less wrong than the plan from limits. */
@Tag("pure")
class ForesightTest {
  private static final Instant START = Instant.ofEpochSecond(1_000_000);

  private final ReplayMachine machine = ReplayMachine.ofProcessors(24);
  private final ReplayPolicy policy =
      new ReplayPolicy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.LIMIT, null);
  private final List<TraceJob> trace = OracleTest.trace(new Random(3), 150);

  private ForecastError looked(int every, String digest) {
    ForecastingScheduler foresight = new ForecastingScheduler(policy, machine.settings(), every);
    ReplayInput workload = new ReplayInput(START, trace, null);
    ReplayResult schedule =
        new TraceReplay(machine, workload, policy, ReplayProgressListener.SILENT, foresight).run();
    assertEquals(digest, schedule.digest());
    return foresight.error();
  }

  @Test
  void forecastsLeaveTheScheduleAsItIs() {
    ReplayInput workload = new ReplayInput(START, trace, null);
    String digest =
        new TraceReplay(machine, workload, policy, ReplayProgressListener.SILENT).run().digest();
    ForecastError all = looked(2, digest);
    assertTrue(all.jobs() > 20, "few waited: " + all);
    assertTrue(all.meanError() < all.meanErrorOfPlan(), all.toString());
    assertTrue(all.coverage() > 0.5, all.toString());
    ForecastError some = looked(8, digest);
    assertTrue(some.jobs() < all.jobs() / 2, some.toString());
    assertEquals(some, looked(8, digest));
  }

  @Test
  void errorsOfWindowsAddUp() {
    ForecastError one = new ForecastError(2, 1, 100, 300, 200, 1);
    ForecastError both = one.plus(new ForecastError(2, 3, 100, 100, 0, 1));
    assertEquals(50, both.meanError());
    assertEquals(100, both.meanErrorOfPlan());
    assertEquals(50, both.meanErrorByLimits());
    assertEquals(0.5, both.coverage());
    assertEquals(0, new ForecastError(2, 0, 0, 0, 0, 0).meanError());
  }
}
