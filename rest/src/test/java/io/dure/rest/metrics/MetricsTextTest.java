package io.dure.rest.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class MetricsTextTest {
  private static String prometheus(MetricFamily... families) {
    return MetricsText.of(List.of(families), MetricsFormat.PROMETHEUS);
  }

  private static String openMetrics(MetricFamily... families) {
    return MetricsText.of(List.of(families), MetricsFormat.OPENMETRICS);
  }

  @Test
  void familiesComeInTheirOrderEachWithItsSamples() {
    MetricFamily late = MetricFamily.gauge("z", "Last by name.").is(3);
    MetricFamily parts =
        MetricFamily.gauge("a", "First by name.").of("node", "n2", 1).of("node", "n1", 2);
    assertEquals(
        """
        # HELP z Last by name.
        # TYPE z gauge
        z 3
        # HELP a First by name.
        # TYPE a gauge
        a{node="n2"} 1
        a{node="n1"} 2
        # HELP b Nothing yet.
        # TYPE b gauge
        """,
        prometheus(late, parts, MetricFamily.gauge("b", "Nothing yet.")));
  }

  @Test
  void whatWouldEndAValueIsEscaped() {
    MetricFamily odd =
        MetricFamily.gauge("a", "A \"word\", a \\ and\na line.").of("user", "x\"}\\\n{=é 1", 1);
    assertEquals(
        """
        # HELP a A "word", a \\\\ and\\na line.
        # TYPE a gauge
        a{user="x\\"}\\\\\\n{=é 1"} 1
        """,
        prometheus(odd));
    assertEquals(
        """
        # HELP a A \\"word\\", a \\\\ and\\na line.
        # TYPE a gauge
        a{user="x\\"}\\\\\\n{=é 1"} 1
        # EOF
        """,
        openMetrics(odd));
  }

  @Test
  void countersAreNamedAsEachFormatWantsIt() {
    MetricFamily events = MetricFamily.counter("events", "Events.").is(7);
    assertEquals(
        "# HELP events_total Events.\n# TYPE events_total counter\nevents_total 7\n",
        prometheus(events));
    assertEquals(
        "# HELP events Events.\n# TYPE events counter\nevents_total 7\n# EOF\n",
        openMetrics(events));
    MetricFamily build =
        new MetricFamily(
            "build",
            MetricFamily.Kind.INFO,
            "Version.",
            List.of(
                new MetricFamily.Sample(
                    List.of(new MetricFamily.Label("a", "1"), new MetricFamily.Label("b", "2")),
                    1)));
    assertEquals(
        "# HELP build_info Version.\n# TYPE build_info gauge\nbuild_info{a=\"1\",b=\"2\"} 1\n",
        prometheus(build));
    assertEquals(
        "# HELP build Version.\n# TYPE build info\nbuild_info{a=\"1\",b=\"2\"} 1\n# EOF\n",
        openMetrics(build));
  }

  @Test
  void numbersAreWholeWhereTheyCanBe() {
    MetricFamily numbers =
        MetricFamily.gauge("n", "Numbers.")
            .of("i", "1", 1L << 50)
            .of("i", "2", 0.5)
            .of("i", "3", -3)
            .of("i", "4", Double.POSITIVE_INFINITY)
            .of("i", "5", Double.NaN);
    String text = prometheus(numbers);
    assertEquals(
        List.of("1125899906842624", "0.5", "-3", "+Inf", "NaN"),
        text.lines().skip(2).map(line -> line.substring(line.indexOf(' ') + 1)).toList());
  }

  @Test
  void namesAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> MetricFamily.gauge("a-b", "No."));
    assertThrows(
        IllegalArgumentException.class, () -> MetricFamily.gauge("a", "No.").of("b:c", "", 1));
    MetricFamily one = MetricFamily.gauge("a", "One.");
    assertThrows(IllegalArgumentException.class, () -> prometheus(one, one));
  }

  @Test
  void theFormatIsThatWhichAClientTakes() {
    assertEquals(MetricsFormat.PROMETHEUS, MetricsFormat.of(List.of()));
    assertEquals(MetricsFormat.PROMETHEUS, MetricsFormat.of(List.of("*/*")));
    assertEquals(MetricsFormat.PROMETHEUS, MetricsFormat.of(List.of("text/plain;version=0.0.4")));
    assertEquals(
        MetricsFormat.OPENMETRICS,
        MetricsFormat.of(
            List.of("text/html", "application/openmetrics-text;version=1.0.0", "text/plain")));
    assertEquals(MetricsFormat.PROMETHEUS, MetricsFormat.of(List.of("image/png")));
  }
}
