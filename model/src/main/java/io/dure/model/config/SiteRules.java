package io.dure.model.config;

import io.dure.model.config.parameters.HttpAddress;
import io.dure.model.config.parameters.JwtSettings;
import io.dure.model.config.parameters.MetricsSettings;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules of a site that most sites leave as they are.
 *
 * @param maxNodes most nodes that there may be once some are added while running; 0 for no bound
 * @param maxNodeFailRequeue how often a job goes back for a lost node, null as for other causes
 * @param maxPreemptRequeue how often a job goes back to make room, null for always
 * @param allPartitions whether a job that names no partition asks for all of them
 * @param requiresTimeLimit whether a job has to name a time limit
 * @param serialPrologs whether prologs and epilogs of a node run one after the other
 * @param requeueOnPrologFailure whether a job goes back for a failed prolog whatever it asked for
 * @param nodeMemoryPercent how much of the memory that is configured a node must have
 * @param maxPoweredNodes most nodes that are on where nodes are switched off, 0 for no bound
 * @param goodOnSuspend whether nothing is held any more against a node that is switched off
 * @param usersDeleteReservations whether who may run in a reservation may delete it
 * @param requestRate requests a second and at once that a user may send, null for the usual bound
 * @param keptPartitions what of partitions a new configuration leaves as it was changed
 * @param topologyOptional whether only jobs that ask for switches are placed by the network
 * @param addressSpacePercent a job's address space in relation to its memory, 0 for no bound
 * @param groupUpdate how long it is remembered who is in which group; null for no longer than usual
 * @param controllerSyslog what the controller tells the system's log, null for nothing
 * @param nodeSyslog what node daemons tell it, null for nothing
 * @param schedulerLog where the scheduler writes what it starts, empty for nowhere
 * @param debugFlags of which parts of the daemons the logs tell more, as typed
 * @param groupsByFile whether groups are read anew only when their file has changed
 * @param connectTimeout how long a TCP connection may take to stand, null for 2 s
 * @param unreachableRetries how often a connection is tried again where no route leads
 * @param energySampling how often the power of nodes is looked at, zero for never; null where what
 *     they take is not gathered
 * @param configless whether nodes may fetch the files of the configuration
 * @param luaSubmission whether job_submit.lua judges submissions and changes of jobs
 * @param luaFilter whether cli_filter.lua judges the options of sbatch, srun and salloc
 * @param scrontab whether users may have crontabs
 * @param tokens how tokens of {@code auth/jwt} are checked and made, null where there are none
 * @param http where the controller listens for HTTP, null for nowhere
 * @param metrics who may read metrics there, null where there are none
 */
@RecordBuilder
public record SiteRules(
    int maxNodes,
    @Nullable Integer maxNodeFailRequeue,
    @Nullable Integer maxPreemptRequeue,
    boolean allPartitions,
    boolean requiresTimeLimit,
    boolean serialPrologs,
    boolean requeueOnPrologFailure,
    int nodeMemoryPercent,
    int maxPoweredNodes,
    boolean goodOnSuspend,
    boolean usersDeleteReservations,
    @Nullable RequestRate requestRate,
    KeptPartitions keptPartitions,
    boolean topologyOptional,
    int addressSpacePercent,
    @Nullable Duration groupUpdate,
    @Nullable String controllerSyslog,
    @Nullable String nodeSyslog,
    String schedulerLog,
    List<String> debugFlags,
    boolean groupsByFile,
    @Nullable Duration connectTimeout,
    int unreachableRetries,
    @Nullable Duration energySampling,
    boolean configless,
    boolean luaSubmission,
    boolean luaFilter,
    Scrontab scrontab,
    @Nullable JwtSettings tokens,
    @Nullable HttpAddress http,
    @Nullable MetricsSettings metrics)
    implements SiteRulesBuilder.With {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /** With no word in the file. */
  public static final SiteRules USUAL =
      new SiteRules(
          0,
          null,
          null,
          false,
          false,
          false,
          false,
          100,
          0,
          false,
          false,
          null,
          KeptPartitions.NOTHING,
          false,
          0,
          null,
          null,
          null,
          "",
          List.of(),
          false,
          null,
          0,
          null,
          false,
          false,
          false,
          Scrontab.OFF,
          null,
          null,
          null);

  /** Rules; what a journal does not have is as usual. */
  public SiteRules {
    debugFlags = debugFlags == null ? List.of() : List.copyOf(debugFlags);
    scrontab = scrontab == null ? Scrontab.OFF : scrontab;
  }

  /** How long a TCP connection may take to stand. */
  public Duration connecting() {
    return connectTimeout == null ? CONNECT_TIMEOUT : connectTimeout;
  }

  /** Requests that a user may send. */
  public record RequestRate(double perSecond, int atOnce) {}

  /** Crontabs of users. */
  public enum Scrontab {
    OFF,
    ON,
    /** And a job of one is cancelled only if the user says so ({@code scancel --cron}). */
    EXPLICIT_CANCEL
  }

  /** What of partitions a new configuration leaves as it was changed. */
  public enum KeptPartitions {
    NOTHING,
    STATES,
    ALL
  }

  /** Of which words of {@code SlurmctldParameters} something comes. */
  public static final List<String> PARAMETERS =
      List.of(
          HttpAddress.PARAMETER,
          "enable_configless",
          "idle_on_node_suspend",
          "max_powered_nodes",
          "node_reg_mem_percent",
          "rl_bucket_size",
          "rl_enable",
          "rl_refill_period",
          "rl_refill_rate",
          "user_resv_delete");
}
