package io.dure.simulator.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.simulator.twin.published.PublishedCase;
import io.dure.simulator.twin.published.PublishedValues;
import io.dure.simulator.twin.report.RunReport;
import io.dure.simulator.twin.report.Window;
import io.dure.simulator.twin.trace.SwfRules;
import io.dure.simulator.twin.trace.Trace;
import io.dure.simulator.twin.trace.TraceJob;
import io.dure.simulator.twin.trace.Traces;
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
  private final TreeMap<String, Trace> traces = new TreeMap<>();

  @Test
  void theCountSaysWhatWasPublished() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (PublishedCase one : PublishedValues.all()) {
      List<RunReport> reports = new ArrayList<>();
      for (List<TraceJob> jobs : parts(one)) {
        reports.add(counted(one, jobs));
      }
      RunReport report = reports.size() == 1 ? reports.getFirst() : RunReport.together(reports);
      for (PublishedCase.Value value : one.values()) {
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
    for (PublishedCase one : PublishedValues.all()) {
      for (List<TraceJob> jobs : parts(one)) {
        Schedule counted = schedule(one, jobs, starts(one, jobs));
        Schedule planned =
            new Replay(
                    Machine.ofProcessors(processors(one)),
                    new Workload(trace(one).start(), jobs, null),
                    one.policy(),
                    Progress.SILENT)
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
      case Ending.Finished(Instant start, _) -> start;
      case Ending.TimedOut(Instant start, _) -> start;
      case Ending.Running _,
          Ending.NodeFailed _,
          Ending.Preempted _,
          Ending.Refused _,
          Ending.NeverStarted _ ->
          throw new AssertionError(result);
    };
  }

  private Trace trace(PublishedCase one) throws Exception {
    Trace known = traces.get(one.file());
    if (known == null) {
      Path folder = Path.of(System.getProperty("dure.traces"));
      known = Traces.read(folder.resolve(one.file()), new SwfRules(one.cleaning(), null));
      traces.put(one.file(), known);
    }
    return known;
  }

  private int processors(PublishedCase one) throws Exception {
    return trace(one).processors();
  }

  private List<List<TraceJob>> parts(PublishedCase one) throws Exception {
    List<TraceJob> jobs = trace(one).jobs();
    if (one.windows().isEmpty()) {
      return List.of(jobs);
    }
    List<List<TraceJob>> parts = new ArrayList<>();
    for (Window window : one.windows()) {
      parts.add(jobs.subList(window.start(), window.start() + window.count()));
    }
    return parts;
  }

  private RunReport counted(PublishedCase one, List<TraceJob> jobs) throws Exception {
    Schedule schedule = schedule(one, jobs, starts(one, jobs));
    return RunReport.of(one.file(), one.policy(), null, schedule, Duration.ofSeconds(1));
  }

  private long[] starts(PublishedCase one, List<TraceJob> jobs) throws Exception {
    Instant zero = trace(one).start();
    List<Oracle.Item> items = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      items.add(Oracle.Item.of(i, jobs.get(i), zero, one.policy().estimates()));
    }
    return Oracle.starts(processors(one), one.policy(), items);
  }

  private Schedule schedule(PublishedCase one, List<TraceJob> jobs, long[] starts)
      throws Exception {
    Instant zero = trace(one).start();
    List<JobResult> results = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      Oracle.Item item = Oracle.Item.of(i, jobs.get(i), zero, one.policy().estimates());
      Instant start = zero.plusSeconds(starts[i]);
      Ending ending = new Ending.Finished(start, start.plusSeconds(item.run()));
      results.add(new JobResult(jobs.get(i), item.processors(), ending));
    }
    return new Schedule(results, processors(one), "");
  }
}
