package io.dure.rest.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The names of metrics: those that Slurm has, and those that files beside the code use. */
@Tag("pure")
class MetricsNamesTest {
  private static final Pattern NAME = Pattern.compile("\\b(?:slurm|dure)_[a-z0-9_]+\\b");
  private static final Path ROOT = Path.of("..");

  /** Names that Slurm 25.11 printed in each of its pages, by what a public capture of it has. */
  private static final String SLURM =
      """
      /metrics/jobs slurm_jobs slurm_jobs_bootfail slurm_jobs_cancelled slurm_jobs_completed
        slurm_jobs_completing slurm_jobs_configuring slurm_jobs_cpus_alloc slurm_jobs_deadline
        slurm_jobs_expediting slurm_jobs_failed slurm_jobs_fed_requeued slurm_jobs_finished
        slurm_jobs_hold slurm_jobs_memory_alloc slurm_jobs_node_failed slurm_jobs_nodes_alloc
        slurm_jobs_outofmemory slurm_jobs_pending slurm_jobs_powerup_node slurm_jobs_preempted
        slurm_jobs_requeued slurm_jobs_resizing slurm_jobs_revoked slurm_jobs_running
        slurm_jobs_signaling slurm_jobs_stageout slurm_jobs_started slurm_jobs_suspended
        slurm_jobs_timeout
      /metrics/nodes slurm_node_cpus slurm_node_cpus_alloc slurm_node_cpus_effective
        slurm_node_cpus_idle slurm_node_memory_alloc_bytes slurm_node_memory_effective_bytes
        slurm_node_memory_free_bytes slurm_node_memory_bytes slurm_nodes slurm_nodes_alloc
        slurm_nodes_blocked slurm_nodes_completing slurm_nodes_cloud slurm_nodes_down
        slurm_nodes_drain slurm_nodes_drained slurm_nodes_draining slurm_nodes_dyn_future
        slurm_nodes_dyn_normal slurm_nodes_external slurm_nodes_fail slurm_nodes_future
        slurm_nodes_idle slurm_nodes_invalid_reg slurm_nodes_maint slurm_nodes_mixed
        slurm_nodes_noresp slurm_nodes_planned slurm_nodes_power_down slurm_nodes_power_up
        slurm_nodes_powered_down slurm_nodes_powering_up slurm_nodes_reboot_issued
        slurm_nodes_reboot_req slurm_nodes_resv slurm_nodes_unknown
      /metrics/partitions slurm_partitions slurm_partition_jobs slurm_partition_jobs_bootfail
        slurm_partition_jobs_cancelled slurm_partition_jobs_completed
        slurm_partition_jobs_completing slurm_partition_jobs_configuring
        slurm_partition_jobs_cpus_alloc slurm_partition_jobs_deadline
        slurm_partition_jobs_expediting slurm_partition_jobs_failed
        slurm_partition_jobs_fed_requeued slurm_partition_jobs_finished slurm_partition_jobs_hold
        slurm_partition_jobs_max_job_nodes slurm_partition_jobs_max_job_nodes_nohold
        slurm_partition_jobs_memory_alloc slurm_partition_jobs_min_job_nodes
        slurm_partition_jobs_min_job_nodes_nohold slurm_partition_jobs_node_failed
        slurm_partition_jobs_outofmemory slurm_partition_jobs_pending
        slurm_partition_jobs_powerup_node slurm_partition_jobs_preempted
        slurm_partition_jobs_requeued slurm_partition_jobs_resizing slurm_partition_jobs_revoked
        slurm_partition_jobs_running slurm_partition_jobs_signaling slurm_partition_jobs_stageout
        slurm_partition_jobs_started slurm_partition_jobs_suspended slurm_partition_jobs_timeout
        slurm_partition_jobs_wait_part_node_limit slurm_partition_nodes_alloc
        slurm_partition_nodes_blocked slurm_partition_nodes_cg slurm_partition_nodes_cloud
        slurm_partition_nodes_cpus_efctv slurm_partition_nodes_cpus_idle
        slurm_partition_nodes_cpus_alloc slurm_partition_nodes_down slurm_partition_nodes_drain
        slurm_partition_nodes_drained slurm_partition_nodes_draining
        slurm_partition_nodes_dyn_future slurm_partition_nodes_dyn_normal
        slurm_partition_nodes_external slurm_partition_nodes_fail slurm_partition_nodes_future
        slurm_partition_nodes_idle slurm_partition_nodes_invalid_reg slurm_partition_nodes_maint
        slurm_partition_nodes_mem_alloc slurm_partition_nodes_mem_avail
        slurm_partition_nodes_mem_free slurm_partition_nodes_mem_tot slurm_partition_nodes_mixed
        slurm_partition_nodes_no_resp slurm_partition_nodes_planned
        slurm_partition_nodes_power_down slurm_partition_nodes_power_up
        slurm_partition_nodes_powered_down slurm_partition_nodes_powering_down
        slurm_partition_nodes_powering_up slurm_partition_nodes_reboot_issued
        slurm_partition_nodes_reboot_requested slurm_partition_nodes_resv
        slurm_partition_nodes_unknown slurm_partition_cpus slurm_partition_nodes
      /metrics/scheduler slurm_agent_cnt slurm_agent_queue_size slurm_agent_thread_cnt
        slurm_bf_depth_mean slurm_bf_mean_cycle slurm_bf_mean_table_sz slurm_bf_queue_len_mean
        slurm_bf_try_depth_mean slurm_backfilled_het_jobs slurm_backfilled_jobs slurm_bf_active
        slurm_bf_cycle_cnt slurm_bf_cycle_last slurm_bf_cycle_max slurm_bf_cycle_tot
        slurm_bf_depth_tot slurm_bf_depth_try_tot slurm_bf_last_depth slurm_bf_last_depth_try
        slurm_bf_queue_len slurm_bf_queue_len_tot slurm_bf_table_size slurm_bf_table_size_tot
        slurm_bf_when_last_cycle slurm_sdiag_jobs_canceled slurm_sdiag_jobs_completed
        slurm_sdiag_jobs_failed slurm_sdiag_jobs_pending slurm_sdiag_jobs_running
        slurm_sdiag_jobs_started slurm_sdiag_jobs_submitted slurm_sdiag_job_states_ts
        slurm_last_backfilled_jobs slurm_sdiag_latency slurm_schedule_cycle_cnt
        slurm_schedule_cycle_depth slurm_schedule_cycle_last slurm_schedule_cycle_max
        slurm_schedule_cycle_tot slurm_schedule_queue_len slurm_sched_exit_end
        slurm_sched_exit_max_depth slurm_sched_exit_max_job_start slurm_sched_exit_lic
        slurm_sched_exit_rpc_cnt slurm_sched_exit_timeout slurm_bf_exit_end
        slurm_bf_exit_max_job_start slurm_bf_exit_max_job_test slurm_bf_exit_state_changed
        slurm_bf_exit_table_limit slurm_bf_exit_timeout slurm_sched_mean_cycle
        slurm_sched_mean_depth_cycle slurm_server_thread_cnt slurm_slurmdbd_queue_size
        slurm_last_proc_req_start slurm_sched_stats_timestamp
      """;

  private static final MetricsPages PAGES = new MetricsPages(new FakeMetricsPort(), () -> 0);

  private static final Set<String> EXPORTED = new TreeSet<>();

  @BeforeAll
  static void export() throws Exception {
    for (MetricsPage page : MetricsPage.values()) {
      EXPORTED.addAll(at(page.path()));
    }
  }

  /** The names of the samples that a page has, or would have. */
  private static Set<String> at(String path) throws Exception {
    Set<String> names = new TreeSet<>();
    for (String line : PAGES.page(path, null, List.of()).text().lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        names.add(line.split(" ", -1)[2]);
      }
    }
    return names;
  }

  private static List<String> namesIn(String text) {
    List<String> names = new ArrayList<>();
    Matcher matcher = NAME.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group());
    }
    return names;
  }

  private static void areExported(String file) throws IOException {
    List<String> used = namesIn(Files.readString(ROOT.resolve(file)));
    assertTrue(used.size() >= 10, file + " uses metrics");
    used.removeAll(EXPORTED);
    assertEquals(List.of(), used, file + " uses what is not exported");
  }

  @Test
  void slurmsPagesHaveExactlySlurmsNames() throws Exception {
    for (String page : SLURM.split("(?=/metrics/)", -1)) {
      String path = page.split(" ", -1)[0];
      assertEquals(new TreeSet<>(namesIn(page)), at(path), path);
    }
  }

  @Test
  void usersAndAccountsHaveTheNamesOfJobs() throws Exception {
    Set<String> expected = new TreeSet<>();
    for (String name : at("/metrics/jobs")) {
      expected.add(name.replace("slurm_jobs", "slurm_user_jobs"));
      expected.add(name.replace("slurm_jobs", "slurm_account_jobs"));
    }
    assertEquals(expected, at("/metrics/jobs-users-accts"));
  }

  @Test
  void whatSlurmDoesNotHaveSaysWhoseItIs() throws Exception {
    Set<String> own = at("/metrics/dure");
    own.removeIf(name -> name.startsWith("dure_"));
    assertEquals(Set.of(), own);
  }

  @Test
  void alertsUseWhatIsExported() throws IOException {
    areExported("share/prometheus/alerts.yml");
  }

  @Test
  void theDashboardUsesWhatIsExported() throws IOException {
    areExported("share/grafana/dure.json");
  }

  @Test
  void theDocumentHasAllOfDuresNamesAndNoOthers() throws Exception {
    List<String> told = namesIn(Files.readString(ROOT.resolve("docs/metrics.md")));
    told.removeIf(name -> !name.startsWith("dure_") || name.equals("dure_http"));
    assertEquals(at("/metrics/dure"), new TreeSet<>(told));
  }
}
