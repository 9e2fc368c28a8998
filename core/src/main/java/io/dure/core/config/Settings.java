package io.dure.core.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of slurm.conf that Dure acts on, typed.
 *
 * @param clusterName ClusterName
 * @param controllers SlurmctldHost lines in order
 * @param controllerPort SlurmctldPort
 * @param slurmUser SlurmUser
 * @param paths files and directories
 * @param timers durations
 * @param jobs limits and defaults of jobs
 * @param selection how nodes are shared
 * @param programs prolog, epilog and the like
 * @param debug SlurmctldDebug and SlurmdDebug
 * @param returnToService ReturnToService, 0 to 2
 * @param enforcePartLimits EnforcePartLimits other than NO
 * @param privateData PrivateData words, lower case
 */
public record Settings(
    String clusterName,
    List<Controller> controllers,
    int controllerPort,
    String slurmUser,
    Paths paths,
    Timers timers,
    Jobs jobs,
    Selection selection,
    Programs programs,
    Debug debug,
    int returnToService,
    boolean enforcePartLimits,
    List<String> privateData) {

  /** A SlurmctldHost line: name and the address to reach it. */
  public record Controller(String hostName, String address) {}

  /**
   * Files and directories; in those of node daemons {@code %n} is the node's name and {@code %h}
   * its host's.
   */
  public record Paths(
      String stateSaveLocation,
      String slurmdSpoolDir,
      String slurmctldPidFile,
      String slurmdPidFile,
      @Nullable String slurmctldLogFile,
      @Nullable String slurmdLogFile,
      String tmpFs) {}

  /** Durations; {@code minJobAge} zero means that finished jobs are kept. */
  public record Timers(
      Duration minJobAge,
      Duration killWait,
      Duration slurmdTimeout,
      Duration messageTimeout,
      Duration batchStartTimeout,
      Duration overTimeLimit,
      Duration completeWait,
      Duration requeueDelay) {}

  /** Limits and defaults of jobs. */
  public record Jobs(
      int firstJobId,
      int maxJobId,
      int maxJobCount,
      int maxArraySize,
      boolean requeue,
      int maxBatchRequeue,
      boolean fileAppend,
      boolean disableRootJobs,
      boolean killInvalidDependency,
      List<Integer> requeueExit,
      List<Integer> requeueExitHold) {}

  /**
   * How nodes are shared.
   *
   * @param wholeNodes select/linear: a job takes whole nodes
   * @param byCore cores are the unit, else single CPUs (threads)
   * @param memory memory is a consumable resource
   * @param memoryLimits cluster-wide default and largest memory
   * @param queueDepth default_queue_depth: jobs tried in one pass
   */
  public record Selection(
      boolean wholeNodes,
      boolean byCore,
      boolean memory,
      MemoryLimits memoryLimits,
      int queueDepth) {}

  /** Programs to run, null where not set; several prologs or epilogs run in order. */
  public record Programs(
      List<String> prolog,
      List<String> epilog,
      @Nullable String prologSlurmctld,
      @Nullable String epilogSlurmctld,
      @Nullable String taskProlog,
      @Nullable String taskEpilog,
      @Nullable String healthCheck,
      Duration healthCheckInterval,
      List<String> healthCheckNodeState,
      List<String> prologFlags,
      Duration prologTimeout,
      Duration epilogTimeout,
      List<String> propagateResourceLimits,
      List<String> propagateResourceLimitsExcept) {}

  /** Log levels by Slurm's names. */
  public record Debug(String slurmctld, String slurmd, String logTimeFormat) {}
}
