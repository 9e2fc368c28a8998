package io.dure.bench.publishedresults;

import io.dure.twin.ReplayInput;
import io.dure.twin.ReplayMachine;
import io.dure.twin.TraceReplay;
import io.dure.twin.report.ReplayReport;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.SwfReadOptions;
import io.dure.twin.trace.TraceException;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceOpener;
import io.dure.twin.trace.WorkloadTrace;
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
final class PublishedResultsBench {
  private final PrintStream out;
  private final Path traces;
  private final LongSupplier nanos;
  private final Map<String, WorkloadTrace> read = new LinkedHashMap<>();

  /**
   * A comparison.
   *
   * @param traces where the logs lie
   * @param nanos a clock that only runs forward, in nanoseconds
   */
  PublishedResultsBench(PrintStream out, Path traces, LongSupplier nanos) {
    this.out = out;
    this.traces = traces;
    this.nanos = nanos;
  }

  /** Prints a line for each number; returns how many do not agree. */
  int compare(List<PublishedReplay> cases) throws TraceException {
    int failed = 0;
    int all = 0;
    for (PublishedReplay one : cases) {
      ReplayReport report = report(one);
      for (PublishedReplay.Value value : one.values()) {
        double found = value.figure().of(report.boundedSlowdown(), report.waitSeconds());
        failed += line(one, value, found) ? 0 : 1;
        all++;
      }
    }
    out.println((all - failed) + " of " + all + " published values agree");
    return failed;
  }

  private boolean line(PublishedReplay one, PublishedReplay.Value value, double found) {
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

  private ReplayReport report(PublishedReplay one) throws TraceException {
    WorkloadTrace trace = trace(one);
    if (one.windows().isEmpty()) {
      return replay(one, trace, null);
    }
    List<ReplayReport> windows = new ArrayList<>();
    for (TraceWindow window : one.windows()) {
      windows.add(replay(one, trace, window));
    }
    return ReplayReport.together(windows);
  }

  private WorkloadTrace trace(PublishedReplay one) throws TraceException {
    WorkloadTrace known = read.get(one.file());
    if (known == null) {
      known =
          TraceOpener.read(traces.resolve(one.file()), new SwfReadOptions(one.cleaning(), null));
      if (known.processors() == null) {
        throw new TraceException(one.file(), "its header names no processors", "is it the log?");
      }
      read.put(one.file(), known);
    }
    return known;
  }

  private ReplayReport replay(
      PublishedReplay one, WorkloadTrace trace, @Nullable TraceWindow window) {
    List<TraceJob> jobs =
        window == null
            ? trace.jobs()
            : trace.jobs().subList(window.start(), window.start() + window.count());
    Integer processors = trace.processors();
    ReplayMachine machine = ReplayMachine.ofProcessors(processors == null ? 1 : processors);
    long began = nanos.getAsLong();
    ReplayResult schedule =
        new TraceReplay(
                machine,
                new ReplayInput(trace.start(), jobs, null),
                one.policy(),
                ReplayProgressListener.SILENT)
            .run();
    Duration wall = Duration.ofNanos(nanos.getAsLong() - began);
    return ReplayReport.of(one.file(), one.policy(), window, schedule, wall);
  }
}
