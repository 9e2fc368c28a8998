package io.dure.twin.gpupacking;

import io.dure.surface.document.JsonLayout;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/** How many instances were accepted: a table, or a document. */
final class MigPackingReport {
  private MigPackingReport() {}

  /** All seeds of one way to place. */
  record Run(GpuPlacementPolicy placing, List<MigPacking.Result> results) {
    Run {
      results = List.copyOf(results);
    }

    double mean() {
      return results.stream().mapToDouble(MigPacking.Result::percent).average().orElse(0);
    }

    double min() {
      return results.stream().mapToDouble(MigPacking.Result::percent).min().orElse(0);
    }

    double max() {
      return results.stream().mapToDouble(MigPacking.Result::percent).max().orElse(0);
    }
  }

  /** One line for each way, of all seeds. */
  static String table(List<Run> runs) {
    StringBuilder text = new StringBuilder();
    line(text, "PLACEMENT", "ACCEPTED_PERCENT", "MIN", "MAX");
    for (Run run : runs) {
      String word = run.placing().word();
      line(text, word, number(run.mean()), number(run.min()), number(run.max()));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String... cells) {
    text.append(String.format(Locale.ROOT, "%-10s %16s %6s %6s%n", (Object[]) cells));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** {@code {"runs": [{"placement": ..., "accepted_percent": {...}, "seeds": [...]}]}}. */
  static String json(List<Run> runs, double offered) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(new JsonLayout(), text)) {
      out.writeStartObject();
      out.writeNumberProperty("arrived", offered);
      out.writeArrayPropertyStart("runs");
      for (Run run : runs) {
        out.writeStartObject();
        out.writeStringProperty("placement", run.placing().word());
        out.writeObjectPropertyStart("accepted_percent");
        out.writeNumberProperty("mean", rounded(run.mean()));
        out.writeNumberProperty("min", rounded(run.min()));
        out.writeNumberProperty("max", rounded(run.max()));
        out.writeEndObject();
        out.writeArrayPropertyStart("seeds");
        for (MigPacking.Result one : run.results()) {
          out.writeStartObject();
          out.writeNumberProperty("seed", one.seed());
          out.writeNumberProperty("asked", one.asked());
          out.writeNumberProperty("accepted", one.accepted());
          out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
    return text.append('\n').toString();
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
