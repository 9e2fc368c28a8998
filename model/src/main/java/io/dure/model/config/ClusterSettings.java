package io.dure.model.config;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.config.backfill.BackfillSettings;
import io.dure.model.config.gres.TresSettings;
import io.dure.model.config.parameters.StoredTextLimits;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.config.step.StepSettings;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings Dure acts on, with Slurm's defaults where the file says nothing.
 *
 * @param counted what is counted beyond CPUs and memory, null for nothing
 * @param preempt which jobs make room for which
 * @param power when nodes are switched off and on
 * @param programs what the controller runs and writes on its own account
 * @param rules rules that most sites leave as they are
 * @param steps how steps run on their nodes
 */
public record ClusterSettings(
    Controller controller,
    Daemon daemon,
    Jobs jobs,
    Scheduling scheduling,
    Scripts scripts,
    PrioritySettings priority,
    @Nullable TresSettings counted,
    PreemptSettings preempt,
    PowerSettings power,
    ControllerPrograms programs,
    SiteRules rules,
    StepSettings steps) {

  /** Settings; those that a journal does not have are as usual. */
  public ClusterSettings {
    priority = Objects.requireNonNullElse(priority, PrioritySettings.USUAL);
    preempt = Objects.requireNonNullElse(preempt, PreemptSettings.NONE);
    rules = Objects.requireNonNullElse(rules, SiteRules.USUAL);
    programs = Objects.requireNonNullElse(programs, ControllerPrograms.USUAL);
    steps = StepSettings.orUsual(steps);
    power = Objects.requireNonNullElse(power, PowerSettings.NONE);
  }

  /** What is counted beyond CPUs and memory. */
  public TresSettings resources() {
    return counted == null ? TresSettings.NONE : counted;
  }

  /**
   * The cluster and its controller.
   *
   * @param clusterName the cluster's name, in lower case
   * @param hosts the controller's machines, the primary first; never empty
   * @param address an address for all of them together, empty when none
   * @param port the first TCP port it listens on
   * @param portCount how many it listens on
   * @param user the user it runs as: a name or a number
   * @param stateSaveLocation the directory of its state
   * @param pidFile its pid file
   * @param logFile its log, empty for the system's log
   * @param debugLevel quiet, fatal, error, info, verbose or debug to debug5
   * @param messageTimeout how long one message may take
   * @param nodeTimeout how long a node may be silent before it is down; zero for ever
   * @param returnToService when a node that was down comes back by itself
   * @param privateData what users may not see of others, in lower case
   * @param logTimeFormat how logs write the time
   * @param ownAddressOnly whether a controller listens at no address but its line's
   * @param accountingStorage where the records of what ran are kept
   * @param storeFlags what is kept with them that others need not, in lower case; null for nothing
   */
  public record Controller(
      String clusterName,
      List<Host> hosts,
      String address,
      int port,
      int portCount,
      String user,
      String stateSaveLocation,
      String pidFile,
      String logFile,
      String debugLevel,
      Duration messageTimeout,
      Duration nodeTimeout,
      ReturnToService returnToService,
      List<String> privateData,
      List<String> logTimeFormat,
      boolean ownAddressOnly,
      @Nullable AccountingStorage accountingStorage,
      @Nullable List<String> storeFlags) {
    public Controller {
      hosts = List.copyOf(hosts);
      privateData = List.copyOf(privateData);
      logTimeFormat = List.copyOf(logTimeFormat);
      storeFlags = storeFlags == null ? null : List.copyOf(storeFlags);
    }

    /** Whether the flag of that name is among those of what is kept. */
    public boolean stores(String flag) {
      return storeFlags != null && storeFlags.contains(flag);
    }

    /** What was stored before there was a choice had a database of its own. */
    @Override
    public AccountingStorage accountingStorage() {
      return accountingStorage == null ? AccountingStorage.EMBEDDED : accountingStorage;
    }
  }

  /**
   * A machine of the controller.
   *
   * @param name its host name
   * @param address where it is reached; its name unless given
   */
  public record Host(String name, String address) {}

  /** When a node that was down comes back by itself. */
  public enum ReturnToService {
    /** Only when an administrator says so. */
    NEVER,
    /** When it was down because it did not answer. */
    AFTER_SILENCE,
    /** Whenever it registers with a valid configuration. */
    ALWAYS
  }

  /**
   * The node daemons; paths may hold {@code %n} and {@code %h}, see {@link NodeConfig#fill}.
   *
   * @param port the TCP port of a node that names none
   * @param user the user they run as
   * @param spoolDir the directory of their state and of batch scripts
   * @param pidFile their pid file
   * @param logFile their log, empty for the system's log
   * @param debugLevel as for the controller
   * @param tmpFs where a node's temporary disk is mounted
   * @param proctrackType how Slurm would follow a job's processes
   * @param taskPlugins the names after {@code task/}, in order
   * @param configOverrides whether the file is believed where a node has less than it says
   * @param unkillableStepTimeout how long a step may take to die of SIGKILL
   * @param healthCheck the health check; null when there is none
   * @param jobProcesses most processes and threads of a job on a node, at least 1; {@link
   *     Integer#MAX_VALUE} for no bound, null for its part of what the node allows
   * @param unkillableStepProgram is run where a step's processes do not die; empty for none
   * @param rebootProgram boots the node; empty for none
   * @param sockets what counts as a socket where a node says nothing of it, null for a package
   */
  public record Daemon(
      int port,
      String user,
      String spoolDir,
      String pidFile,
      String logFile,
      String debugLevel,
      String tmpFs,
      String proctrackType,
      List<String> taskPlugins,
      boolean configOverrides,
      Duration unkillableStepTimeout,
      @Nullable HealthCheck healthCheck,
      @Nullable Integer jobProcesses,
      String unkillableStepProgram,
      String rebootProgram,
      SlurmdParameters.@Nullable SocketKind sockets) {
    public Daemon {
      unkillableStepProgram = Objects.requireNonNullElse(unkillableStepProgram, "");
      rebootProgram = Objects.requireNonNullElse(rebootProgram, "");
      taskPlugins = List.copyOf(taskPlugins);
    }
  }

  /**
   * A program that nodes run now and then.
   *
   * @param program its path
   * @param interval how often; never zero
   * @param timeout how long it may take
   * @param nodeStates where it runs: ANY, ALLOC, IDLE, MIXED, NONDRAINED_IDLE, CYCLE, START_ONLY or
   *     REBOOT_ONLY
   */
  public record HealthCheck(
      String program, Duration interval, Duration timeout, List<String> nodeStates) {
    public HealthCheck {
      nodeStates = List.copyOf(nodeStates);
    }
  }

  /**
   * What holds for all jobs.
   *
   * @param firstJobId the first job id given
   * @param maxJobId the id after which counting starts anew
   * @param maxJobCount the most jobs the controller keeps at a time
   * @param maxArraySize one more than the largest array index
   * @param maxTasksPerNode the most tasks of a step on one node
   * @param minJobAge how long an ended job is kept; zero to keep it for ever
   * @param killWait from SIGTERM to SIGKILL
   * @param completeWait how long ending jobs hold back others
   * @param batchStartTimeout how long a batch launch may take
   * @param overTimeLimit how long a job may exceed its limit; null for ever
   * @param requeue whether batch jobs may be requeued unless they say otherwise
   * @param maxBatchRequeue how often a failed launch is tried again
   * @param requeueExit exit codes after which a job is requeued
   * @param requeueExitHold exit codes after which it is requeued and held
   * @param appendOutput whether output files are appended to unless a job says otherwise
   * @param disableRootJobs whether root may not run jobs
   * @param propagatedLimits the resource limits a job takes along, as in getrlimit without RLIMIT_
   * @param killInvalidDependency whether a job whose dependency cannot be met is cancelled
   * @param maxDependencyDepth how far circles of dependencies are looked for
   * @param enforcePartLimits what a job outside its partition's limits meets
   * @param defaultMemory memory of a job that asks for none; null for the whole node's
   * @param maxMemory the most memory a job may have; null for no bound
   */
  public record Jobs(
      long firstJobId,
      long maxJobId,
      int maxJobCount,
      int maxArraySize,
      int maxTasksPerNode,
      Duration minJobAge,
      Duration killWait,
      Duration completeWait,
      Duration batchStartTimeout,
      @Nullable Duration overTimeLimit,
      boolean requeue,
      int maxBatchRequeue,
      List<Integer> requeueExit,
      List<Integer> requeueExitHold,
      boolean appendOutput,
      boolean disableRootJobs,
      List<String> propagatedLimits,
      boolean killInvalidDependency,
      int maxDependencyDepth,
      EnforcePartLimits enforcePartLimits,
      @Nullable MemoryLimit defaultMemory,
      @Nullable MemoryLimit maxMemory) {
    public Jobs {
      requeueExit = List.copyOf(requeueExit);
      requeueExitHold = List.copyOf(requeueExitHold);
      propagatedLimits = List.copyOf(propagatedLimits);
    }
  }

  /** What a job outside its partition's limits meets. */
  public enum EnforcePartLimits {
    /** It waits. */
    NO,
    /** It is refused unless one of its partitions takes it. */
    ANY,
    /** It is refused unless all of its partitions take it. */
    ALL
  }

  /**
   * How jobs are ordered and placed.
   *
   * @param unit what is given to jobs
   * @param memoryConsumable whether memory is given to jobs too
   * @param backfill whether later jobs may start ahead of earlier ones that they do not delay
   * @param multifactor whether priority has several factors, or is the order of submission
   * @param defaultQueueDepth how many jobs an ordinary scheduling pass looks at
   * @param maxArrayTasks the most tasks of one array; never above {@code MaxArraySize}
   * @param requeueDelay how long a requeued job waits; in Slurm until its credential is void
   * @param parameters all of {@code SchedulerParameters}; an option without value maps to ""
   * @param maxScriptBytes longest batch script
   * @param backfills how far starts are promised to jobs that wait
   * @param maxSwitchWait how long jobs wait at most for few switches
   * @param policy the numbers of Dure's own order, null for Slurm's order
   * @param leastLoaded whether jobs get the nodes of which most is free
   * @param packsNodes whether steps that do not say it fill a node before the next
   */
  public record Scheduling(
      Unit unit,
      boolean memoryConsumable,
      boolean backfill,
      boolean multifactor,
      int defaultQueueDepth,
      int maxArrayTasks,
      Duration requeueDelay,
      Map<String, String> parameters,
      int maxScriptBytes,
      Duration reservationOverRun,
      BackfillSettings backfills,
      Duration maxSwitchWait,
      @Nullable PolicySettings policy,
      boolean leastLoaded,
      boolean packsNodes) {
    public Scheduling {
      // Journals of before these were settings lack them.
      backfills = Objects.requireNonNullElse(backfills, BackfillSettings.USUAL);
      maxSwitchWait = Objects.requireNonNullElse(maxSwitchWait, Duration.ofMinutes(5));
      // Journals of before there were reservations lack it.
      reservationOverRun = Objects.requireNonNullElse(reservationOverRun, Duration.ZERO);
      parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** How much text jobs may bring. */
    public StoredTextLimits textLimits() {
      return StoredTextLimits.of(parameters);
    }

    /**
     * Whether jobs with GPUs get the node where they do the least harm to the jobs to come: {@code
     * gpu_placement=dure}; where nothing is said of it, with {@code policy=dure}.
     */
    public boolean ownGpuPlacement() {
      return "dure".equals(parameters.getOrDefault("gpu_placement", parameters.get("policy")));
    }
  }

  /** What is given to jobs. */
  public enum Unit {
    /** Single CPUs, even of one core. */
    CPU,
    /** Whole cores. */
    CORE,
    /** Whole sockets. */
    SOCKET,
    /** Whole nodes. */
    NODE
  }

  /**
   * Programs that run around jobs.
   *
   * @param prolog before a job's first step on a node, as root
   * @param epilog after a job's last step on a node, as root
   * @param prologSlurmctld at the controller, before a job's launch
   * @param epilogSlurmctld at the controller, after a job's end
   * @param taskProlog before each task, as the user; empty when none
   * @param taskEpilog after each task, as the user; empty when none
   * @param prologFlags the names of {@code PrologFlags} in lower case
   * @param prologTimeout how long a prolog may take; null for ever
   * @param epilogTimeout how long an epilog may take; null for ever
   */
  public record Scripts(
      List<String> prolog,
      List<String> epilog,
      List<String> prologSlurmctld,
      List<String> epilogSlurmctld,
      String taskProlog,
      String taskEpilog,
      List<String> prologFlags,
      @Nullable Duration prologTimeout,
      @Nullable Duration epilogTimeout) {
    public Scripts {
      prolog = List.copyOf(prolog);
      epilog = List.copyOf(epilog);
      prologSlurmctld = List.copyOf(prologSlurmctld);
      epilogSlurmctld = List.copyOf(epilogSlurmctld);
      prologFlags = List.copyOf(prologFlags);
    }
  }
}
