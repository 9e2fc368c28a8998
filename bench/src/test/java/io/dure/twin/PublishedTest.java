package io.dure.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.bench.publishedresults.PublishedReplay;
import io.dure.bench.publishedresults.PublishedResults;
import io.dure.twin.report.ReplayReport;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.result.TraceJobOutcome;
import io.dure.twin.trace.SwfReadOptions;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceOpener;
import io.dure.twin.trace.WorkloadTrace;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The count of processors says what was published, and the scheduler starts each job when the count
 * does; on the real logs, for whoever has them: {@code -Ddure.traces=DIR}.
 */
@EnabledIfSystemProperty(named = "dure.traces", matches = ".+")
@Tag("pure")
class PublishedTest {
  private final TreeMap<String, WorkloadTrace> traces = new TreeMap<>();

  @Test
  void theCountSaysWhatWasPublished() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (PublishedReplay one : PublishedResults.all()) {
      List<ReplayReport> reports = new ArrayList<>();
      for (List<TraceJob> jobs : parts(one)) {
        reports.add(counted(one, jobs));
      }
      ReplayReport report =
          reports.size() == 1 ? reports.getFirst() : ReplayReport.together(reports);
      for (PublishedReplay.Value value : one.values()) {
        double found = value.figure().of(report.boundedSlowdown(), report.waitSeconds());
        if (!value.agrees(found)) {
          wrong.add(one.file() + " " + one.policy().text() + " " + value + ": " + found);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void theSchedulerStartsEachJobWhenTheCountDoes() throws Exception {
    for (PublishedReplay one : PublishedResults.all()) {
      for (List<TraceJob> jobs : parts(one)) {
        ReplayResult counted = schedule(one, jobs, starts(one, jobs));
        ReplayResult planned =
            new TraceReplay(
                    ReplayMachine.ofProcessors(processors(one)),
                    new ReplayInput(trace(one).start(), jobs, null),
                    one.policy(),
                    ReplayProgressListener.SILENT)
                .run();
        for (int i = 0; i < jobs.size(); i++) {
          assertEquals(
              start(counted.results().get(i)),
              start(planned.results().get(i)),
              one.file() + " " + one.policy().text() + " job " + jobs.get(i).name());
        }
      }
    }
  }

  private static Instant start(JobResult result) {
    return switch (result.ending()) {
      case TraceJobOutcome.Finished(Instant start, _) -> start;
      case TraceJobOutcome.TimedOut(Instant start, _) -> start;
      case TraceJobOutcome.Running _,
          TraceJobOutcome.NodeFailed _,
          TraceJobOutcome.Preempted _,
          TraceJobOutcome.Refused _,
          TraceJobOutcome.NeverStarted _ ->
          throw new AssertionError(result);
    };
  }

  private WorkloadTrace trace(PublishedReplay one) throws Exception {
    WorkloadTrace known = traces.get(one.file());
    if (known == null) {
      Path folder = Path.of(System.getProperty("dure.traces"));
      known =
          TraceOpener.read(folder.resolve(one.file()), new SwfReadOptions(one.cleaning(), null));
      traces.put(one.file(), known);
    }
    return known;
  }

  private int processors(PublishedReplay one) throws Exception {
    return trace(one).processors();
  }

  private List<List<TraceJob>> parts(PublishedReplay one) throws Exception {
    List<TraceJob> jobs = trace(one).jobs();
    if (one.windows().isEmpty()) {
      return List.of(jobs);
    }
    List<List<TraceJob>> parts = new ArrayList<>();
    for (TraceWindow window : one.windows()) {
      parts.add(jobs.subList(window.start(), window.start() + window.count()));
    }
    return parts;
  }

  private ReplayReport counted(PublishedReplay one, List<TraceJob> jobs) throws Exception {
    ReplayResult schedule = schedule(one, jobs, starts(one, jobs));
    return ReplayReport.of(one.file(), one.policy(), null, schedule, Duration.ofSeconds(1));
  }

  private long[] starts(PublishedReplay one, List<TraceJob> jobs) throws Exception {
    Instant zero = trace(one).start();
    List<Oracle.Item> items = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      items.add(Oracle.Item.of(i, jobs.get(i), zero, one.policy().estimates()));
    }
    return Oracle.starts(processors(one), one.policy(), items);
  }

  private ReplayResult schedule(PublishedReplay one, List<TraceJob> jobs, long[] starts)
      throws Exception {
    Instant zero = trace(one).start();
    List<JobResult> results = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      Oracle.Item item = Oracle.Item.of(i, jobs.get(i), zero, one.policy().estimates());
      Instant start = zero.plusSeconds(starts[i]);
      TraceJobOutcome ending = new TraceJobOutcome.Finished(start, start.plusSeconds(item.run()));
      results.add(new JobResult(jobs.get(i), item.processors(), ending));
    }
    return new ReplayResult(results, processors(one), "");
  }
}
