package io.dure.rest.metrics;

import io.dure.model.report.GpuFragmentationReport;
import io.dure.protocol.AccuracyRow;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Response;
import io.dure.protocol.StatisticsInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Families that Slurm does not have. */
final class DureFamilies {
  /** Reasons of pending jobs that are told one by one. */
  static final int MOST_REASONS = 50;

  private static final double MILLI = 1000;
  private static final double MICROS = 1e6;

  private final List<MetricFamily> families = new ArrayList<>();

  private DureFamilies() {}

  /**
   * What they are made of, each as the controller last told it.
   *
   * @param partitions names of the partitions
   * @param stored null where that is not known
   */
  record Told(
      Response.Replicas replicas,
      @Nullable StoredEvents stored,
      StatisticsInfo counted,
      Response.ForecastAccuracy accuracy,
      GpuFragmentationReport gpus,
      JobCensus jobs,
      List<String> partitions) {}

  static List<MetricFamily> of(Told told) {
    DureFamilies made = new DureFamilies();
    made.controllers(told.replicas());
    made.stored(told.stored());
    made.requests(told.counted());
    made.forecasts(told.accuracy());
    made.gpus(told.gpus());
    made.waits(told.jobs(), told.partitions());
    return made.families;
  }

  private MetricFamily gauge(String name, String help) {
    MetricFamily family = MetricFamily.gauge("dure_" + name, help);
    families.add(family);
    return family;
  }

  private MetricFamily counter(String name, String help) {
    MetricFamily family = MetricFamily.counter("dure_" + name, help);
    families.add(family);
    return family;
  }

  private void controllers(Response.Replicas told) {
    List<MetricFamily.Label> versions =
        List.of(
            new MetricFamily.Label("version", DureVersion.DURE),
            new MetricFamily.Label("slurm", DureVersion.SLURM));
    families.add(
        new MetricFamily(
            "dure_build",
            MetricFamily.Kind.INFO,
            "Version, and the release of Slurm that it follows.",
            List.of(new MetricFamily.Sample(versions, 1))));
    MetricFamily leads = gauge("controller_leads", "Whether a controller leads, 1 or 0.");
    MetricFamily votes = gauge("controller_voting", "Whether it counts for a majority, 1 or 0.");
    MetricFamily lag =
        gauge("controller_lag_batches", "Batches of events that it lacks; none where unknown.");
    MetricFamily silent =
        gauge("controller_silent_seconds", "How long it was not heard, 0 for a usual time.");
    for (Response.Replica one : told.replicas()) {
      leads.of("host", one.host(), one.role().equals("LEADER") ? 1 : 0);
      votes.of("host", one.host(), one.voting() ? 1 : 0);
      if (one.lag() >= 0) {
        lag.of("host", one.host(), one.lag());
      }
      silent.of("host", one.host(), one.silentSeconds());
    }
    gauge("controllers_troubled", "Whether something keeps controllers from working, 1 or 0.")
        .is(told.trouble() == null ? 0 : 1);
  }

  private void stored(@Nullable StoredEvents stored) {
    MetricFamily events = counter("journal_events", "Events stored since the cluster's first.");
    MetricFamily lack =
        gauge(
            "accounting_undelivered_events",
            "Events whose records the accounting database lacks; none where unknown.");
    MetricFamily failing =
        gauge("accounting_failing", "Whether that database took none when last tried, 1 or 0.");
    if (stored != null) {
      events.is(stored.events());
      failing.is(stored.failing() ? 1 : 0);
      if (stored.undelivered() != null) {
        lack.is(stored.undelivered());
      }
    }
  }

  private void requests(StatisticsInfo counted) {
    MetricFamily requests = counter("requests", "Requests that were answered, by their kind.");
    MetricFamily time = counter("request_seconds", "Time that answering them took.");
    for (StatisticsInfo.Calls one : counted.types()) {
      requests.of("type", one.name(), one.count());
      time.of("type", one.name(), one.micros() / MICROS);
    }
  }

  private void forecasts(Response.ForecastAccuracy told) {
    MetricFamily jobs =
        gauge("forecast_jobs", "Jobs that have started, of the last ones, by the wait foretold.");
    MetricFamily error =
        gauge("forecast_error_seconds", "By how much their forecasts missed the start, mean.");
    MetricFamily covered =
        gauge("forecast_covered_ratio", "The part that started between p10 and p90.");
    MetricFamily limits =
        gauge("forecast_limits_error_seconds", "By how much a plan from limits missed, mean.");
    String label = "told";
    for (AccuracyRow row : told.rows()) {
      String wait = waitTold(row.until());
      jobs.of(label, wait, row.jobs());
      error.of(label, wait, seconds(row.error()));
      covered.of(label, wait, row.covered());
      if (row.limitsError() != null) {
        limits.of(label, wait, seconds(row.limitsError()));
      }
    }
    gauge("forecast_runs", "Runs by which run times are expected.").is(told.runs());
  }

  /** A wait as {@code under_3600s}; {@code longer} for any longer one. */
  private static String waitTold(@Nullable Duration until) {
    return until == null ? "longer" : "under_" + until.toSeconds() + "s";
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLI;
  }

  private void gpus(GpuFragmentationReport report) {
    gpus(report, "gpus", "GPUs by their type.", GpuFragmentationReport.Type::gpus);
    gpus(
        report,
        "gpus_allocated",
        "GPUs that jobs hold.",
        type -> type.gpus() - (type.closedMilli() + type.freeMilli()) / MILLI);
    gpus(report, "gpus_free", "GPUs that are free.", type -> type.freeMilli() / MILLI);
    gpus(
        report,
        "gpus_closed",
        "GPUs of nodes on which no job may start, and not held.",
        type -> type.closedMilli() / MILLI);
    gpus(
        report,
        "gpus_stranded",
        "Free GPUs that are of no use to what is asked for, mean over that.",
        type -> type.uselessMilli() / MILLI);
  }

  private void gpus(
      GpuFragmentationReport report,
      String name,
      String help,
      ToDoubleFunction<GpuFragmentationReport.Type> value) {
    MetricFamily family = gauge(name, help);
    report.types().forEach(type -> family.of("type", type.name(), value.applyAsDouble(type)));
  }

  private void waits(JobCensus jobs, List<String> partitions) {
    MetricFamily reasons = gauge("pending_jobs", "Pending jobs by what they wait for.");
    BoundedLabels.of(jobs.reasons(), MOST_REASONS, count -> count, Long::sum)
        .forEach((reason, count) -> reasons.of("reason", reason, count));
    MetricFamily longest =
        gauge("partition_longest_wait_seconds", "Wait of the job that could start longest.");
    MetricFamily mean =
        gauge("partition_mean_wait_seconds", "Mean wait of the jobs that could start.");
    for (String name : partitions) {
      longest.of(PartitionFamilies.LABEL, name, jobs.ofPartition(name).longestWaitSeconds());
      mean.of(PartitionFamilies.LABEL, name, jobs.ofPartition(name).meanWaitSeconds());
    }
    MetricFamily waiting =
        gauge("account_waiting_jobs", "Jobs of an account that could start and wait.");
    MetricFamily longestOfAccount =
        gauge("account_longest_wait_seconds", "Wait of that one of them that waits longest.");
    MetricFamily meanOfAccount = gauge("account_mean_wait_seconds", "Their mean wait.");
    Map<String, JobTally> accounts = JobFamilies.bounded(jobs.accounts());
    accounts.forEach((name, tally) -> {
      waiting.of("account", name, tally.waiting());
      longestOfAccount.of("account", name, tally.longestWaitSeconds());
      meanOfAccount.of("account", name, tally.meanWaitSeconds());
    });
  }
}
