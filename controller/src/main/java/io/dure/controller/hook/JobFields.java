package io.dure.controller.hook;

import io.dure.model.UserIdentity;
import io.dure.model.gres.GresRequest;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.surface.facts.GresFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a submission asks for, in the words and numbers of {@code job_desc}. Texts that were not
 * given are left out, so that a script finds nil; numbers that were not have the value that Slurm
 * has for that.
 */
final class JobFields {
  private final JobSpec spec;
  private final ResourceRequest asked;
  private final Map<String, Object> fields = new TreeMap<>();

  private JobFields(JobSpec spec) {
    this.spec = spec;
    asked = spec.resources();
  }

  /** The fields of a submission by that user. */
  static Map<String, Object> of(JobSpec spec, Workload workload, UserIdentity user) {
    JobFields all = new JobFields(spec);
    all.words();
    all.counts();
    all.layout();
    all.memory();
    all.generic();
    all.times();
    all.kept(asked(spec).shown());
    all.workload(workload);
    all.put("user_id", Integer.toUnsignedLong(user.uid()));
    all.put("user_name", user.userName());
    all.put("group_id", Integer.toUnsignedLong(user.gid()));
    return all.fields;
  }

  private static ResourceRequest.RareOptions asked(JobSpec spec) {
    return spec.resources().more();
  }

  private boolean has(String option) {
    return spec.asked().contains(option);
  }

  private void put(String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  private void list(String name, List<String> words) {
    put(name, words.isEmpty() ? null : String.join(",", words));
  }

  private void words() {
    put("account", spec.account());
    put("admin_comment", spec.adminComment());
    put("array_inx", spec.arrayTasks() == null ? null : spec.arrayTasks().text());
    put("batch_features", asked.more().batchFeatures());
    put("comment", spec.comment());
    put("dependency", text(spec.dependency()));
    list("exc_nodes", asked.excludedNodes());
    put("features", asked.features());
    put("licenses", asked.more().licenses() == null ? null : asked.more().licenses().text());
    put("mail_user", spec.mailUser());
    put("name", spec.name());
    list("partition", spec.partitions());
    put("prefer", asked.reach().prefer());
    put("qos", spec.qos());
    list("req_nodes", asked.requiredNodes());
    list("reservation", spec.reservations());
    put("wckey", spec.wckey());
  }

  static @Nullable String text(DependencyList list) {
    return list.conditions().isEmpty()
        ? null
        : list.conditions().stream()
            .map(Dependency::text)
            .collect(Collectors.joining(list.any() ? "?" : ","));
  }

  /** Counts that were worked out from others are not what was asked for. */
  private void counts() {
    put("min_nodes", has("nodes") ? asked.minNodes() : NoValue.INT);
    put("max_nodes", has("nodes") ? asked.maxNodes() : NoValue.INT);
    put("num_tasks", has("ntasks") ? asked.tasks() : NoValue.INT);
    put("cpus_per_task", has("cpus-per-task") ? asked.cpusPerTask() : NoValue.SHORT);
    put("min_cpus", (long) asked.totalCpus());
    put("max_cpus", NoValue.INT);
    put("ntasks_per_node", NoValue.ofShort(asked.tasksPerNode()));
    put("ntasks_per_core", NoValue.ofShort(asked.more().tasksPerCore()));
    put("ntasks_per_socket", NoValue.ofShort(asked.more().tasksPerSocket()));
    put("ntasks_per_tres", NoValue.ofShort(asked.gresOrNone().tasksPerGpu()));
    put("pn_min_cpus", has("mincpus") ? asked.minCpusPerNode() : NoValue.SHORT);
    put("sockets_per_node", NoValue.ofShort(asked.socketsPerNode()));
    put("sockets_per_board", NoValue.ofShort(asked.socketsPerNode()));
    put("cores_per_socket", NoValue.ofShort(asked.coresPerSocket()));
    put("threads_per_core", NoValue.ofShort(asked.threadsPerCore()));
    put("boards_per_node", NoValue.SHORT);
    put("core_spec", NoValue.SHORT);
    put("req_switch", NoValue.ofInt(asked.reach().switches()));
    put(
        "wait4switch",
        asked.reach().switchWait() == null ? NoValue.INT : asked.reach().switchWait().toSeconds());
    put("segment_size", NoValue.ofShort(asked.reach().segment()));
  }

  private void layout() {
    put("contiguous", asked.contiguous() ? 1 : NoValue.SHORT);
    put("overcommit", asked.overcommit() ? 1 : NoValue.BYTE);
    put("shared", shared(asked.sharing()));
    put("reboot", has("reboot") ? 1 : NoValue.SHORT);
    put("requeue", requeue(spec.requeue()));
    put("kill_on_node_fail", spec.survivesNodes() ? 0 : NoValue.SHORT);
    put("immediate", has("immediate") ? 1 : 0);
    put("bitflags", 0);
    put("het_job_offset", NoValue.INT);
    put("pack_job_offset", NoValue.INT);
    put("job_id", NoValue.INT);
    put("x11", has("x11") ? 1 : 0);
  }

  private static long shared(OversubscribeMode mode) {
    return switch (mode) {
      case DEFAULT -> NoValue.SHORT;
      case EXCLUSIVE -> 0;
      case OVERSUBSCRIBE -> 1;
      case USER -> 2;
    };
  }

  private static long requeue(RequeuePolicy policy) {
    return switch (policy) {
      case DEFAULT -> NoValue.SHORT;
      case YES -> 1;
      case NO -> 0;
    };
  }

  private void memory() {
    memory(fields, asked.memory());
    if (asked.memory() instanceof MemoryRequest.PerGpu(long mib)) {
      put("mem_per_tres", "gres/gpu:" + mib);
    }
    put("pn_min_tmp_disk", asked.tmpDiskMib() == 0 ? NoValue.INT : asked.tmpDiskMib());
  }

  /** The three fields that say how much memory. */
  static void memory(Map<String, Object> fields, MemoryRequest memory) {
    switch (memory) {
      case MemoryRequest.PerNode(long mib) -> {
        fields.put("pn_min_memory", mib);
        fields.put("min_mem_per_node", mib);
      }
      case MemoryRequest.PerCpu(long mib) -> {
        fields.put("pn_min_memory", NoValue.PER_CPU + mib);
        fields.put("min_mem_per_cpu", mib);
      }
      case MemoryRequest.PerGpu _, MemoryRequest.Default _ ->
          fields.put("pn_min_memory", NoValue.LONG);
    }
  }

  private void generic() {
    GresRequest gres = asked.gresOrNone();
    put("tres_per_node", empty(GresFormat.asked(gres.perNode())));
    put("tres_per_job", empty(GresFormat.asked(gres.perJob())));
    put("tres_per_socket", empty(GresFormat.asked(gres.perSocket())));
    put("tres_per_task", empty(GresFormat.perTask(gres.perTask())));
    put("cpus_per_tres", gres.cpusPerGpu() == null ? null : "gres/gpu:" + gres.cpusPerGpu());
  }

  private static @Nullable String empty(String text) {
    return text.isEmpty() ? null : text;
  }

  private void times() {
    put("time_limit", minutes(spec.timeLimit()));
    put("time_min", spec.timeMin() == null ? NoValue.INT : spec.timeMin().toMinutes());
    put("begin_time", spec.beginTime() == null ? 0 : spec.beginTime().getEpochSecond());
    put("end_time", spec.deadline() == null ? 0 : spec.deadline().getEpochSecond());
    put("deadline", spec.deadline() == null ? 0 : spec.deadline().getEpochSecond());
    put("priority", NoValue.ofInt(spec.priority()));
    put("nice", has("nice") ? NoValue.NICE_OFFSET + spec.nice() : NoValue.INT);
    put("site_factor", NoValue.INT);
    put("warn_signal", spec.signal() == null ? 0 : spec.signal().signal());
    put("warn_time", spec.signal() == null ? 0 : spec.signal().secondsBefore());
    put("warn_flags", spec.signal() != null && spec.signal().batchShellOnly() ? 1 : 0);
  }

  static long minutes(TimeLimit limit) {
    return switch (limit) {
      case TimeLimit.Limited limited -> limited.duration().toMinutes();
      case TimeLimit.Unlimited _ -> NoValue.INFINITE;
      case TimeLimit.PartitionDefault _ -> NoValue.INT;
    };
  }

  private void kept(KeptOptions kept) {
    put("acctg_freq", kept.accountingFrequency());
    put("burst_buffer", kept.burstBuffer());
    put("cluster_features", kept.clusterFeatures());
    put("container", kept.container());
    put("container_id", kept.containerId());
    put("extra", kept.extra());
    put("mcs_label", kept.mcsLabel());
    put("network", kept.network());
    put("tres_bind", kept.tresBind());
    put("tres_freq", kept.gpuFrequency() == null ? null : "gpu:" + kept.gpuFrequency());
    put("delay_boot", kept.delayBoot() == null ? NoValue.INT : kept.delayBoot().toSeconds());
  }

  private void workload(Workload workload) {
    put("work_dir", workload.workDirectory());
    put("std_in", workload.standardInput());
    put("std_out", workload.standardOutput());
    put("std_err", workload.standardError());
    put("submit_line", workload.submitLine());
    put("alloc_node", workload.submitHost());
    put("alloc_sid", (long) workload.sessionId());
    put("argc", (long) workload.arguments().size() + (workload.command() == null ? 0 : 1));
    put("argv", argv(workload));
  }

  /** Counted from 0 as in Slurm: the script and its arguments. */
  private static Map<Long, String> argv(Workload workload) {
    Map<Long, String> words = new TreeMap<>();
    if (workload.command() != null) {
      words.put(0L, workload.command());
    }
    for (String word : workload.arguments()) {
      words.put((long) words.size(), word);
    }
    return words;
  }
}
