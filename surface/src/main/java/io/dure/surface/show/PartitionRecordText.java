package io.dure.surface.show;

import io.dure.model.HostList;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.MemoryLimit;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.power.PartitionPower;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.protocol.NodeInfo;
import io.dure.surface.facts.TresFormat;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.sinfo.PartitionColumnValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of a partition.
 *
 * @param nodes all nodes by name
 * @param preemptMode that of partitions that name none
 */
public record PartitionRecordText(Map<String, NodeInfo> nodes, String preemptMode) {

  private static final String UNLIMITED = ElapsedTimeFormat.UNLIMITED;

  public RecordText record(PartitionConfig partition) {
    PartitionConfig.Access access = partition.access();
    RecordText record = new RecordText();
    record.line("PartitionName=" + partition.name());
    record.line(access(access));
    String alternate = partition.nodeUse().alternate();
    record
        .line("AllocNodes", all(access.allocNodes()))
        .and("Default", yes(partition.isDefault()))
        .and("QoS", partition.qos() == null ? "N/A" : partition.qos());
    if (alternate != null) {
      record.line("Alternate=" + alternate);
    }
    limits(record, partition);
    String names = HostList.compress(partition.nodes());
    record.line("Nodes=" + (names.isEmpty() ? "(null)" : names));
    record
        .line("PriorityJobFactor", partition.priorityJobFactor())
        .and("PriorityTier", partition.priorityTier())
        .and("RootOnly", yes(access.rootOnly()))
        .and("ReqResv", yes(access.requiresReservation()))
        .and("OverSubscribe", PartitionColumnValues.sharing(partition.sharing()));
    PreemptMode own = partition.preemptMode();
    record
        .line("OverTimeLimit", overTime(partition.overTimeLimit()))
        .and("PreemptMode", own == null ? preemptMode : own.text(false));
    totals(record, partition);
    power(record, partition);
    return record;
  }

  private static void limits(RecordText record, PartitionConfig partition) {
    PartitionConfig.Limits limits = partition.limits();
    PartitionConfig.OverSubscribe sharing = partition.sharing();
    boolean exclusive = sharing.mode() == PartitionConfig.OverSubscribe.Mode.EXCLUSIVE;
    record
        .line("DefaultTime", time(limits.defaultTime(), "NONE"))
        .and("DisableRootJobs", yes(partition.access().disableRootJobs()))
        .and("Exclusive", exclusive ? "NODE" : sharing.oneUser() ? "USER" : "NO")
        .and("GraceTime", partition.graceTime().toSeconds())
        .and("Hidden", yes(partition.hidden()));
    record
        .line("MaxNodes", count(limits.maxNodes()))
        .and("MaxTime", time(limits.maxTime(), UNLIMITED))
        .and("MinNodes", limits.minNodes())
        .and("LLN", yes(partition.nodeUse().leastLoaded()))
        .and("MaxCPUsPerNode", count(limits.maxCpusPerNode()))
        .and("MaxCPUsPerSocket", count(partition.nodeUse().maxCpusPerSocket()));
  }

  private void totals(RecordText record, PartitionConfig partition) {
    List<NodeConfig> members = members(partition);
    int cpus = 0;
    long memory = 0;
    for (NodeConfig node : members) {
      cpus += node.shape().cpus();
      memory += node.realMemoryMib() - node.memSpecLimitMib();
    }
    record
        .line("State", partition.state())
        .and("TotalCPUs", cpus)
        .and("TotalNodes", members.size())
        .and("SelectTypeParameters", unit(partition.nodeUse().unit()));
    String defaults = partition.gpuDefaults().text();
    record.line("JobDefaults=" + (defaults.isEmpty() ? "(null)" : defaults));
    record.line(
        memory("DefMemPer", partition.defaultMemory())
            + " "
            + memory("MaxMemPer", partition.maxMemory()));
    record.line(
        "TRES=" + (cpus == 0 ? "(null)" : TresFormat.ofJob(cpus, memory, members.size(), cpus)));
  }

  private List<NodeConfig> members(PartitionConfig partition) {
    List<NodeConfig> members = new ArrayList<>();
    for (String name : partition.nodes()) {
      NodeInfo node = nodes.get(name);
      if (node != null) {
        members.add(node.config());
      }
    }
    return members;
  }

  private static String access(PartitionConfig.Access access) {
    boolean denyAccounts = access.allowAccounts().isEmpty() && !access.denyAccounts().isEmpty();
    boolean denyQos = access.allowQos().isEmpty() && !access.denyQos().isEmpty();
    return "AllowGroups="
        + all(access.allowGroups())
        + (denyAccounts
            ? " DenyAccounts=" + all(access.denyAccounts())
            : " AllowAccounts=" + all(access.allowAccounts()))
        + (denyQos ? " DenyQos=" + all(access.denyQos()) : " AllowQos=" + all(access.allowQos()));
  }

  private static String memory(String prefix, @Nullable MemoryLimit limit) {
    if (limit == null) {
      return prefix + "Node=" + UNLIMITED;
    }
    return switch (limit.scope()) {
      case CPU -> prefix + "CPU=" + limit.memoryMib();
      case NODE -> prefix + "Node=" + limit.memoryMib();
    };
  }

  private static String overTime(@Nullable Duration limit) {
    if (limit == null) {
      return "NONE";
    }
    return limit.toDays() >= 36_500 ? UNLIMITED : Long.toString(limit.toMinutes());
  }

  private static String time(@Nullable Duration limit, String absent) {
    return limit == null ? absent : ElapsedTimeFormat.full(limit.toSeconds());
  }

  private static String unit(ClusterSettings.@Nullable Unit unit) {
    return unit == null ? "NONE" : "CR_" + unit;
  }

  /** What the partition says of its nodes' power, if anything. */
  private static void power(RecordText record, PartitionConfig partition) {
    PartitionPower power = partition.power();
    if (!power.equals(PartitionPower.NONE)) {
      record
          .line("ResumeTimeout", seconds(power.resumeTimeout()))
          .and("SuspendTimeout", seconds(power.suspendTimeout()))
          .and("SuspendTime", seconds(power.suspendTime()))
          .and("PowerDownOnIdle", yes(power.downOnIdle()));
    }
  }

  private static String seconds(@Nullable Duration time) {
    if (time == null) {
      return "GLOBAL";
    }
    return time.equals(PowerSettings.NEVER) ? "INFINITE" : Long.toString(time.toSeconds());
  }

  private static String count(int count) {
    return count == Integer.MAX_VALUE ? UNLIMITED : Integer.toString(count);
  }

  private static String all(List<String> names) {
    return names.isEmpty() ? "ALL" : String.join(",", names);
  }

  private static String yes(boolean is) {
    return is ? "YES" : "NO";
  }
}
