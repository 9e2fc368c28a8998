package io.dure.core.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One partition as the configuration describes it or an administrator changed it.
 *
 * @param name partition name
 * @param nodes node names in order, ALL already resolved
 * @param isDefault jobs that name no partition go here
 * @param state UP, DOWN (accepts, does not start), DRAIN (starts, does not accept), INACTIVE
 * @param maxTimeMinutes longest time limit, null for no bound
 * @param defaultTimeMinutes time limit of a job that names none, null for MaxTime
 * @param maxNodes most nodes for a job, null for no bound
 * @param minNodes fewest nodes for a job
 * @param maxCpusPerNode most CPUs on one node for all jobs of the partition, null for no bound
 * @param priorityTier partitions of a higher tier are served first
 * @param priorityJobFactor weight of the partition in a job's priority
 * @param overSubscribe NO, EXCLUSIVE, YES:n, FORCE:n
 * @param allowGroups groups that may use it, empty for all
 * @param allowAccounts accounts that may use it, empty for all
 * @param denyAccounts accounts that may not
 * @param allowQos qualities of service that may use it, empty for all
 * @param rootOnly only root and SlurmUser may submit
 * @param disableRootJobs root may not run jobs
 * @param hidden not shown by default
 * @param memory default and largest memory
 * @param overTimeLimitMinutes minutes past its limit that a job may run, null for the cluster's
 * @param raw further keys of its line as written
 */
public record PartitionConfig(
    String name,
    List<String> nodes,
    boolean isDefault,
    State state,
    @Nullable Long maxTimeMinutes,
    @Nullable Long defaultTimeMinutes,
    @Nullable Integer maxNodes,
    int minNodes,
    @Nullable Integer maxCpusPerNode,
    int priorityTier,
    int priorityJobFactor,
    String overSubscribe,
    List<String> allowGroups,
    List<String> allowAccounts,
    List<String> denyAccounts,
    List<String> allowQos,
    boolean rootOnly,
    boolean disableRootJobs,
    boolean hidden,
    MemoryLimits memory,
    @Nullable Integer overTimeLimitMinutes,
    java.util.Map<String, String> raw) {

  /** Whether a partition accepts and starts jobs. */
  public enum State {
    UP,
    DOWN,
    DRAIN,
    INACTIVE
  }
}
