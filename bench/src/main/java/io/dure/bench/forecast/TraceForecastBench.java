package io.dure.bench.forecast;

import io.dure.bench.scheduling.ForecastSpeedBench;
import io.dure.twin.ReplayInput;
import io.dure.twin.ReplayMachine;
import io.dure.twin.TraceReplay;
import io.dure.twin.forecast.ForecastingScheduler;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.report.ForecastError;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.trace.SwfReadOptions;
import io.dure.twin.trace.SwfReadOptions.Cleaning;
import io.dure.twin.trace.TraceException;
import io.dure.twin.trace.TraceOpener;
import io.dure.twin.trace.WorkloadTrace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How true forecasts are that are made at submission, and how fast a long queue has them. */
final class TraceForecastBench {
  private static final List<String> LOGS = List.of("KTH-SP2-1996.swf.gz", "ANL-Theta-2023.swf.gz");
  private static final ReplayPolicy JUDGED =
      new ReplayPolicy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.LIMIT, null);
  private static final ReplayPolicy TOLD =
      new ReplayPolicy(QueueOrderPolicy.DURE, BackfillPolicy.CONF, EstimateSource.PREDICTED, null);
  private static final double OF_PLAN = 0.5;
  private static final double LEAST = 0.75;
  private static final double MOST = 0.85;
  private static final int NODES = 1000;
  private static final int WAITING = 10_000;
  private static final double SECONDS = 30;

  private final PrintStream out;
  private final Path traces;
  private final int every;
  private int failed;

  /**
   * A comparison.
   *
   * @param traces where the logs lie
   * @param every one job in so many is looked at
   */
  TraceForecastBench(PrintStream out, Path traces, int every) {
    this.out = out;
    this.traces = traces;
    this.every = every;
  }

  /** Prints a line for each figure; returns how many miss what they are held against. */
  int compare() throws TraceException, IOException {
    out.printf(
        Locale.ROOT,
        "Forecasts at submission, one job in %d, jobs that waited a minute or more%n",
        every);
    for (String log : LOGS) {
      judge(log);
      tell(log);
    }
    ForecastSpeedBench speed = ForecastSpeedBench.of(NODES, WAITING);
    say(
        speed.seconds() <= SECONDS && speed.jobs() >= WAITING * 99 / 100,
        NODES + " nodes",
        "seconds for " + WAITING + " jobs",
        speed.seconds(),
        String.format(Locale.ROOT, "at most %.0f; said of %d", SECONDS, speed.jobs()));
    return failed;
  }

  private ForecastError replay(String log, ReplayPolicy policy) throws TraceException {
    WorkloadTrace trace =
        TraceOpener.read(traces.resolve(log), new SwfReadOptions(Cleaning.SC15, null));
    Integer processors = trace.processors();
    ReplayMachine machine = ReplayMachine.ofProcessors(processors == null ? 1 : processors);
    ForecastingScheduler foresight = new ForecastingScheduler(policy, machine.settings(), every);
    ReplayInput workload = new ReplayInput(trace.start(), trace.jobs(), null);
    new TraceReplay(machine, workload, policy, ReplayProgressListener.SILENT, foresight).run();
    return foresight.error();
  }

  private static String name(String log, ReplayPolicy policy) {
    return log.substring(0, log.indexOf('.')) + " " + policy.text();
  }

  private static String against(ForecastError error) {
    return String.format(
        Locale.ROOT,
        "%.2f of the plan from limits, %.0f; all to their limits %.0f; %d jobs",
        error.meanError() / error.meanErrorOfPlan(),
        error.meanErrorOfPlan(),
        error.meanErrorByLimits(),
        error.jobs());
  }

  private void judge(String log) throws TraceException {
    ForecastError error = replay(log, JUDGED);
    String what = name(log, JUDGED);
    boolean near = error.meanError() <= OF_PLAN * error.meanErrorOfPlan();
    say(near, what, "mean error, s", error.meanError(), against(error));
    say(
        error.coverage() >= LEAST && error.coverage() <= MOST,
        what,
        "between p10 and p90",
        error.coverage(),
        String.format(Locale.ROOT, "%.2f to %.2f", LEAST, MOST));
  }

  /** Of Dure's own order nothing is promised: what comes later decides more there. */
  private void tell(String log) throws TraceException {
    ForecastError error = replay(log, TOLD);
    String what = name(log, TOLD);
    line("", what, "mean error, s", error.meanError(), against(error));
    line("", what, "between p10 and p90", error.coverage(), "");
  }

  private void say(boolean holds, String of, String what, double found, String against) {
    failed += holds ? 0 : 1;
    line(holds ? "ok" : "FAIL", of, what, found, against);
  }

  private void line(String mark, String of, String what, double found, String against) {
    String text =
        String.format(Locale.ROOT, "%-4s %-38s %-24s %10.2f  %s", mark, of, what, found, against);
    out.println(text.stripTrailing());
    out.flush();
  }
}
