package io.dure.rules;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.command.PendingReason;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.MemoryLimit;
import io.dure.model.config.PartitionConfig;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a partition demands of jobs, whatever its nodes look like. */
public final class PartitionRules {
  private PartitionRules() {}

  /** Why the partition starts nothing, null if it does. */
  public static @Nullable String closedReason(PartitionConfig partition) {
    return switch (partition.state()) {
      case UP, DRAIN -> null;
      case DOWN -> PendingReason.PARTITION_DOWN;
      case INACTIVE -> PendingReason.PARTITION_INACTIVE;
    };
  }

  /** Whether a job gets whole nodes of a partition, whatever it asks for of each. */
  public static boolean givesWholeNodes(
      ClusterSettings.Unit unit, PartitionConfig partition, ResourceRequest request) {
    return unit == ClusterSettings.Unit.NODE
        || partition.sharing().mode() == PartitionConfig.OverSubscribe.Mode.EXCLUSIVE
        || request.sharing() == OversubscribeMode.EXCLUSIVE;
  }

  /** What of a partition's limits the jobs of a QOS may pass over. */
  public enum Freedom {
    /** The fewest nodes. */
    MIN_NODES,
    /** The most nodes. */
    MAX_NODES,
    /** The longest time. */
    TIME
  }

  /** What a job's QOS frees it from; mostly nothing. */
  public static List<Freedom> exemptions(AccountingTree tree, JobSpec spec) {
    Qos qos = spec.qos() == null ? null : tree.qos(spec.qos());
    if (qos == null || qos.flags().isEmpty()) {
      return List.of();
    }
    List<Freedom> freedoms = new ArrayList<>();
    if (qos.has(QosFlag.PARTITION_MIN_NODES)) {
      freedoms.add(Freedom.MIN_NODES);
    }
    if (qos.has(QosFlag.PARTITION_MAX_NODES)) {
      freedoms.add(Freedom.MAX_NODES);
    }
    if (qos.has(QosFlag.PARTITION_TIME_LIMIT)) {
      freedoms.add(Freedom.TIME);
    }
    return List.copyOf(freedoms);
  }

  /** The partition as it binds jobs that are freed from some of its limits. */
  public static PartitionConfig freed(PartitionConfig partition, List<Freedom> freedoms) {
    if (freedoms.isEmpty()) {
      return partition;
    }
    PartitionConfig.Limits limits = partition.limits();
    return partition.withLimits(
        new PartitionConfig.Limits(
            freedoms.contains(Freedom.TIME) ? null : limits.maxTime(),
            limits.defaultTime() == null ? limits.maxTime() : limits.defaultTime(),
            freedoms.contains(Freedom.MIN_NODES) ? 0 : limits.minNodes(),
            freedoms.contains(Freedom.MAX_NODES) ? Integer.MAX_VALUE : limits.maxNodes(),
            limits.maxCpusPerNode()));
  }

  /** The same for the jobs of a request. */
  public static PartitionConfig freed(SchedulerView view, PartitionConfig partition, JobSpec spec) {
    return freed(partition, exemptions(view.accounts(), spec));
  }

  /** Why the job may not run in the partition, null if it may. */
  public static @Nullable String refusalReason(
      SchedulerView view, PartitionConfig partition, JobSpec spec) {
    return refusalReason(view.settings(), exemptions(view.accounts(), spec), partition, spec);
  }

  /**
   * Why the job may not run in the partition, null if it may.
   *
   * @param freedoms what its QOS frees it from
   */
  public static @Nullable String refusalReason(
      ClusterSettings settings, List<Freedom> freedoms, PartitionConfig whole, JobSpec spec) {
    PartitionConfig partition = freed(whole, freedoms);
    PartitionConfig.Access access = partition.access();
    if (access.requiresReservation() && spec.reservations().isEmpty()) {
      return PendingReason.RESERVATION;
    }
    if (!allows(access.allowAccounts(), access.denyAccounts(), spec.account())) {
      return PendingReason.ACCOUNT;
    }
    if (spec.qos() != null && !allows(access.allowQos(), access.denyQos(), spec.qos())) {
      return PendingReason.QOS;
    }
    PartitionConfig.Limits limits = partition.limits();
    ResourceRequest request = spec.resources();
    if (request.minNodes() > limits.maxNodes()
        || request.maxNodes() < limits.minNodes()
        || request.minNodes() > partition.nodes().size()) {
      return PendingReason.PARTITION_NODES;
    }
    Duration time = spec.timeMin() != null ? spec.timeMin() : runTime(partition, spec);
    if (limits.maxTime() != null && (time == null || time.compareTo(limits.maxTime()) > 0)) {
      return PendingReason.PARTITION_TIME;
    }
    MemoryLimit most =
        partition.maxMemory() == null ? settings.jobs().maxMemory() : partition.maxMemory();
    return most != null && exceeds(request.memory(), most) ? PendingReason.MEMORY_LIMIT : null;
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
