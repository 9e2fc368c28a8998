package io.dure.rest.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes families of metrics in a text format: for each what it tells, its kind, and a line for
 * each sample. One thread.
 */
final class MetricsText {
  private static final double LARGEST_WHOLE = 1L << 53;

  private final MetricsFormat format;
  private final StringBuilder out = new StringBuilder();
  private final Set<String> written = new HashSet<>();

  private MetricsText(MetricsFormat format) {
    this.format = format;
  }

  /**
   * The text of families, in their order.
   *
   * @throws IllegalArgumentException if two have the same name
   */
  static String of(List<MetricFamily> families, MetricsFormat format) {
    MetricsText text = new MetricsText(format);
    families.forEach(text::family);
    if (format == MetricsFormat.OPENMETRICS) {
      text.out.append("# EOF\n");
    }
    return text.out.toString();
  }

  private void family(MetricFamily family) {
    if (!written.add(family.name())) {
      throw new IllegalArgumentException("two families are named " + family.name());
    }
    boolean openMetrics = format == MetricsFormat.OPENMETRICS;
    String name = openMetrics ? family.name() : family.sampleName();
    out.append("# HELP ").append(name).append(' ');
    escape(family.help(), openMetrics);
    out.append("\n# TYPE ").append(name).append(' ').append(word(family.kind())).append('\n');
    for (MetricFamily.Sample sample : family.samples()) {
      out.append(family.sampleName());
      labels(sample.labels());
      out.append(' ');
      number(sample.value());
      out.append('\n');
    }
  }

  /** The older format knows no kind for what only labels tell. */
  private String word(MetricFamily.Kind kind) {
    boolean unknown = kind == MetricFamily.Kind.INFO && format == MetricsFormat.PROMETHEUS;
    return unknown ? MetricFamily.Kind.GAUGE.word() : kind.word();
  }

  private void labels(List<MetricFamily.Label> labels) {
    if (labels.isEmpty()) {
      return;
    }
    char before = '{';
    for (MetricFamily.Label label : labels) {
      out.append(before).append(label.name()).append("=\"");
      escape(label.value(), true);
      out.append('"');
      before = ',';
    }
    out.append('}');
  }

  /** Quotes stand as they are only where nothing is quoted. */
  private void escape(String text, boolean quotes) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '"' -> out.append(quotes ? "\\\"" : "\"");
        default -> out.append(c);
      }
    }
  }

  private void number(double value) {
    if (Double.isInfinite(value)) {
      out.append(value > 0 ? "+Inf" : "-Inf");
    } else if (value == Math.rint(value) && Math.abs(value) < LARGEST_WHOLE) {
      out.append((long) value);
    } else {
      out.append(value);
    }
  }
}
