package io.dure.rest.metrics;

import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.report.GpuFragmentationReport;
import io.dure.protocol.AccuracyRow;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StatisticsInfo;
import io.dure.rest.RequestSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A controller without nodes and jobs, which remembers what it was asked. */
final class FakeMetricsPort implements MetricsPort {
  static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

  final List<Request> asked = new ArrayList<>();
  boolean ready = true;
  boolean leads = true;
  @Nullable MetricsAccess access = new MetricsAccess(true, List.of());

  static Caller.User user(String name, boolean operator) {
    return new Caller.User(new UserIdentity(7, 7, name, name), List.of(), operator);
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public @Nullable MetricsAccess access() {
    return access;
  }

  @Override
  public StoredEvents stored() {
    return new StoredEvents(12, 2L, true);
  }

  @Override
  public RequestSession openForMetrics() {
    return new RequestSession() {
      @Override
      public void admit(int bytes) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Caller.User caller() {
        return user("root", true);
      }

      @Override
      public Response ask(Request request) {
        asked.add(request);
        return leads ? answer(request) : new Response.Failed(ErrorCode.IN_STANDBY, "");
      }

      @Override
      public void close() {}
    };
  }

  private static Response answer(Request request) {
    if (request instanceof Request.ShowCluster) {
      return new Response.Cluster("test", List.of(), List.of(), NOW, List.of());
    }
    if (request instanceof Request.ListJobs) {
      return new Response.Jobs(List.of(), NOW, 3);
    }
    if (request instanceof Request.MoreJobs) {
      return new Response.Jobs(List.of(), NOW, 0);
    }
    if (request instanceof Request.ShowStatistics) {
      return new Response.Statistics(statistics());
    }
    if (request instanceof Request.ShowReplicas) {
      return new Response.Replicas(
          List.of(
              new Response.Replica("c1", "LEADER", 3, true, 0, 0),
              new Response.Replica("c2", "UNKNOWN", 0, false, -1, 9)),
          "c2 is not heard");
    }
    if (request instanceof Request.ShowFragments) {
      var h200 = new GpuFragmentationReport.Type("h200", 16, 2000, 6500, 1500);
      var report = new GpuFragmentationReport(List.of(h200), List.of());
      return new Response.Fragments("test", report, NOW);
    }
    if (request instanceof Request.ShowForecastAccuracy) {
      return accuracy();
    }
    throw new AssertionError("not expected: " + request);
  }

  private static Response accuracy() {
    AccuracyRow soon = new AccuracyRow(Duration.ofHours(1), 9, Duration.ofSeconds(40), 0.75, null);
    AccuracyRow later =
        new AccuracyRow(null, 2, Duration.ofSeconds(90), 0.5, Duration.ofSeconds(900));
    return new Response.ForecastAccuracy("test", List.of(soon, later), null, 77, true, NOW);
  }

  private static StatisticsInfo statistics() {
    return new StatisticsInfo(
        NOW,
        NOW.minusSeconds(60),
        new StatisticsInfo.Load(1, 2, 3),
        new StatisticsInfo.Jobs(10, 9, 8, 7, 6, 5, 4),
        NOW,
        new StatisticsInfo.Main(4, 100, 200, 402, 40, 5),
        new StatisticsInfo.Backfill(3, 2, 2, NOW, 10, 20, 31, 5, 4, 10, 8, 6, 12, 1, 2),
        Duration.ofNanos(25_000),
        List.of(new StatisticsInfo.Calls("REQUEST_JOB_INFO", 2003, 5, 1_500_000)),
        List.of());
  }
}
