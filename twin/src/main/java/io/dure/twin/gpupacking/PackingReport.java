package io.dure.twin.gpupacking;

import io.dure.surface.document.JsonLayout;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/** What came of experiments: a table, or a document. */
final class PackingReport {
  private PackingReport() {}

  /** All seeds of one way to place. */
  record Run(GpuPlacementPolicy placing, List<GpuPacking.Result> results) {
    Run {
      results = List.copyOf(results);
    }

    double mean(ToDoubleFunction<GpuPacking.Result> of) {
      return results.stream().mapToDouble(of).average().orElse(0);
    }

    double min(ToDoubleFunction<GpuPacking.Result> of) {
      return results.stream().mapToDouble(of).min().orElse(0);
    }

    double max(ToDoubleFunction<GpuPacking.Result> of) {
      return results.stream().mapToDouble(of).max().orElse(0);
    }
  }

  /** One line for each way and seed, then mean, least and most of each. */
  static String table(List<Run> runs) {
    StringBuilder text = new StringBuilder();
    line(text, "PLACEMENT", "SEED", "ALLOCATED_GPU_PERCENT", "AT_100_PERCENT", "PLACED", "DROPPED");
    for (Run run : runs) {
      String word = run.placing().word();
      for (GpuPacking.Result one : run.results()) {
        line(
            text,
            word,
            Long.toString(one.seed()),
            number(one.atEnd()),
            number(one.atCapacity()),
            Integer.toString(one.placed()),
            Integer.toString(one.dropped()));
      }
      sum(
          text,
          word,
          "mean",
          run.mean(GpuPacking.Result::atEnd),
          run.mean(GpuPacking.Result::atCapacity));
      sum(
          text,
          word,
          "min",
          run.min(GpuPacking.Result::atEnd),
          run.min(GpuPacking.Result::atCapacity));
      sum(
          text,
          word,
          "max",
          run.max(GpuPacking.Result::atEnd),
          run.max(GpuPacking.Result::atCapacity));
    }
    for (Run run : runs) {
      text.append(run.placing().word())
          .append(": ")
          .append(
              String.format(Locale.ROOT, "%,.0f", run.mean(GpuPacking.Result::decisionsPerSecond)))
          .append(" placement decisions a second\n");
    }
    return text.toString();
  }

  private static void sum(
      StringBuilder text, String word, String what, double atEnd, double atCapacity) {
    line(text, word, what, number(atEnd), number(atCapacity), "", "");
  }

  private static void line(StringBuilder text, String... cells) {
    String line =
        String.format(Locale.ROOT, "%-10s %6s %21s %14s %7s %7s", (Object[]) cells).stripTrailing();
    text.append(line).append('\n');
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** {@code {"runs": [{"placement": ..., "allocated_gpu_percent": {...}, "seeds": [...]}]}}. */
  static String json(List<Run> runs, double arrived) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(new JsonLayout(), text)) {
      out.writeStartObject();
      out.writeNumberProperty("arrived", arrived);
      out.writeArrayPropertyStart("runs");
      runs.forEach(run -> run(out, run));
      out.writeEndArray();
      out.writeEndObject();
    }
    return text.append('\n').toString();
  }

  private static void run(JsonGenerator out, Run run) {
    out.writeStartObject();
    out.writeStringProperty("placement", run.placing().word());
    spread(out, "allocated_gpu_percent", run, GpuPacking.Result::atEnd);
    spread(out, "allocated_gpu_percent_at_100", run, GpuPacking.Result::atCapacity);
    out.writeNumberProperty(
        "decisions_per_second", Math.round(run.mean(GpuPacking.Result::decisionsPerSecond)));
    out.writeArrayPropertyStart("seeds");
    for (GpuPacking.Result one : run.results()) {
      out.writeStartObject();
      out.writeNumberProperty("seed", one.seed());
      out.writeNumberProperty("allocated_gpu_percent", rounded(one.atEnd()));
      out.writeNumberProperty("allocated_gpu_percent_at_100", rounded(one.atCapacity()));
      out.writeNumberProperty("placed", one.placed());
      out.writeNumberProperty("dropped", one.dropped());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void spread(
      JsonGenerator out, String name, Run run, ToDoubleFunction<GpuPacking.Result> of) {
    out.writeObjectPropertyStart(name);
    out.writeNumberProperty("mean", rounded(run.mean(of)));
    out.writeNumberProperty("min", rounded(run.min(of)));
    out.writeNumberProperty("max", rounded(run.max(of)));
    out.writeEndObject();
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
