package io.dure.protocol;

import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.Reply;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.config.step.SrunDefaults;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.model.gres.License;
import io.dure.model.job.Job;
import io.dure.model.report.ClusterHoldings;
import io.dure.model.report.GpuFragmentationReport;
import io.dure.model.report.JobExplanation;
import io.dure.model.report.PriorityFactors;
import io.dure.model.step.LaunchedStep;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedText;
import io.dure.protocol.accounting.UsageReport;
import io.dure.protocol.slurmdbd.BookKeeper;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the controller answers. */
public sealed interface Response {

  /** The decision on a {@link Request.Change}; sent only once it is durable. */
  record Decided(Reply reply) implements Response {
    static final String TAG = "Decided";
  }

  /** An answer, and lines that a script of the site has for the user's terminal. */
  record Advised(Response answer, List<String> messages) implements Response {
    static final String TAG = "Advised";
  }

  /**
   * The request cannot be served.
   *
   * @param code Slurm's code and text
   * @param detail a line more for people, may be empty
   * @param mayBeDone whether it may be done in spite of this, as another controller leads now
   */
  record Failed(ErrorCode code, String detail, boolean mayBeDone) implements Response {
    static final String TAG = "Failed";

    /** A request that was not carried out. */
    public Failed(ErrorCode code, String detail) {
      this(code, detail, false);
    }
  }

  /** Jobs, the controller's time, and how many others are left, to be asked for. */
  record Jobs(List<JobInfo> jobs, Instant now, int left) implements Response {
    static final String TAG = "Jobs";

    /** All that there are. */
    public Jobs(List<JobInfo> jobs, Instant now) {
      this(jobs, now, 0);
    }
  }

  /**
   * How the jobs differ from those of the last such answer on the connection.
   *
   * @param whole whether these are all jobs, and what was known before is void
   * @param changed jobs that are new or look different; {@code lastEvaluated} of a pending job only
   *     says whether the scheduler has looked at it
   * @param gone ids of jobs that are forgotten
   * @param evaluated when the scheduler last looked at the pending jobs
   * @param left how many jobs differ beside these: the next answer goes on with them
   */
  record JobChanges(
      boolean whole,
      List<JobInfo> changed,
      List<Integer> gone,
      Instant evaluated,
      Instant now,
      int left)
      implements Response {
    static final String TAG = "JobChanges";
  }

  /**
   * That listings may have changed: another version whenever they may have, also after a restart of
   * the controller; of two nothing but whether they are equal means something.
   */
  record JobsVersion(long version) implements Response {
    static final String TAG = "JobsVersion";
  }

  /**
   * Which jobs a caller sees: those of partitions that are not listed only when asking for all.
   *
   * @param onlyOwn whether he sees no others than his own, and than those of these accounts
   */
  record Visible(boolean onlyOwn, List<String> unlisted, List<String> accounts)
      implements Response {
    static final String TAG = "Visible";
  }

  /**
   * The machine as a whole.
   *
   * @param nodes in the order of the configuration
   * @param partitions in the order of the configuration
   * @param now the controller's time
   * @param unlisted names of the partitions that the caller sees only when asking for all
   * @param denied of {@code nodes} and {@code partitions} those that the caller may not see
   *     (PrivateData): nodes then have no state, partitions are none
   * @param licenses licences of the cluster
   * @param licensesInUse licences that running jobs hold
   * @param preemptMode what becomes of jobs that make room where their partition says nothing
   * @param licensesReserved licences that reservations keep now
   * @param gang whether jobs that share cores take turns
   * @param gresTypes names of the generic resources that the cluster gives out
   */
  @RecordBuilder
  record Cluster(
      String clusterName,
      List<NodeInfo> nodes,
      List<PartitionConfig> partitions,
      Instant now,
      List<String> unlisted,
      List<String> denied,
      List<License> licenses,
      List<License> licensesInUse,
      PreemptMode preemptMode,
      List<License> licensesReserved,
      boolean gang,
      List<String> gresTypes)
      implements Response, ResponseClusterBuilder.With {
    static final String TAG = "Cluster";

    /** The answer of a controller that did not tell of preemption has none. */
    public Cluster {
      preemptMode = Objects.requireNonNullElse(preemptMode, PreemptMode.OFF);
      licensesReserved = Objects.requireNonNullElse(licensesReserved, List.of());
      gresTypes = Objects.requireNonNullElse(gresTypes, List.of());
    }

    /** Without what drivers tell of each GPU, which few ask for. */
    public Cluster withoutGpus() {
      return withNodes(nodes.stream().map(NodeInfo::withoutGpus).toList());
    }

    /** The word for nodes that the caller may not see. */
    public static final String NODES = "nodes";

    /** The word for partitions that the caller may not see. */
    public static final String PARTITIONS = "partitions";

    /** A machine of which the caller may see everything. */
    public Cluster(
        String clusterName,
        List<NodeInfo> nodes,
        List<PartitionConfig> partitions,
        Instant now,
        List<String> unlisted) {
      this(
          clusterName,
          nodes,
          partitions,
          now,
          unlisted,
          List.of(),
          List.of(),
          List.of(),
          PreemptMode.OFF,
          List.of(),
          false,
          List.of());
    }
  }

  /**
   * Files of the configuration: names below the directory of slurm.conf, which is the first, and
   * texts in ISO 8859-1, a character for each byte.
   */
  record ConfigFiles(List<ConfigFile> files) implements Response {
    static final String TAG = "ConfigFiles";
  }

  /** A file of the configuration. */
  record ConfigFile(String name, String text) {}

  /** Lines of text. */
  record Text(List<String> lines) implements Response {
    static final String TAG = "Text";
  }

  /** Lines of what was done, and of what was not. */
  record Partly(List<String> lines, List<String> failures) implements Response {
    static final String TAG = "Partly";
  }

  /** Where a job would start that would have had this number. */
  record WouldStart(Instant start, int cpus, List<String> nodes, String partition, int jobId)
      implements Response {
    static final String TAG = "WouldStart";
  }

  /** The controller is there, on {@code hostName}; {@code caller} is whom it knows, if it says. */
  record Pong(String hostName, String version, @Nullable UserIdentity caller) implements Response {
    static final String TAG = "Pong";
  }

  /** A job is over: the highest exit status of its tasks. */
  record Ended(ExitStatus exit) implements Response {
    static final String TAG = "Ended";
  }

  /**
   * A job that has its resources, or is over.
   *
   * @param job without texts
   * @param clusterName of its cluster
   * @param interactive options of the {@code srun} that begins its shell, null where it runs beside
   *     {@code salloc}
   */
  record StartedJob(Job job, String clusterName, @Nullable String interactive) implements Response {
    static final String TAG = "StartedJob";
  }

  /**
   * What it takes to launch a step.
   *
   * @param credential a {@link StepCredential} in bytes, as it was signed
   * @param signature the controller's signature of it
   * @param step the step, as in the credential
   * @param nodes where its nodes are, in the order of the step's
   * @param killWaitSeconds from SIGTERM to SIGKILL, where it has to be ended
   * @param treeWidth to how many other nodes each passes on what is for all
   * @param srun what holds where the call says nothing; null from controllers that do not tell
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  record StepLaunch(
      byte[] credential,
      byte[] signature,
      LaunchedStep step,
      List<StepNode> nodes,
      int killWaitSeconds,
      int treeWidth,
      @Nullable SrunDefaults srun)
      implements Response {
    static final String TAG = "StepLaunch";

    /** What holds where the call says nothing. */
    public SrunDefaults defaults() {
      return srun == null ? SrunDefaults.USUAL : srun;
    }
  }

  /**
   * Where a node of a step is.
   *
   * @param name the node
   * @param bootId the kernel's boot id there, empty where the node is not known to run
   * @param socket path of the socket, on that machine, at which its daemon takes steps
   * @param address where its daemon is reached from other machines
   * @param port the daemon's port
   */
  record StepNode(String name, String bootId, String socket, String address, int port) {}

  /**
   * What it takes to write and read files on nodes.
   *
   * @param credential a {@link io.dure.protocol.step.FileCredential} in bytes
   * @param signature the controller's
   * @param nodes the nodes
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  record FileGrant(byte[] credential, byte[] signature, List<StepNode> nodes) implements Response {
    static final String TAG = "FileGrant";
  }

  /** Where nodes are, in the order of the configuration; those that do not exist are left out. */
  record NodePlaces(List<StepNode> nodes) implements Response {
    static final String TAG = "NodePlaces";
  }

  /** A step that waits for room; it asks for tasks, 0 for one on each node, from that process. */
  record WaitingStep(int jobId, int tasks, String host, int processId) {}

  /** The steps that wait for room in their jobs, each job's in their order. */
  record WaitingSteps(List<WaitingStep> steps) implements Response {
    static final String TAG = "WaitingSteps";
  }

  /**
   * It has not happened yet: ask again. So callers that are gone are noticed.
   *
   * @param reason why a job that has no resources waits, null where that is not known or not asked
   */
  record StillWaiting(@Nullable String reason) implements Response {
    static final String TAG = "StillWaiting";
  }

  /**
   * The controllers, as one of them sees them.
   *
   * @param trouble what keeps them or that one from working, null if nothing does
   */
  record Replicas(List<Replica> replicas, @Nullable String trouble) implements Response {
    static final String TAG = "Replicas";
  }

  /**
   * One controller, by its {@code SlurmctldHost}.
   *
   * @param role such as {@code LEADER}, {@code FOLLOWER}, {@code LEARNER}, {@code UNKNOWN}
   * @param term number of the leadership that it is in, 0 where it is not known
   * @param voting whether it counts for a majority
   * @param lag batches of records that it lacks, -1 where it is not known
   * @param silentSeconds for how long the one that says this heard nothing; 0 for a usual time
   */
  record Replica(
      String host, String role, long term, boolean voting, long lag, long silentSeconds) {}

  /**
   * Accounts, users, associations and QOS.
   *
   * @param accounts the tree
   * @param operator whether the caller is root or SlurmUser
   * @param clusters those of all clusters of the slurmdbd that keeps them, empty without one
   */
  record Accounts(
      String clusterName,
      String host,
      int port,
      AccountingRecords accounts,
      String userName,
      boolean operator,
      List<ClusterAccounts> clusters)
      implements Response {
    static final String TAG = "Accounts";
  }

  /**
   * Shares and usage.
   *
   * @param rows the tree from the root account down
   * @param fairTree whether they are ranks, or classic fair share
   */
  record Shares(String clusterName, List<Share> rows, boolean fairTree, String userName)
      implements Response {
    static final String TAG = "Shares";
  }

  /**
   * Share and usage of one place of the tree.
   *
   * @param association the place
   * @param depth how deep it stands, from 0
   * @param normShares its part of its siblings' shares
   * @param rawUsage what was used, faded
   * @param normUsage its part of all usage
   * @param effectiveUsage the usage that is held against it
   * @param level shares over usage among its siblings
   * @param factor the factor in the priority of jobs
   * @param runMinutes what running jobs may still use, in minutes
   * @param usedMinutes what was used of each resource, in minutes
   */
  record Share(
      Association association,
      int depth,
      double normShares,
      double rawUsage,
      double normUsage,
      double effectiveUsage,
      double level,
      double factor,
      TresAmounts runMinutes,
      TresAmounts usedMinutes) {}

  /**
   * What the priority of pending jobs is made of.
   *
   * @param multifactor whether it is made of factors, or is the order of submission
   * @param settings what each factor weighs
   * @param rows one for each job and partition
   */
  record Priorities(boolean multifactor, PrioritySettings settings, List<JobPriority> rows)
      implements Response {
    static final String TAG = "Priorities";
  }

  /**
   * The priority of one job in one partition.
   *
   * @param jobId the job
   * @param userName its owner
   * @param account its account, empty for none
   * @param qosName its QOS, empty for none
   * @param partition the partition
   * @param factors what it is made of
   */
  record JobPriority(
      int jobId,
      String userName,
      String account,
      String qosName,
      String partition,
      PriorityFactors factors) {}

  /**
   * Reservations.
   *
   * @param reservations the first made first; those whose times float as they are now
   * @param now the controller's time
   */
  record Reservations(List<ReservationInfo> reservations, Instant now) implements Response {
    static final String TAG = "Reservations";
  }

  /** What the controller has counted. */
  record Statistics(StatisticsInfo counted) implements Response {
    static final String TAG = "Statistics";
  }

  /** How switches or blocks join the nodes; null where that is not known. */
  record NodeTopology(@Nullable Topology topology, @Nullable List<NamedTopology> topologies)
      implements Response {
    static final String TAG = "NodeTopology";
  }

  /** The GPUs of a cluster, and of what use they are. */
  record Fragments(String clusterName, GpuFragmentationReport report, Instant now)
      implements Response {
    static final String TAG = "Fragments";
  }

  /** Who holds how much of a cluster, or of the partition that was asked for. */
  record Holders(String clusterName, ClusterHoldings holdings, Instant now) implements Response {
    static final String TAG = "Holders";
  }

  /** Why a job waits, and what is to be said of it. */
  record Explained(JobExplanation explanation) implements Response {
    static final String TAG = "Explained";
  }

  /**
   * How well forecasts of starts have held: by how long a wait was told, the shortest first, and
   * all together, null where none has come to an end. Run times are expected by {@code runs} runs.
   */
  record ForecastAccuracy(
      String clusterName,
      List<AccuracyRow> rows,
      @Nullable AccuracyRow all,
      long runs,
      boolean made,
      Instant now)
      implements Response {
    static final String TAG = "ForecastAccuracy";
  }

  /**
   * Recorded attempts of jobs, by job id and attempt; the next page begins behind {@code last},
   * null for none; {@code texts} are those that were asked for and are kept.
   */
  record JobHistory(
      String clusterName,
      List<RecordedJob> jobs,
      @Nullable AttemptId last,
      List<String> trackedTres,
      @Nullable List<RecordedText> texts)
      implements Response {
    static final String TAG = "JobHistory";
  }

  /** What was used; the parts that were asked for. */
  record Usage(UsageReport report) implements Response {
    static final String TAG = "Usage";
  }

  /** Lines of the cluster's history. */
  record RecordedHistory(ClusterHistory history) implements Response {
    static final String TAG = "RecordedHistory";
  }

  /** The daemons that keep the books, the first one first; none where the controller does. */
  record BookKeepers(List<BookKeeper> daemons) implements Response {
    static final String TAG = "BookKeepers";
  }
}
