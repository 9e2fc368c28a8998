package io.dure.core.scheduler;

import io.dure.core.config.MemoryLimit;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.model.JobSpec;
import io.dure.core.model.MemoryRequest;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.TimeLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a partition demands of jobs, whatever its nodes look like. */
public final class PartitionRules {
  private PartitionRules() {}

  /** Why the partition starts nothing, null if it does. */
  public static @Nullable String closed(PartitionConfig partition) {
    return switch (partition.state()) {
      case UP, DRAIN -> null;
      case DOWN -> Reason.PARTITION_DOWN;
      case INACTIVE -> Reason.PARTITION_INACTIVE;
    };
  }

  /** Why the job may not run in the partition, null if it may. */
  public static @Nullable String forbids(
      Settings settings, PartitionConfig partition, JobSpec spec) {
    PartitionConfig.Access access = partition.access();
    if (!allows(access.allowAccounts(), access.denyAccounts(), spec.account())) {
      return Reason.ACCOUNT;
    }
    if (spec.qos() != null && !allows(access.allowQos(), access.denyQos(), spec.qos())) {
      return Reason.QOS;
    }
    PartitionConfig.Limits limits = partition.limits();
    ResourceRequest request = spec.resources();
    if (request.minNodes() > limits.maxNodes()
        || request.maxNodes() < limits.minNodes()
        || request.minNodes() > partition.nodes().size()) {
      return Reason.PARTITION_NODES;
    }
    Duration time = spec.timeMin() != null ? spec.timeMin() : runTime(partition, spec);
    if (limits.maxTime() != null && (time == null || time.compareTo(limits.maxTime()) > 0)) {
      return Reason.PARTITION_TIME;
    }
    MemoryLimit most =
        partition.maxMemory() == null ? settings.jobs().maxMemory() : partition.maxMemory();
    return most != null && exceeds(request.memory(), most) ? Reason.MEMORY_LIMIT : null;
  }

  private static boolean allows(List<String> allowed, List<String> denied, @Nullable String name) {
    if (!allowed.isEmpty()) {
      return name != null && containsName(allowed, name);
    }
    return name == null || !containsName(denied, name);
  }

  private static boolean containsName(List<String> names, String name) {
    for (String candidate : names) {
      if (candidate.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean exceeds(MemoryRequest request, MemoryLimit most) {
    return switch (request) {
      case MemoryRequest.PerNode(long mib) ->
          most.scope() == MemoryLimit.Scope.NODE && (mib == 0 || mib > most.memoryMib());
      case MemoryRequest.PerCpu(long mib) ->
          most.scope() == MemoryLimit.Scope.CPU && mib > most.memoryMib();
      case MemoryRequest.PerGpu _, MemoryRequest.Default _ -> false;
    };
  }

  /** How long the job may run in the partition, null for no bound. */
  public static @Nullable Duration runTime(PartitionConfig partition, JobSpec spec) {
    return switch (spec.timeLimit()) {
      case TimeLimit.Limited(Duration duration) -> duration;
      case TimeLimit.Unlimited _ -> null;
      case TimeLimit.PartitionDefault _ -> {
        Duration byDefault = partition.limits().defaultTime();
        yield byDefault == null ? partition.limits().maxTime() : byDefault;
      }
    };
  }

  /** When the job would end if it started now, null for never; its deadline is its end too. */
  public static @Nullable Instant end(PartitionConfig partition, JobSpec spec, Instant now) {
    Duration time = runTime(partition, spec);
    Instant end = time == null ? null : now.plus(time);
    Instant deadline = spec.deadline();
    return deadline != null && (end == null || deadline.isBefore(end)) ? deadline : end;
  }
}
