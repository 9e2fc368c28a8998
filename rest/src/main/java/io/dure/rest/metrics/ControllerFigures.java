package io.dure.rest.metrics;

import io.dure.model.ErrorCode;
import io.dure.model.report.GpuFragmentationReport;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StatisticsInfo;
import io.dure.rest.RequestSession;
import io.dure.rest.RestFailure;
import io.dure.surface.json.DocumentProblem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What metrics are made of, asked of the controller once for all that read it within half a second.
 * Jobs are counted while their list comes part by part, all of one state. Any thread.
 */
final class ControllerFigures {
  private static final int PART = 1000;
  private static final int UNAVAILABLE = 503;
  private static final int BROKEN = 500;

  private final MetricsPort port;
  private final FreshValue<JobCensus> jobs;
  private final FreshValue<NodeCensus> nodes;
  private final FreshValue<StatisticsInfo> counted;

  ControllerFigures(MetricsPort port, Duration age, LongSupplier nanos) {
    this.port = port;
    jobs = new FreshValue<>(age, nanos, this::countJobs);
    nodes = new FreshValue<>(age, nanos, this::countNodes);
    counted = new FreshValue<>(age, nanos, this::askCounted);
  }

  private static <T extends Response> T ask(
      RequestSession session, Request request, Class<T> expected)
      throws RestFailure, IOException, InterruptedException {
    Response response = session.ask(request);
    if (expected.isInstance(response)) {
      return expected.cast(response);
    }
    ErrorCode code =
        response instanceof Response.Failed failed ? failed.code() : ErrorCode.UNSPECIFIED;
    int status = code == ErrorCode.IN_STANDBY ? UNAVAILABLE : BROKEN;
    throw new RestFailure(status, new DocumentProblem(code.text(), code, "metrics"));
  }

  private <T extends Response> T ask(Request request, Class<T> expected)
      throws RestFailure, IOException, InterruptedException {
    try (RequestSession session = port.openForMetrics()) {
      return ask(session, request, expected);
    }
  }

  private JobCensus countJobs() throws RestFailure, IOException, InterruptedException {
    JobCensus census = new JobCensus();
    try (RequestSession session = port.openForMetrics()) {
      Request next = new Request.ListJobs(List.of(), null, true).inParts(PART);
      while (true) {
        Response.Jobs part = ask(session, next, Response.Jobs.class);
        census.add(part);
        if (part.left() <= 0) {
          return census;
        }
        next = new Request.MoreJobs(PART);
      }
    }
  }

  private NodeCensus countNodes() throws RestFailure, IOException, InterruptedException {
    return new NodeCensus(ask(new Request.ShowCluster(), Response.Cluster.class));
  }

  private StatisticsInfo askCounted() throws RestFailure, IOException, InterruptedException {
    return ask(new Request.ShowStatistics(), Response.Statistics.class).counted();
  }

  /** The families of a page. */
  List<MetricFamily> of(MetricsPage page) throws RestFailure, IOException, InterruptedException {
    return switch (page) {
      case JOBS -> JobFamilies.ofCluster(jobs.get().all());
      case JOBS_USERS_ACCTS -> JobFamilies.ofNames(jobs.get());
      case NODES -> NodeFamilies.of(nodes.get());
      case PARTITIONS -> PartitionFamilies.of(jobs.get(), nodes.get());
      case SCHEDULER -> SchedulerFamilies.of(counted.get(), undelivered());
      case DURE -> DureFamilies.of(ofDure());
    };
  }

  private long undelivered() {
    StoredEvents stored = port.stored();
    Long lack = stored == null ? null : stored.undelivered();
    return lack == null ? 0 : lack;
  }

  private DureFamilies.Told ofDure() throws RestFailure, IOException, InterruptedException {
    GpuFragmentationReport gpus =
        ask(new Request.ShowFragments(), Response.Fragments.class).report();
    return new DureFamilies.Told(
        ask(new Request.ShowReplicas(), Response.Replicas.class),
        port.stored(),
        counted.get(),
        ask(new Request.ShowForecastAccuracy(), Response.ForecastAccuracy.class),
        gpus,
        jobs.get(),
        List.copyOf(nodes.get().partitions().keySet()));
  }
}
