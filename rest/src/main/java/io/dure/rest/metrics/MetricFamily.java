package io.dure.rest.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A metric: its samples, which differ by their labels. Not thread-safe while it is filled.
 *
 * @param name without the ending that its kind adds
 * @param help what it tells, one sentence
 */
record MetricFamily(String name, Kind kind, String help, List<Sample> samples) {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  /** What may be done with the values of a family. */
  enum Kind {
    GAUGE("gauge", ""),
    /** It only grows, but for a reset. */
    COUNTER("counter", "_total"),
    /** Its labels tell, its value is 1. */
    INFO("info", "_info");

    private final String word;
    private final String ending;

    Kind(String word, String ending) {
      this.word = word;
      this.ending = ending;
    }

    /** The word of OpenMetrics. */
    String word() {
      return word;
    }

    /** What is added to the name of a family for its samples. */
    String ending() {
      return ending;
    }
  }

  /** A label. */
  record Label(String name, String value) {
    Label {
      check(LABEL, name);
    }
  }

  /** A value; there is one at most with the same labels. */
  record Sample(List<Label> labels, double value) {}

  MetricFamily {
    check(NAME, name);
  }

  private static void check(Pattern allowed, String name) {
    if (!allowed.matcher(name).matches()) {
      throw new IllegalArgumentException("no name of a metric or a label: " + name);
    }
  }

  /** One without samples as yet. */
  static MetricFamily gauge(String name, String help) {
    return new MetricFamily(name, Kind.GAUGE, help, new ArrayList<>());
  }

  /** One of that kind without samples as yet. */
  static MetricFamily counter(String name, String help) {
    return new MetricFamily(name, Kind.COUNTER, help, new ArrayList<>());
  }

  /** Adds the only sample. */
  MetricFamily is(long value) {
    samples.add(new Sample(List.of(), (double) value));
    return this;
  }

  /** Adds a sample with one label. */
  MetricFamily of(String label, String labelled, long value) {
    return of(label, labelled, (double) value);
  }

  /** Adds a sample with one label. */
  MetricFamily of(String label, String labelled, double value) {
    samples.add(new Sample(List.of(new Label(label, labelled)), value));
    return this;
  }

  /** The name that its samples have. */
  String sampleName() {
    return name + kind.ending();
  }
}
