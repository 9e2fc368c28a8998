package io.dure.rest.metrics;

import java.util.List;
import java.util.Locale;

/** A text format of metrics. */
enum MetricsFormat {
  OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8"),
  PROMETHEUS("text/plain; version=0.0.4; charset=utf-8");

  private final String type;

  MetricsFormat(String type) {
    this.type = type;
  }

  /** Type of the content. */
  String type() {
    return type;
  }

  /** The first that a client takes; that of Prometheus where it names none of them. */
  static MetricsFormat of(List<String> accepted) {
    for (String one : accepted) {
      int end = one.indexOf(';');
      String plain = (end < 0 ? one : one.substring(0, end)).strip().toLowerCase(Locale.ROOT);
      switch (plain) {
        case "application/openmetrics-text" -> {
          return OPENMETRICS;
        }
        case "text/plain", "text/*", "*/*" -> {
          return PROMETHEUS;
        }
        default -> {} // the next one
      }
    }
    return PROMETHEUS;
  }
}
