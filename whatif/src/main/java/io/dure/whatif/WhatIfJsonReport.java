package io.dure.whatif;

import io.dure.surface.document.JsonLayout;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.SkippedRecords;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/** The answer as a document. */
final class WhatIfJsonReport {
  private static final double PRECISION = 1e3;

  private final WhatIfComparison comparison;
  private final JsonGenerator out;

  private WhatIfJsonReport(WhatIfComparison comparison, JsonGenerator out) {
    this.comparison = comparison;
    this.out = out;
  }

  static String text(WhatIfComparison comparison) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(new JsonLayout(), text)) {
      new WhatIfJsonReport(comparison, out).write();
    }
    return text.append('\n').toString();
  }

  private void write() {
    out.writeStartObject();
    out.writeStringProperty("from", comparison.heading().name());
    out.writeNumberProperty("begin", comparison.base().begin());
    out.writeNumberProperty("end", comparison.base().end());
    out.writeStringProperty("run_times", comparison.heading().runTimes());
    out.writeNumberProperty("running_at_begin", comparison.running());
    out.writeNumberProperty("waiting_at_begin", comparison.waiting());
    out.writeArrayPropertyStart("outcomes");
    for (int i = 0; i < comparison.outcomes().size(); i++) {
      outcome(i);
    }
    out.writeEndArray();
    groups("accounts", comparison.people(WhatIfJobResult.JobOwnerFacts::account));
    groups("users", comparison.people(WhatIfJobResult.JobOwnerFacts::user));
    groups("qos", comparison.people(WhatIfJobResult.JobOwnerFacts::qos));
    groups("cpus", comparison.sizes(who -> (long) who.cpus()));
    groups("gpus", comparison.sizes(WhatIfJobResult.JobOwnerFacts::gpus));
    groups("nodes", comparison.sizes(who -> (long) who.nodes()));
    out.writeArrayPropertyStart("left_out");
    for (SkippedRecords skip : comparison.left()) {
      out.writeStartObject();
      out.writeStringProperty("cause", skip.cause());
      out.writeNumberProperty("count", skip.count());
      out.writeNumberProperty("first_line", skip.firstLine());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private void outcome(int number) {
    ScenarioResult outcome = comparison.outcomes().get(number);
    out.writeStartObject();
    out.writeStringProperty("title", outcome.title());
    out.writeObjectPropertyStart("all");
    figures(comparison.total().figures().get(number));
    out.writeEndObject();
    out.writeNumberProperty("cpus_in_use", rounded(outcome.cpusInUse()));
    out.writeNumberProperty("gpus_in_use", rounded(outcome.gpusInUse()));
    out.writeNumberProperty("open_cpus", outcome.size().openCpus());
    out.writeNumberProperty("open_gpus", outcome.size().openGpus());
    ReplayResult.Interruptions interruptions = outcome.interruptions();
    out.writeNumberProperty("preempted_jobs", interruptions.jobs());
    out.writeNumberProperty("requeued_to_make_room", interruptions.requeued());
    out.writeNumberProperty("suspended_to_make_room", interruptions.suspended());
    out.writeNumberProperty("cancelled_to_make_room", interruptions.cancelled());
    out.writeNumberProperty("requeued_after_node_failure", interruptions.lost());
    work("lost_to_make_room", interruptions.madeRoom());
    work("lost_with_nodes", interruptions.struck());
    WhatIfComparison.ShiftedJobs moved = comparison.moved(number);
    out.writeNumberProperty("earlier_jobs", moved.earlier());
    out.writeNumberProperty("later_jobs", moved.later());
    out.writeNumberProperty("earlier_seconds", rounded(moved.gained()));
    out.writeNumberProperty("later_seconds", rounded(moved.lost()));
    refused(outcome);
    out.writeArrayPropertyStart("remarks");
    outcome.remarks().forEach(out::writeString);
    out.writeEndArray();
    submitted(outcome);
    out.writeStringProperty("schedule_sha256", outcome.digest());
    out.writeEndObject();
  }

  private void work(String name, ReplayResult.ComputeTime work) {
    out.writeNumberProperty("cpu_seconds_" + name, work.cpuSeconds());
    out.writeNumberProperty("gpu_seconds_" + name, work.gpuSeconds());
  }

  private void refused(ScenarioResult outcome) {
    Map<String, Integer> refused = new TreeMap<>();
    for (WhatIfJobResult fate : outcome.fates()) {
      if (fate.refused() != null) {
        refused.merge(fate.refused(), 1, Integer::sum);
      }
    }
    out.writeObjectPropertyStart("refused");
    refused.forEach(out::writeNumberProperty);
    out.writeEndObject();
  }

  private void submitted(ScenarioResult outcome) {
    out.writeArrayPropertyStart("submitted");
    for (WhatIfJobResult fate : outcome.submitted()) {
      out.writeStartObject();
      out.writeStringProperty("name", fate.who().name());
      out.writeStringProperty("user", fate.who().user());
      out.writeStringProperty("account", fate.who().account());
      out.writeNumberProperty("submit", fate.submit());
      number("start", fate.start());
      number("end", fate.end());
      out.writeNumberProperty("run_seconds", rounded(fate.run()));
      if (fate.refused() == null) {
        out.writeNullProperty("refused");
      } else {
        out.writeStringProperty("refused", fate.refused());
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void number(String name, @org.jspecify.annotations.Nullable Long value) {
    if (value == null) {
      out.writeNullProperty(name);
    } else {
      out.writeNumberProperty(name, value);
    }
  }

  private void groups(String name, List<WhatIfComparison.Group> groups) {
    out.writeObjectPropertyStart(name);
    for (WhatIfComparison.Group group : groups) {
      out.writeArrayPropertyStart(group.name());
      for (WaitStatistics figures : group.figures()) {
        out.writeStartObject();
        figures(figures);
        out.writeEndObject();
      }
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  private void figures(WaitStatistics figures) {
    out.writeNumberProperty("jobs", figures.jobs());
    out.writeNumberProperty("started", figures.started());
    out.writeObjectPropertyStart("wait_seconds");
    out.writeNumberProperty("mean", rounded(figures.mean()));
    out.writeNumberProperty("median", rounded(figures.median()));
    out.writeNumberProperty("p90", rounded(figures.p90()));
    out.writeNumberProperty("max", rounded(figures.longest()));
    out.writeEndObject();
    out.writeNumberProperty("bounded_slowdown", rounded(figures.slowdown()));
  }

  private static double rounded(double value) {
    return Math.round(value * PRECISION) / PRECISION;
  }
}
