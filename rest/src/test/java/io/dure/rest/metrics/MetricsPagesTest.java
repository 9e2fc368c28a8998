package io.dure.rest.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.Caller;
import io.dure.protocol.Request;
import io.dure.rest.RestFailure;
import io.dure.rest.TextPages;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class MetricsPagesTest {
  private long now;
  private final FakeMetricsPort port = new FakeMetricsPort();
  private final MetricsPages pages = new MetricsPages(port, () -> now);

  private int status(String path, Caller.@Nullable User caller) throws Exception {
    try {
      return pages.page(path, caller, List.of()).text().isEmpty() ? 204 : 200;
    } catch (RestFailure e) {
      return e.status();
    }
  }

  private String text(String path) throws Exception {
    return pages.page(path, null, List.of()).text();
  }

  private void has(String path, String... lines) throws Exception {
    List<String> all = text(path).lines().toList();
    for (String line : lines) {
      assertTrue(all.contains(line), () -> line + " is not in " + String.join("\n", all));
    }
  }

  @Test
  void theIndexNamesAllPages() throws Exception {
    TextPages.TextPage index = pages.page("/metrics", null, List.of());
    assertEquals("text/plain; charset=utf-8", index.type());
    List<String> paths =
        index.text().lines().map(line -> line.split(" ", -1)[1]).filter(pages::has).toList();
    assertEquals(
        List.of(
            "/metrics/jobs",
            "/metrics/jobs-users-accts",
            "/metrics/nodes",
            "/metrics/partitions",
            "/metrics/scheduler",
            "/metrics/dure"),
        paths);
    for (String path : paths) {
      assertEquals(200, status(path, null), path);
    }
    assertEquals(404, status("/metrics/other", null));
    assertTrue(!pages.has("/metricsx") && !pages.has("/slurm"), "other paths");
  }

  @Test
  void whoMayReadIsAsConfigured() throws Exception {
    Caller.User ann = FakeMetricsPort.user("ann", false);
    Caller.User bob = FakeMetricsPort.user("bob", false);
    Caller.User root = FakeMetricsPort.user("root", true);
    port.access = new MetricsAccess(false, List.of("ann"));
    assertEquals(401, status("/metrics", null));
    assertEquals(403, status("/metrics/jobs", bob));
    assertEquals(200, status("/metrics/jobs", ann));
    assertEquals(200, status("/metrics/jobs", root));
    port.access = null;
    assertEquals(404, status("/metrics", root));
    port.ready = false;
    assertEquals(503, status("/metrics/jobs", root));
  }

  @Test
  void aControllerThatStoppedLeadingSaysSo() throws Exception {
    port.leads = false;
    assertEquals(503, status("/metrics/nodes", null));
  }

  @Test
  void theTypeIsThatOfTheFormat() throws Exception {
    TextPages.TextPage open =
        pages.page("/metrics/nodes", null, List.of("application/openmetrics-text;version=1.0.0"));
    assertEquals("application/openmetrics-text; version=1.0.0; charset=utf-8", open.type());
    assertTrue(open.text().endsWith("# EOF\n"), open.text());
    TextPages.TextPage usual = pages.page("/metrics/nodes", null, List.of("*/*"));
    assertEquals("text/plain; version=0.0.4; charset=utf-8", usual.type());
  }

  @Test
  void theControllerIsAskedOnceForAllThatReadWithinASecond() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertTrue(text("/metrics/jobs").contains("slurm_jobs 0\n"), "a count");
      assertTrue(text("/metrics/partitions").contains("slurm_partitions 0\n"), "a count");
      assertTrue(text("/metrics/jobs-users-accts").contains("slurm_user_jobs"), "a family");
    }
    List<Class<?>> kinds = port.asked.stream().<Class<?>>map(Object::getClass).toList();
    assertEquals(
        List.of(Request.ListJobs.class, Request.MoreJobs.class, Request.ShowCluster.class), kinds);
    now += 500_000_000;
    assertTrue(text("/metrics/jobs").contains("slurm_jobs 0\n"), "a count");
    assertEquals(5, port.asked.size());
  }

  @Test
  void figuresAreThoseOfTheController() throws Exception {
    has(
        "/metrics/scheduler",
        "slurm_sdiag_jobs_submitted 10",
        "slurm_schedule_cycle_cnt 4",
        "slurm_sched_mean_cycle 100",
        "slurm_bf_mean_cycle 15",
        "slurm_bf_when_last_cycle " + FakeMetricsPort.NOW.getEpochSecond(),
        "slurm_slurmdbd_queue_size 2",
        "slurm_sdiag_latency 25",
        "slurm_sched_exit_end 0");
    has(
        "/metrics/dure",
        "dure_controller_leads{host=\"c1\"} 1",
        "dure_controller_leads{host=\"c2\"} 0",
        "dure_controller_lag_batches{host=\"c1\"} 0",
        "dure_controller_silent_seconds{host=\"c2\"} 9",
        "dure_controllers_troubled 1",
        "dure_journal_events_total 12",
        "dure_accounting_undelivered_events 2",
        "dure_accounting_failing 1",
        "dure_requests_total{type=\"REQUEST_JOB_INFO\"} 5",
        "dure_request_seconds_total{type=\"REQUEST_JOB_INFO\"} 1.5",
        "dure_forecast_error_seconds{told=\"under_3600s\"} 40",
        "dure_forecast_covered_ratio{told=\"longer\"} 0.5",
        "dure_forecast_limits_error_seconds{told=\"longer\"} 900",
        "dure_gpus{type=\"h200\"} 16",
        "dure_gpus_allocated{type=\"h200\"} 7.5",
        "dure_gpus_free{type=\"h200\"} 6.5",
        "dure_gpus_closed{type=\"h200\"} 2",
        "dure_gpus_stranded{type=\"h200\"} 1.5");
    assertTrue(
        !text("/metrics/dure").contains("dure_controller_lag_batches{host=\"c2\"}"),
        "what is not known is not told");
  }
}
