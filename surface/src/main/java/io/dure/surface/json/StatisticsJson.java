package io.dure.surface.json;

import io.dure.protocol.StatisticsInfo;
import io.dure.protocol.StatisticsInfo.Calls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Writes what the controller has counted. What Dure does not count, such as why a pass ended, is 0.
 */
public final class StatisticsJson {
  private static final List<String> MAIN_EXITS =
      List.of(
          "end_job_queue",
          "default_queue_depth",
          "max_job_start",
          "max_rpc_cnt",
          "max_sched_time",
          "licenses");
  private static final List<String> BACKFILL_EXITS =
      List.of(
          "end_job_queue",
          "bf_max_job_start",
          "bf_max_job_test",
          "bf_max_time",
          "bf_node_space_size",
          "state_changed");

  private final SlurmJsonWriter json;
  private final StatisticsInfo statistics;

  private StatisticsJson(SlurmJsonWriter json, StatisticsInfo statistics) {
    this.json = json;
    this.statistics = statistics;
  }

  /**
   * Writes the document.
   *
   * @param order of the requests by type, and of those by user
   */
  public static void print(
      JsonTarget target, String cluster, StatisticsInfo statistics, Comparator<Calls> order) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_diag_resp")) {
      json.object().object("statistics");
      StatisticsJson document = new StatisticsJson(json, statistics);
      document.load();
      document.main();
      document.jobs();
      document.backfill();
      document.calls(order);
      json.endObject();
      JsonEnvelope.end(json, cluster);
    }
  }

  private void load() {
    StatisticsInfo.Load load = statistics.load();
    json.number("parts_packed", 1)
        .time("req_time", statistics.now())
        .time("req_time_start", statistics.since())
        .number("server_thread_count", load.answering())
        .number("agent_queue_size", load.queued())
        .number("agent_count", load.sending())
        .number("agent_thread_count", load.sending())
        .number("dbd_agent_queue_size", 0)
        .number("gettimeofday_latency", statistics.clockCost().toNanos() / 1000);
  }

  private void main() {
    StatisticsInfo.Main main = statistics.main();
    long seconds = statistics.now().getEpochSecond() - statistics.since().getEpochSecond();
    json.number("schedule_cycle_max", main.longest())
        .number("schedule_cycle_last", main.last())
        .number("schedule_cycle_sum", main.time())
        .number("schedule_cycle_total", main.cycles())
        .number("schedule_cycle_mean", mean(main.time(), main.cycles()))
        .number("schedule_cycle_mean_depth", mean(main.depth(), main.cycles()))
        .number("schedule_cycle_per_minute", mean(main.cycles(), seconds / 60))
        .number("schedule_cycle_depth", main.depth());
    exits("schedule_exit", MAIN_EXITS);
    json.number("schedule_queue_length", main.lastQueue());
  }

  private void jobs() {
    StatisticsInfo.Jobs jobs = statistics.jobs();
    json.number("jobs_submitted", jobs.submitted())
        .number("jobs_started", jobs.started())
        .number("jobs_completed", jobs.completed())
        .number("jobs_canceled", jobs.canceled())
        .number("jobs_failed", jobs.failed())
        .number("jobs_pending", jobs.pending())
        .number("jobs_running", jobs.running())
        .time("job_states_ts", statistics.jobsAt());
  }

  private void backfill() {
    StatisticsInfo.Backfill found = statistics.backfill();
    long cycles = found.cycles();
    json.number("bf_backfilled_jobs", found.jobs())
        .number("bf_last_backfilled_jobs", found.jobsOfCycle())
        .number("bf_backfilled_het_jobs", 0)
        .number("bf_cycle_counter", cycles)
        .number("bf_cycle_mean", mean(found.time(), cycles))
        .number("bf_depth_mean", mean(found.depth(), cycles))
        .number("bf_depth_mean_try", mean(found.tried(), cycles))
        .number("bf_cycle_sum", found.time())
        .number("bf_cycle_last", found.last())
        .number("bf_cycle_max", found.longest());
    exits("bf_exit", BACKFILL_EXITS);
    json.number("bf_last_depth", found.lastDepth())
        .number("bf_last_depth_try", found.lastTried())
        .number("bf_depth_sum", found.depth())
        .number("bf_depth_try_sum", found.tried())
        .number("bf_queue_len", found.lastQueue())
        .number("bf_queue_len_mean", mean(found.queue(), cycles))
        .number("bf_queue_len_sum", found.queue())
        .number("bf_table_size", found.lastTable())
        .number("bf_table_size_sum", found.table())
        .number("bf_table_size_mean", mean(found.table(), cycles))
        .time("bf_when_last_cycle", found.when())
        .flag("bf_active", false);
  }

  private void exits(String name, List<String> causes) {
    json.object(name);
    causes.forEach(cause -> json.number(cause, 0));
    json.endObject();
  }

  private void calls(Comparator<Calls> order) {
    json.list("rpcs_by_message_type");
    for (Calls one : sorted(statistics.types(), order)) {
      json.object()
          .number("type_id", Integer.toUnsignedLong(one.id()))
          .text("message_type", one.name())
          .number("count", one.count())
          .number("queued", 0)
          .number("dropped", 0)
          .number("cycle_last", 0)
          .number("cycle_max", 0);
      times(one);
    }
    json.endList().list("rpcs_by_user");
    for (Calls one : sorted(statistics.users(), order)) {
      json.object()
          .number("user_id", Integer.toUnsignedLong(one.id()))
          .text("user", one.name())
          .number("count", one.count());
      times(one);
    }
    json.endList().list("pending_rpcs").endList().list("pending_rpcs_by_hostlist").endList();
  }

  private void times(Calls one) {
    json.number("total_time", one.micros())
        .maybe("average_time", Long.valueOf(mean(one.micros(), one.count())))
        .endObject();
  }

  private static List<Calls> sorted(List<Calls> calls, Comparator<Calls> order) {
    List<Calls> sorted = new ArrayList<>(calls);
    sorted.sort(order);
    return sorted;
  }

  private static long mean(long sum, long count) {
    return count <= 0 ? 0 : sum / count;
  }
}
