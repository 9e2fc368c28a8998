package io.dure.model.config;

import io.dure.model.HostList;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.config.power.PartitionPower;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.config.preempt.PreemptMode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One partition as the configuration describes it.
 *
 * @param name its name
 * @param nodes its nodes, in the order of the cluster
 * @param isDefault whether jobs that name no partition go here
 * @param state what it accepts and starts
 * @param limits what a job may ask for
 * @param access who may use it
 * @param hidden whether it is left out of listings
 * @param priorityTier jobs of a higher tier are considered first
 * @param priorityJobFactor its weight in a job's priority
 * @param sharing how its resources are shared
 * @param defaultMemory memory of a job that asks for none; null to take the cluster's
 * @param maxMemory the most memory a job may have; null to take the cluster's
 * @param overTimeLimit how long a job may exceed its limit; null to take the cluster's
 * @param billingWeights what a job's resources are billed, by their names; empty for its CPUs
 * @param qos the QOS whose limits bind all its jobs, null for none
 * @param preemptMode what becomes of its jobs that make room for others; null as the cluster says
 * @param graceTime how long they have to end
 * @param gpuDefaults what comes with each GPU of a job that does not say, before what the cluster
 *     says
 * @param power when its nodes are switched off and on
 * @param nodeUse how its jobs take nodes
 */
@RecordBuilder
public record PartitionConfig(
    String name,
    List<String> nodes,
    boolean isDefault,
    State state,
    Limits limits,
    Access access,
    boolean hidden,
    int priorityTier,
    int priorityJobFactor,
    OverSubscribe sharing,
    @Nullable MemoryLimit defaultMemory,
    @Nullable MemoryLimit maxMemory,
    @Nullable Duration overTimeLimit,
    Map<String, Double> billingWeights,
    @Nullable String qos,
    @Nullable PreemptMode preemptMode,
    Duration graceTime,
    GpuDefaults gpuDefaults,
    PartitionPower power,
    NodeUse nodeUse)
    implements PartitionConfigBuilder.With {

  public PartitionConfig {
    power = Objects.requireNonNullElse(power, PartitionPower.NONE);
    nodeUse = Objects.requireNonNullElse(nodeUse, NodeUse.USUAL);
    gpuDefaults = Objects.requireNonNullElse(gpuDefaults, GpuDefaults.NONE);
    graceTime = Objects.requireNonNullElse(graceTime, Duration.ZERO);
    nodes = List.copyOf(nodes);
    billingWeights = Collections.unmodifiableMap(new LinkedHashMap<>(billingWeights));
  }

  /** A partition that says nothing of what came later. */
  public PartitionConfig(
      String name,
      List<String> nodes,
      boolean isDefault,
      State state,
      Limits limits,
      Access access,
      boolean hidden,
      int priorityTier,
      int priorityJobFactor,
      OverSubscribe sharing,
      @Nullable MemoryLimit defaultMemory,
      @Nullable MemoryLimit maxMemory,
      @Nullable Duration overTimeLimit,
      Map<String, Double> billingWeights,
      @Nullable String qos,
      @Nullable PreemptMode preemptMode,
      Duration graceTime,
      GpuDefaults gpuDefaults) {
    this(
        name,
        nodes,
        isDefault,
        state,
        limits,
        access,
        hidden,
        priorityTier,
        priorityJobFactor,
        sharing,
        defaultMemory,
        maxMemory,
        overTimeLimit,
        billingWeights,
        qos,
        preemptMode,
        graceTime,
        gpuDefaults,
        PartitionPower.NONE,
        NodeUse.USUAL);
  }

  /**
   * How the jobs of a partition take nodes.
   *
   * @param leastLoaded whether they get the nodes of which most is free
   * @param maxCpusPerSocket the most CPUs of a socket for its jobs together, {@link
   *     Integer#MAX_VALUE} for no bound
   * @param alternate the partition of jobs that ask for this one while it is not up; null for none
   * @param unit what is given to its jobs; null for what the cluster says
   * @param topology the network by which its nodes are chosen; null for the cluster's
   */
  public record NodeUse(
      boolean leastLoaded,
      int maxCpusPerSocket,
      @Nullable String alternate,
      ClusterSettings.@Nullable Unit unit,
      @Nullable String topology) {
    /** As in a partition that says nothing of it. */
    public static final NodeUse USUAL = new NodeUse(false, Integer.MAX_VALUE, null, null, null);
  }

  /** What a partition accepts and starts. */
  public enum State {
    /** Accepts jobs and starts them. */
    UP(true, true),
    /** Accepts jobs and starts none. */
    DOWN(true, false),
    /** Starts jobs and accepts none. */
    DRAIN(false, true),
    /** Neither. */
    INACTIVE(false, false);

    private final boolean accepts;
    private final boolean starts;

    State(boolean accepts, boolean starts) {
      this.accepts = accepts;
      this.starts = starts;
    }

    /** Whether jobs may be submitted. */
    public boolean accepts() {
      return accepts;
    }

    /** Whether jobs may start. */
    public boolean starts() {
      return starts;
    }
  }

  /**
   * What a job may ask for.
   *
   * @param maxTime the longest time limit; null for no bound
   * @param defaultTime the limit of a job that names none; null to take {@code maxTime}
   * @param minNodes the fewest nodes
   * @param maxNodes the most nodes, {@link Integer#MAX_VALUE} for no bound
   * @param maxCpusPerNode the most CPUs of one node for the partition's jobs together, {@link
   *     Integer#MAX_VALUE} for no bound
   */
  public record Limits(
      @Nullable Duration maxTime,
      @Nullable Duration defaultTime,
      int minNodes,
      int maxNodes,
      int maxCpusPerNode) {}

  /**
   * Who may use a partition; an empty list of allowed names lets everyone in.
   *
   * @param allowGroups unix groups
   * @param allowAccounts accounts
   * @param denyAccounts accounts, read only where none is allowed by name
   * @param allowQos qualities of service
   * @param denyQos qualities of service, read only where none is allowed by name
   * @param allocNodes hosts from which jobs may come
   * @param rootOnly whether only root may submit
   * @param disableRootJobs whether root may not run jobs
   * @param requiresReservation whether a job has to name a reservation
   */
  public record Access(
      List<String> allowGroups,
      List<String> allowAccounts,
      List<String> denyAccounts,
      List<String> allowQos,
      List<String> denyQos,
      List<String> allocNodes,
      boolean rootOnly,
      boolean disableRootJobs,
      boolean requiresReservation) {
    public Access {
      allowGroups = List.copyOf(allowGroups);
      allowAccounts = List.copyOf(allowAccounts);
      denyAccounts = List.copyOf(denyAccounts);
      allowQos = List.copyOf(allowQos);
      denyQos = List.copyOf(denyQos);
      allocNodes = List.copyOf(allocNodes);
    }
  }

  /**
   * How a partition's resources are shared.
   *
   * @param mode the rule
   * @param jobs with YES and FORCE, how many jobs a resource may hold; 1 otherwise
   * @param oneUser whether a node with one of its jobs is for that job's user alone
   */
  public record OverSubscribe(Mode mode, int jobs, boolean oneUser) {
    /** A rule that is the same for all users. */
    public OverSubscribe(Mode mode, int jobs) {
      this(mode, jobs, false);
    }

    /** The rules of {@code OverSubscribe}. */
    public enum Mode {
      NO,
      EXCLUSIVE,
      FORCE,
      YES
    }
  }

  /** The same partition without a node. */
  public PartitionConfig without(String node) {
    return withNodes(nodes.stream().filter(n -> !n.equals(node)).toList());
  }

  /** Its settings as a line of the configuration says them, by their names. */
  public Map<String, String> settings() {
    Map<String, String> line = new LinkedHashMap<>();
    line.put("PartitionName", name);
    line.put("Nodes", HostList.compress(nodes));
    line.put("Default", yes(isDefault));
    line.put("State", state.name());
    line.put("MaxTime", limits.maxTime() == null ? "UNLIMITED" : minutes(limits.maxTime()));
    line.put("DefaultTime", limits.defaultTime() == null ? "" : minutes(limits.defaultTime()));
    line.put("MinNodes", Integer.toString(limits.minNodes()));
    line.put("MaxNodes", count(limits.maxNodes()));
    line.put("MaxCPUsPerNode", count(limits.maxCpusPerNode()));
    line.put("AllowGroups", names(access.allowGroups()));
    line.put("AllowAccounts", names(access.allowAccounts()));
    line.put("DenyAccounts", String.join(",", access.denyAccounts()));
    line.put("AllowQos", names(access.allowQos()));
    line.put("DenyQos", String.join(",", access.denyQos()));
    line.put("QOS", qos == null ? "" : qos);
    line.put("AllocNodes", names(access.allocNodes()));
    line.put("RootOnly", yes(access.rootOnly()));
    line.put("DisableRootJobs", yes(access.disableRootJobs()));
    line.put("ReqResv", yes(access.requiresReservation()));
    line.put("Hidden", yes(hidden));
    line.put("PriorityTier", Integer.toString(priorityTier));
    line.put("PriorityJobFactor", Integer.toString(priorityJobFactor));
    line.put("OverSubscribe", text(sharing));
    line.put("ExclusiveUser", yes(sharing.oneUser()));
    memory(line, "DefMemPer", defaultMemory);
    memory(line, "MaxMemPer", maxMemory);
    line.put("OverTimeLimit", overTimeLimit == null ? "" : minutes(overTimeLimit));
    line.put("PreemptMode", preemptMode == null ? "" : preemptMode.name());
    line.put("GraceTime", graceTime.isZero() ? "" : Long.toString(graceTime.toSeconds()));
    line.put("JobDefaults", gpuDefaults.text());
    line.put("TRESBillingWeights", weights(billingWeights));
    line.put("LLN", yes(nodeUse.leastLoaded()));
    line.put("MaxCPUsPerSocket", count(nodeUse.maxCpusPerSocket()));
    line.put("Alternate", nodeUse.alternate() == null ? "" : nodeUse.alternate());
    line.put("SelectTypeParameters", nodeUse.unit() == null ? "" : "CR_" + nodeUse.unit());
    line.put("Topology", nodeUse.topology() == null ? "" : nodeUse.topology());
    line.put("SuspendTime", seconds(power.suspendTime()));
    line.put("SuspendTimeout", seconds(power.suspendTimeout()));
    line.put("ResumeTimeout", seconds(power.resumeTimeout()));
    line.put("PowerDownOnIdle", yes(power.downOnIdle()));
    line.values().removeIf(String::isEmpty);
    return line;
  }

  private static String text(OverSubscribe sharing) {
    return switch (sharing.mode()) {
      case NO, EXCLUSIVE -> sharing.mode().name();
      case YES, FORCE -> sharing.mode().name() + ":" + sharing.jobs();
    };
  }

  private static void memory(Map<String, String> line, String prefix, @Nullable MemoryLimit limit) {
    if (limit != null) {
      String suffix = limit.scope() == MemoryLimit.Scope.CPU ? "CPU" : "Node";
      line.put(prefix + suffix, Long.toString(limit.memoryMib()));
    }
  }

  private static String weights(Map<String, Double> weights) {
    List<String> parts = new ArrayList<>();
    // Memory is weighed by the mebibyte, which is what a number without a unit means.
    weights.forEach((name, weight) -> parts.add(name + "=" + plain(weight)));
    return String.join(",", parts);
  }

  private static String plain(double weight) {
    return BigDecimal.valueOf(weight).stripTrailingZeros().toPlainString();
  }

  private static String names(List<String> names) {
    return names.isEmpty() ? "ALL" : String.join(",", names);
  }

  private static String minutes(Duration duration) {
    return Long.toString(duration.toMinutes());
  }

  private static String seconds(@Nullable Duration duration) {
    if (duration == null) {
      return "";
    }
    return duration.equals(PowerSettings.NEVER) ? "INFINITE" : Long.toString(duration.toSeconds());
  }

  private static String count(int count) {
    return count == Integer.MAX_VALUE ? "UNLIMITED" : Integer.toString(count);
  }

  private static String yes(boolean is) {
    return is ? "yes" : "no";
  }
}
