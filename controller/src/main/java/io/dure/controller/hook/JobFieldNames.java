package io.dure.controller.hook;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names of the fields of {@code job_desc} that a script can set. */
final class JobFieldNames {
  /** Fields that hold texts and can be set. */
  static final List<String> TEXTS =
      List.of(
          "account",
          "admin_comment",
          "array_inx",
          "batch_features",
          "burst_buffer",
          "cluster_features",
          "comment",
          "cpus_per_tres",
          "dependency",
          "exc_nodes",
          "extra",
          "features",
          "licenses",
          "mail_user",
          "mcs_label",
          "mem_per_tres",
          "name",
          "network",
          "partition",
          "prefer",
          "qos",
          "req_nodes",
          "reservation",
          "script",
          "std_err",
          "std_in",
          "std_out",
          "tres_bind",
          "tres_freq",
          "tres_per_job",
          "tres_per_node",
          "tres_per_socket",
          "tres_per_task",
          "wckey",
          "work_dir");

  /** Fields that hold numbers and can be set. */
  static final List<String> NUMBERS =
      List.of(
          "begin_time",
          "contiguous",
          "cores_per_socket",
          "cpus_per_task",
          "deadline",
          "delay_boot",
          "max_nodes",
          "min_cpus",
          "min_mem_per_cpu",
          "min_mem_per_node",
          "min_nodes",
          "nice",
          "ntasks_per_core",
          "ntasks_per_node",
          "ntasks_per_socket",
          "ntasks_per_tres",
          "num_tasks",
          "overcommit",
          "pn_min_cpus",
          "pn_min_memory",
          "pn_min_tmp_disk",
          "priority",
          "reboot",
          "req_switch",
          "requeue",
          "shared",
          "site_factor",
          "sockets_per_node",
          "threads_per_core",
          "time_limit",
          "time_min",
          "wait4switch");

  /** Other names of fields. */
  static final Map<String, String> ALIAS =
      Map.of(
          "gres", "tres_per_node",
          "oversubscribe", "shared",
          "end_time", "deadline",
          "default_account", "account",
          "ntasks", "num_tasks",
          "job_name", "name");

  private JobFieldNames() {}

  /** Of each field whether it holds texts or numbers. */
  static Map<String, String> kinds() {
    Map<String, String> kinds = new LinkedHashMap<>();
    TEXTS.forEach(name -> kinds.put(name, "s"));
    NUMBERS.forEach(name -> kinds.put(name, "n"));
    return kinds;
  }
}
