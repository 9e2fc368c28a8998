package io.dure.simulator.twin.published;

import io.dure.simulator.twin.Machine;
import io.dure.simulator.twin.Progress;
import io.dure.simulator.twin.Replay;
import io.dure.simulator.twin.Schedule;
import io.dure.simulator.twin.Workload;
import io.dure.simulator.twin.report.RunReport;
import io.dure.simulator.twin.report.Window;
import io.dure.simulator.twin.trace.SwfRules;
import io.dure.simulator.twin.trace.Trace;
import io.dure.simulator.twin.trace.TraceException;
import io.dure.simulator.twin.trace.TraceJob;
import io.dure.simulator.twin.trace.Traces;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Replays what others published numbers of, and says where the twin's differ. */
final class Published {
  private final PrintStream out;
  private final Path traces;
  private final LongSupplier nanos;
  private final Map<String, Trace> read = new LinkedHashMap<>();

  /**
   * A comparison.
   *
   * @param traces where the logs lie
   * @param nanos a clock that only runs forward, in nanoseconds
   */
  Published(PrintStream out, Path traces, LongSupplier nanos) {
    this.out = out;
    this.traces = traces;
    this.nanos = nanos;
  }

  /** Prints a line for each number; returns how many do not agree. */
  int compare(List<PublishedCase> cases) throws TraceException {
    int failed = 0;
    int all = 0;
    for (PublishedCase one : cases) {
      RunReport report = report(one);
      for (PublishedCase.Value value : one.values()) {
        double found = value.figure().of(report.boundedSlowdown(), report.waitSeconds());
        failed += line(one, value, found) ? 0 : 1;
        all++;
      }
    }
    out.println((all - failed) + " of " + all + " published values agree");
    return failed;
  }

  private boolean line(PublishedCase one, PublishedCase.Value value, double found) {
    boolean agrees = value.agrees(found);
    out.printf(
        Locale.ROOT,
        "%-4s %-22s %-28s %-22s %12.2f published %12.2f within %.0f %%%n",
        agrees ? "ok" : "FAIL",
        one.file(),
        one.policy().text(),
        value.figure().text(),
        found,
        value.value(),
        100 * value.tolerance());
    out.flush();
    return agrees;
  }

  private RunReport report(PublishedCase one) throws TraceException {
    Trace trace = trace(one);
    if (one.windows().isEmpty()) {
      return replay(one, trace, null);
    }
    List<RunReport> windows = new ArrayList<>();
    for (Window window : one.windows()) {
      windows.add(replay(one, trace, window));
    }
    return RunReport.together(windows);
  }

  private Trace trace(PublishedCase one) throws TraceException {
    Trace known = read.get(one.file());
    if (known == null) {
      known = Traces.read(traces.resolve(one.file()), new SwfRules(one.cleaning(), null));
      if (known.processors() == null) {
        throw new TraceException(one.file(), "its header names no processors", "is it the log?");
      }
      read.put(one.file(), known);
    }
    return known;
  }

  private RunReport replay(PublishedCase one, Trace trace, @Nullable Window window) {
    List<TraceJob> jobs =
        window == null
            ? trace.jobs()
            : trace.jobs().subList(window.start(), window.start() + window.count());
    Integer processors = trace.processors();
    Machine machine = Machine.ofProcessors(processors == null ? 1 : processors);
    long began = nanos.getAsLong();
    Schedule schedule =
        new Replay(machine, new Workload(trace.start(), jobs, null), one.policy(), Progress.SILENT)
            .run();
    Duration wall = Duration.ofNanos(nanos.getAsLong() - began);
    return RunReport.of(one.file(), one.policy(), window, schedule, wall);
  }
}
