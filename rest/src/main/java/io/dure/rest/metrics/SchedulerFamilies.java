package io.dure.rest.metrics;

import io.dure.protocol.StatisticsInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Families of the scheduler: the figures of {@code sdiag}, times in microseconds. What Dure does
 * not count, such as why a pass ended, is 0 as it is there.
 */
final class SchedulerFamilies {
  private static final List<String> UNCOUNTED =
      List.of(
          "backfilled_het_jobs",
          "bf_active",
          "sched_exit_end",
          "sched_exit_max_depth",
          "sched_exit_max_job_start",
          "sched_exit_lic",
          "sched_exit_rpc_cnt",
          "sched_exit_timeout",
          "bf_exit_end",
          "bf_exit_max_job_start",
          "bf_exit_max_job_test",
          "bf_exit_state_changed",
          "bf_exit_table_limit",
          "bf_exit_timeout");

  private final List<MetricFamily> families = new ArrayList<>();

  private SchedulerFamilies() {}

  /**
   * The families.
   *
   * @param undelivered events whose records the accounting database lacks, 0 where that is not
   *     known
   */
  static List<MetricFamily> of(StatisticsInfo told, long undelivered) {
    SchedulerFamilies made = new SchedulerFamilies();
    made.load(told, undelivered);
    made.jobs(told);
    made.passes(told.main());
    made.backfill(told.backfill());
    for (String name : UNCOUNTED) {
      made.add(name, "Not counted, always 0.", 0);
    }
    return made.families;
  }

  private void add(String name, String help, long value) {
    families.add(MetricFamily.gauge("slurm_" + name, help).is(value));
  }

  private void load(StatisticsInfo told, long undelivered) {
    StatisticsInfo.Load load = told.load();
    add("agent_cnt", "Node daemons to which messages are on their way.", load.sending());
    add("agent_thread_cnt", "The same.", load.sending());
    add("agent_queue_size", "Messages on their way to node daemons.", load.queued());
    add("server_thread_cnt", "Requests that are being answered.", load.answering());
    add("slurmdbd_queue_size", "Events that the accounting database lacks.", undelivered);
    long latency = told.clockCost().toNanos() / 1000;
    add("sdiag_latency", "Time of a thousand readings of the clock, microseconds.", latency);
    add("sched_stats_timestamp", "When this was told.", told.now().getEpochSecond());
    add("last_proc_req_start", "Since when is counted.", told.since().getEpochSecond());
  }

  private void jobs(StatisticsInfo told) {
    StatisticsInfo.Jobs jobs = told.jobs();
    add("sdiag_jobs_submitted", "Jobs that were submitted.", jobs.submitted());
    add("sdiag_jobs_started", "Jobs that have started.", jobs.started());
    add("sdiag_jobs_completed", "Jobs that ended by themselves.", jobs.completed());
    add("sdiag_jobs_canceled", "Jobs that were cancelled.", jobs.canceled());
    add("sdiag_jobs_failed", "Jobs that were lost.", jobs.failed());
    add("sdiag_jobs_pending", "Jobs that are pending.", jobs.pending());
    add("sdiag_jobs_running", "Jobs that are running.", jobs.running());
    add("sdiag_job_states_ts", "When these were counted.", told.jobsAt().getEpochSecond());
  }

  private void passes(StatisticsInfo.Main main) {
    add("schedule_cycle_cnt", "Passes of the scheduler.", main.cycles());
    add("schedule_cycle_depth", "Jobs that these looked at.", main.depth());
    add("schedule_cycle_last", "Time of the last pass.", main.last());
    add("schedule_cycle_max", "Time of the longest pass.", main.longest());
    add("schedule_cycle_tot", "Time of all passes.", main.time());
    add("schedule_queue_len", "Jobs that waited at the last pass.", main.lastQueue());
    add("sched_mean_cycle", "Mean time of a pass.", mean(main.time(), main.cycles()));
    add("sched_mean_depth_cycle", "Jobs of a pass, mean.", mean(main.depth(), main.cycles()));
  }

  private void backfill(StatisticsInfo.Backfill found) {
    long cycles = found.cycles();
    add("backfilled_jobs", "Jobs that started ahead of others.", found.jobs());
    add("last_backfilled_jobs", "The same since midnight UTC.", found.jobsOfCycle());
    add("bf_cycle_cnt", "Passes that promised starts.", cycles);
    add("bf_cycle_last", "Time of the last of them.", found.last());
    add("bf_cycle_max", "Time of the longest of them.", found.longest());
    add("bf_cycle_tot", "Time of all of them.", found.time());
    add("bf_mean_cycle", "Mean time of one of them.", mean(found.time(), cycles));
    add("bf_depth_tot", "Jobs that they looked at.", found.depth());
    add("bf_depth_mean", "The same, mean of a pass.", mean(found.depth(), cycles));
    add("bf_last_depth", "The same of the last pass.", found.lastDepth());
    add("bf_depth_try_tot", "Jobs for which they sought a place.", found.tried());
    add("bf_try_depth_mean", "The same, mean of a pass.", mean(found.tried(), cycles));
    add("bf_last_depth_try", "The same of the last pass.", found.lastTried());
    add("bf_queue_len", "Jobs that waited at the last of them.", found.lastQueue());
    add("bf_queue_len_tot", "The same, sum over passes.", found.queue());
    add("bf_queue_len_mean", "The same, mean of a pass.", mean(found.queue(), cycles));
    add("bf_table_size", "Promises that the last of them made or kept.", found.lastTable());
    add("bf_table_size_tot", "The same, sum over passes.", found.table());
    add("bf_mean_table_sz", "The same, mean of a pass.", mean(found.table(), cycles));
    add("bf_when_last_cycle", "When the last of them was, 0 before.", seconds(found.when()));
  }

  private static long seconds(@Nullable Instant time) {
    return time == null ? 0 : time.getEpochSecond();
  }

  private static long mean(long sum, long count) {
    return count <= 0 ? 0 : sum / count;
  }
}
