package io.dure.node.launch;

import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the environment of a batch script tells the job about itself.
 *
 * @param identity owner and ids of the job
 * @param shape what was allocated
 * @param asked what the user asked for, and only that
 * @param array the job's place in its array, or null
 * @param login the user's own settings, filled in where the submitted environment lacks them, or
 *     null for {@code --export=NIL}
 * @param submitted the environment that came with the job, after {@code --export}
 * @param het what is told of the components of a heterogeneous job, by the names after SLURM_
 */
public record JobEnvironmentFacts(
    JobIdentity identity,
    AllocatedResources shape,
    RequestedResources asked,
    @Nullable ArrayPlace array,
    @Nullable Login login,
    SequencedMap<String, String> submitted,
    SequencedMap<String, String> het) {

  /**
   * Owner and ids of the job; a null means that the job has none of it and the variable stays
   * unset.
   *
   * @param end when the time limit is over; null without a limit
   * @param restarts how often it was requeued and started again
   * @param slurmConf the configuration file in use on the node
   */
  public record JobIdentity(
      long jobId,
      String jobName,
      String cluster,
      String user,
      int uid,
      String group,
      int gid,
      @Nullable String account,
      @Nullable String qos,
      String partition,
      @Nullable String reservation,
      @Nullable String licenses,
      @Nullable String dependency,
      @Nullable String sluid,
      Instant start,
      @Nullable Instant end,
      int restarts,
      String submitDirectory,
      String submitHost,
      String slurmConf) {}

  /**
   * What was allocated.
   *
   * @param nodeList the whole allocation as a compressed hostlist
   * @param cpusPerNode for each node in the order of the list
   * @param tasksPerNode likewise
   * @param node this node's name
   * @param nodeIndex this node's place in the list, from 0
   * @param cpusOnNode CPUs of the job on this node
   * @param topologyAddress switches and node, joined by points; without a topology the node's name
   * @param topologyPattern the kinds of these, likewise
   * @param gpus global indices of the job's GPUs on this node
   * @param visible what drivers call these, as variables list them
   * @param oversubscribe the value of SLURM_JOB_OVERSUBSCRIBE, or null
   * @param exclusive the value of SLURM_JOB_EXCLUSIVE, or null
   * @param shards parts of a GPU held on this node, or null
   * @param mpsPercent the part of a GPU's threads held on this node, or null
   */
  public record AllocatedResources(
      String nodeList,
      List<Integer> cpusPerNode,
      List<Integer> tasksPerNode,
      String node,
      int nodeIndex,
      int cpusOnNode,
      String topologyAddress,
      String topologyPattern,
      List<Integer> gpus,
      String visible,
      @Nullable String oversubscribe,
      @Nullable String exclusive,
      @Nullable Long shards,
      @Nullable Long mpsPercent) {
    public AllocatedResources {
      cpusPerNode = List.copyOf(cpusPerNode);
      tasksPerNode = List.copyOf(tasksPerNode);
      gpus = List.copyOf(gpus);
    }
  }

  /**
   * What the user asked for; null where nothing was. Memory is in MiB.
   *
   * @param tasks set if {@code -n} or any {@code --ntasks-per-*} was given
   * @param others further variables that are set only if asked, under the names after {@code
   *     SLURM_}: GPUS, GPUS_PER_NODE, HINT, DISTRIBUTION, ...
   */
  public record RequestedResources(
      @Nullable Integer tasks,
      @Nullable Integer tasksPerNode,
      @Nullable Integer cpusPerTask,
      @Nullable Integer threadsPerCore,
      @Nullable Long memoryPerNodeMib,
      @Nullable Long memoryPerCpuMib,
      boolean overcommit,
      SequencedMap<String, String> others) {}

  /** The job's place in its array. */
  public record ArrayPlace(
      long arrayJobId, long taskId, long taskCount, long taskMax, long taskMin, long taskStep) {}

  /**
   * The user's entry in the user database.
   *
   * @param temporary slurm.conf's TmpFS on this node
   */
  public record Login(String home, String shell, String temporary) {}
}
