package io.dure.surface.json;

import io.dure.model.HostList;
import io.dure.model.config.MemoryLimit;
import io.dure.model.config.PartitionConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a partition with the members that Slurm's data parser gives it, in its order. */
public final class PartitionJson {

  private PartitionJson() {}

  /**
   * Adds the members to an object that the caller starts and ends.
   *
   * @param cluster the cluster's name
   * @param cpus CPUs of all its nodes
   */
  public static void members(
      SlurmJsonWriter json, PartitionConfig partition, String cluster, int cpus) {
    PartitionConfig.Access access = partition.access();
    json.object("nodes")
        .text("allowed_allocation", names(access.allocNodes()))
        .text("configured", HostList.compressInOrder(partition.nodes()))
        .number("total", partition.nodes().size())
        .endObject()
        .object("accounts")
        .text("allowed", names(access.allowAccounts()))
        .text("deny", names(access.denyAccounts()))
        .endObject()
        .object("groups")
        .text("allowed", names(access.allowGroups()))
        .endObject()
        .object("qos")
        .text("allowed", names(access.allowQos()))
        .text("deny", names(access.denyQos()))
        .text("assigned", "")
        .endObject()
        .text("alternate", "")
        .object("tres")
        .text("billing_weights", "")
        .text("configured", "cpu=" + cpus + ",node=" + partition.nodes().size())
        .endObject()
        .text("cluster", cluster)
        .list("select_type")
        .endList()
        .object("cpus")
        .number("task_binding", 0)
        .number("total", cpus)
        .endObject();
    defaults(json, partition);
    maximums(json, partition);
    json.object("minimums")
        .number("nodes", partition.limits().minNodes())
        .endObject()
        .text("name", partition.name())
        .text("node_sets", "")
        .object("priority")
        .number("job_factor", partition.priorityJobFactor())
        .number("tier", partition.priorityTier())
        .endObject()
        .object("timeouts")
        .maybe("resume", (Integer) null)
        .maybe("suspend", (Integer) null)
        .endObject()
        .maybe("suspend_time", (Integer) null);
  }

  private static void defaults(SlurmJsonWriter json, PartitionConfig partition) {
    MemoryLimit memory = partition.defaultMemory();
    json.object("defaults")
        .number("memory_per_cpu", memory == null ? 0 : memory.memoryMib())
        .maybe("partition_memory_per_cpu", memory(memory, MemoryLimit.Scope.CPU))
        .maybe("partition_memory_per_node", memory(memory, MemoryLimit.Scope.NODE))
        .maybe("time", minutes(partition.limits().defaultTime()))
        .text("job", "")
        .endObject()
        .object("partition")
        .texts("state", List.of(partition.state().name()))
        .endObject()
        .number("grace_time", 0);
  }

  private static void maximums(SlurmJsonWriter json, PartitionConfig partition) {
    PartitionConfig.Limits limits = partition.limits();
    MemoryLimit memory = partition.maxMemory();
    json.object("maximums")
        .bound("cpus_per_node", count(limits.maxCpusPerNode()))
        .bound("cpus_per_socket", null)
        .number("memory_per_cpu", memory == null ? 0 : memory.memoryMib())
        .maybe("partition_memory_per_cpu", memory(memory, MemoryLimit.Scope.CPU))
        .maybe("partition_memory_per_node", memory(memory, MemoryLimit.Scope.NODE))
        .bound("nodes", count(limits.maxNodes()))
        .number("shares", partition.sharing().jobs())
        .object("oversubscribe")
        .number("jobs", partition.sharing().jobs())
        .texts(
            "flags",
            partition.sharing().mode() == PartitionConfig.OverSubscribe.Mode.FORCE
                ? List.of("force")
                : List.of())
        .endObject()
        .bound("time", minutes(limits.maxTime()))
        .maybe("over_time_limit", minutes(partition.overTimeLimit()))
        .endObject();
  }

  private static @Nullable Long memory(@Nullable MemoryLimit limit, MemoryLimit.Scope scope) {
    return limit == null || limit.scope() != scope ? null : limit.memoryMib();
  }

  private static @Nullable Long minutes(@Nullable Duration time) {
    return time == null ? null : time.toMinutes();
  }

  private static @Nullable Long count(int most) {
    return most == Integer.MAX_VALUE ? null : Long.valueOf(most);
  }

  private static String names(List<String> names) {
    return String.join(",", names);
  }
}
