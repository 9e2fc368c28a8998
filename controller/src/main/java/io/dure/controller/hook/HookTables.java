package io.dure.controller.hook;

import io.dure.cluster.ClusterState;
import io.dure.model.command.Caller;
import io.dure.model.config.MemoryLimit;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.reservation.Reservation;
import io.dure.surface.facts.SlurmJobState;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Partitions, jobs, reservations and QOS as tables of a script. */
final class HookTables {
  /** Slurm's numbers of a partition's state. */
  private static final Map<PartitionConfig.State, Long> STATES =
      Map.of(
          PartitionConfig.State.DOWN, 1L,
          PartitionConfig.State.UP, 3L,
          PartitionConfig.State.DRAIN, 2L,
          PartitionConfig.State.INACTIVE, 0L);

  /** Slurm's numbers of states are their places in its list. */
  private static final List<SlurmJobState> NUMBERS = List.of(SlurmJobState.values());

  private HookTables() {}

  /** The partitions that the user may use, by their names. */
  static Map<String, Object> partitions(ClusterState state, Caller.User user) {
    Map<String, Object> all = new TreeMap<>();
    for (PartitionConfig partition : state.partitions()) {
      List<String> groups = partition.access().allowGroups();
      if (user.operator() || groups.isEmpty() || !Collections.disjoint(groups, user.groups())) {
        all.put(partition.name(), partition(state, partition));
      }
    }
    return all;
  }

  private static Map<String, Object> partition(ClusterState state, PartitionConfig partition) {
    Map<String, Object> fields = new TreeMap<>();
    fields.put("name", partition.name());
    fields.put("flag_default", partition.isDefault() ? 1L : 0L);
    fields.put("flags", partition.isDefault() ? 1L : 0L);
    fields.put("state_up", STATES.get(partition.state()));
    fields.put("nodes", String.join(",", partition.nodes()));
    fields.put("total_nodes", (long) partition.nodes().size());
    long cpus = 0;
    for (String name : partition.nodes()) {
      var node = state.node(name);
      NodeConfig config = node == null ? null : node.config();
      cpus += config == null ? 0 : config.shape().cpus();
    }
    fields.put("total_cpus", cpus);
    fields.put("max_time", minutes(partition.limits().maxTime(), NoValue.INFINITE));
    fields.put("default_time", minutes(partition.limits().defaultTime(), NoValue.INT));
    fields.put("min_nodes", (long) partition.limits().minNodes());
    fields.put("min_nodes_orig", (long) partition.limits().minNodes());
    fields.put("max_nodes", bound(partition.limits().maxNodes()));
    fields.put("max_nodes_orig", bound(partition.limits().maxNodes()));
    fields.put("max_cpus_per_node", bound(partition.limits().maxCpusPerNode()));
    fields.put("max_share", (long) partition.sharing().jobs());
    fields.put("priority_tier", (long) partition.priorityTier());
    fields.put("priority_job_factor", (long) partition.priorityJobFactor());
    memory(fields, "def_mem_per_", partition.defaultMemory());
    memory(fields, "max_mem_per_", partition.maxMemory());
    text(fields, "qos", partition.qos());
    list(fields, "allow_groups", partition.access().allowGroups());
    list(fields, "allow_accounts", partition.access().allowAccounts());
    list(fields, "deny_accounts", partition.access().denyAccounts());
    list(fields, "allow_qos", partition.access().allowQos());
    list(fields, "deny_qos", partition.access().denyQos());
    list(fields, "allow_alloc_nodes", partition.access().allocNodes());
    return fields;
  }

  private static long bound(int most) {
    return most <= 0 || most == Integer.MAX_VALUE ? NoValue.INFINITE : most;
  }

  private static void memory(Map<String, Object> fields, String name, @Nullable MemoryLimit limit) {
    if (limit != null) {
      fields.put(name + limit.scope().name().toLowerCase(Locale.ROOT), limit.memoryMib());
    }
  }

  private static void text(Map<String, Object> fields, String name, @Nullable String text) {
    if (text != null) {
      fields.put(name, text);
    }
  }

  private static void list(Map<String, Object> fields, String name, List<String> words) {
    if (!words.isEmpty()) {
      fields.put(name, String.join(",", words));
    }
  }

  private static long minutes(@Nullable Duration time, long none) {
    return time == null ? none : time.toMinutes();
  }

  /** The priorities of QOS by their names. */
  static Map<String, Long> priorities(ClusterState state) {
    Map<String, Long> all = new TreeMap<>();
    state.accounts().qosByNumber().forEach(one -> all.put(one.name(), one.priority()));
    return all;
  }

  /** One job. */
  static Map<String, Object> job(Job job) {
    Map<String, Object> fields = JobFields.of(job.spec(), job.workload(), job.owner());
    fields.put("job_id", (long) job.id());
    fields.put("job_state", (long) NUMBERS.indexOf(SlurmJobState.base(job.state())));
    fields.put("submit_time", job.submitTime().getEpochSecond());
    fields.put("priority", job.priority());
    fields.put("restart_cnt", (long) job.restarts());
    fields.put("min_nodes", (long) job.spec().resources().minNodes());
    fields.put("max_nodes", (long) job.spec().resources().maxNodes());
    fields.put("direct_set_prio", job.spec().priority() == null ? 0L : 1L);
    return fields;
  }

  /** All reservations by their names. */
  static Map<String, Object> reservations(ClusterState state) {
    Map<String, Object> all = new TreeMap<>();
    for (Reservation one : state.reservations()) {
      Map<String, Object> fields = new TreeMap<>();
      fields.put("name", one.name());
      fields.put("start_time", one.start().getEpochSecond());
      fields.put("end_time", one.end().getEpochSecond());
      fields.put("duration", Duration.between(one.start(), one.end()).toMinutes());
      fields.put("node_cnt", (long) one.nodes().size());
      list(fields, "node_list", one.nodes());
      list(fields, "users", one.access().users());
      list(fields, "accounts", one.access().accounts());
      list(fields, "groups", one.access().groups());
      list(fields, "partition", one.access().partitions());
      all.put(one.name(), fields);
    }
    return all;
  }
}
