package io.dure.protocol;

import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.model.step.StepSpec;
import io.dure.protocol.accounting.ArchiveOrder;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.slurmdbd.ClusterChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command asks the controller: one frame, answered by one {@link Response} before the next.
 */
public sealed interface Request {

  /**
   * First frame of a connection that is not a unix socket: proves who is calling.
   *
   * @param token signed with the cluster key, or a token of {@code auth/jwt}
   * @param version Dure's version of the caller
   * @param user whose requests an operator's token of {@code auth/jwt} is for, null for its own
   */
  record Greeting(String token, String version, @Nullable String user) implements Request {
    static final String TAG = "Greeting";
  }

  /**
   * Change something.
   *
   * @param command what
   * @param runAs user name or number to act as, for root and SlurmUser, and behind a colon the
   *     group of a job ({@code USER:GROUP}, {@code :GROUP} for oneself in it); null for oneself
   * @param requestId names the change, so that it is done once though it is asked for again, as
   *     {@link Command.Named} says; null for one that is not asked again, and for a submission,
   *     whose command has a name of its own
   */
  record Change(Command.UserCommand command, @Nullable String runAs, @Nullable String requestId)
      implements Request {
    static final String TAG = "Change";

    /** A change without a name, or a submission. */
    public Change(Command.UserCommand command, @Nullable String runAs) {
      this(command, runAs, null);
    }

    private boolean isNamed() {
      return requestId != null
          || (command instanceof Command.SubmitJob job && job.requestId() != null)
          || (command instanceof Command.SubmitHetJob het && het.requestId() != null);
    }
  }

  /** Would this job be accepted, and when would it start? */
  record TestSubmit(JobSpec spec, Workload workload, @Nullable String runAs) implements Request {
    static final String TAG = "TestSubmit";
  }

  /** Would this heterogeneous job be accepted, and when would all of it start? */
  record TestHetSubmit(Command.SubmitHetJob job, @Nullable String runAs) implements Request {
    static final String TAG = "TestHetSubmit";
  }

  /**
   * Jobs with all that is shown of them.
   *
   * @param jobIds only these jobs and arrays, empty for all
   * @param userName only this owner's, null for all
   * @param includeEnded false for pending, running and completing ones only
   * @param most jobs that one answer has room for, 0 for any number; the others come by {@link
   *     MoreJobs}
   * @param criteria which of these, null for all
   */
  record ListJobs(
      List<Integer> jobIds,
      @Nullable String userName,
      boolean includeEnded,
      int most,
      @Nullable JobCriteria criteria)
      implements Request {
    static final String TAG = "ListJobs";

    /** In one answer. */
    public ListJobs(List<Integer> jobIds, @Nullable String userName, boolean includeEnded) {
      this(jobIds, userName, includeEnded, 0, null);
    }

    /** The same in parts. */
    public ListJobs inParts(int most) {
      return new ListJobs(jobIds, userName, includeEnded, most, criteria);
    }
  }

  /**
   * The next jobs of the listing that this connection asked for last.
   *
   * @param most jobs that one answer has room for, 0 for any number
   */
  record MoreJobs(int most) implements Request {
    static final String TAG = "MoreJobs";
  }

  /**
   * All jobs, for operators who keep them: those that differ from what this connection was told
   * last.
   *
   * @param most jobs that one answer has room for, 0 for any number
   */
  record ChangedJobs(int most) implements Request {
    static final String TAG = "ChangedJobs";
  }

  /**
   * Answer once the jobs, or what the scheduler says of them, are others than the caller has seen.
   *
   * @param seen the version that the last answer to this told, 0 before the first: then the answer
   *     comes at once
   * @param longestMillis how long to wait before saying that nothing changed; beyond 20,000 it
   *     means that
   */
  record AwaitJobs(long seen, int longestMillis) implements Request {
    static final String TAG = "AwaitJobs";
  }

  /** Which jobs the caller may see. */
  record Visibility() implements Request {
    static final String TAG = "Visibility";
  }

  /**
   * Nodes and partitions.
   *
   * @param criteria which of the nodes, null for all
   * @param gpus whether with what drivers tell of each GPU, of which there is much
   */
  record ShowCluster(@Nullable NodeCriteria criteria, boolean gpus) implements Request {
    static final String TAG = "ShowCluster";

    /** With all nodes. */
    public ShowCluster() {
      this(null, false);
    }
  }

  /** The lines of {@code scontrol show config}. */
  record ShowConfig() implements Request {
    static final String TAG = "ShowConfig";
  }

  /** The files of the configuration in force. */
  record FetchConfig() implements Request {
    static final String TAG = "FetchConfig";
  }

  /** Is somebody there? */
  record Ping() implements Request {
    static final String TAG = "Ping";
  }

  /** The script of a job, for its owner and operators. */
  record BatchScript(int jobId) implements Request {
    static final String TAG = "BatchScript";
  }

  /** Answer once the job, or every task of the array, is over. */
  record WaitJob(int jobId) implements Request {
    static final String TAG = "WaitJob";
  }

  /**
   * Submits a job that the caller waits for, and waits a little: {@link Response.StartedJob} if it
   * has begun by then, or else the answer to the submission.
   *
   * @param submission a named submission of one job
   * @param longestMillis how long to wait for its start
   */
  record Allocate(Change submission, int longestMillis) implements Request {
    static final String TAG = "Allocate";
  }

  /**
   * Answer once the job has its resources, and PrologSlurmctld is over, or once it is over.
   *
   * @param longestMillis how long to wait for that, at most {@link WireCodecs#LONGEST_WAIT}
   */
  record AwaitStart(int jobId, int longestMillis) implements Request {
    static final String TAG = "AwaitStart";
  }

  /**
   * Answer once a step like this one could begin, or never can.
   *
   * @param longestMillis how long to wait for that, at most {@link WireCodecs#LONGEST_WAIT}
   */
  record AwaitStepRoom(int jobId, StepSpec spec, int longestMillis) implements Request {
    static final String TAG = "AwaitStepRoom";
  }

  /**
   * The steps that wait for room in their jobs.
   *
   * @param jobIds of these jobs; of all where none is named
   */
  record ShowWaitingSteps(List<Integer> jobIds) implements Request {
    static final String TAG = "ShowWaitingSteps";
  }

  /** Where a step's nodes are, and the credential to launch it there; for its owner. */
  record LaunchStep(int jobId, int step) implements Request {
    static final String TAG = "LaunchStep";
  }

  /**
   * Asks for what it takes to write and read files on the nodes of a job.
   *
   * @param step on those of this step alone, null for all
   */
  record GrantFiles(int jobId, @Nullable Integer step) implements Request {
    static final String TAG = "GrantFiles";
  }

  /** Where nodes can be asked about steps: those named, or all. */
  record LocateNodes(List<String> names) implements Request {
    static final String TAG = "LocateNodes";
  }

  /** Read the configuration again. */
  record Reconfigure() implements Request {
    static final String TAG = "Reconfigure";
  }

  /**
   * Stop the controller; node daemons too unless {@code controllerOnly}.
   *
   * @param leavingCore at once, with a core file; a controller that does not know this just ends
   */
  record Shutdown(boolean controllerOnly, boolean leavingCore) implements Request {
    static final String TAG = "Shutdown";

    /** In order. */
    public Shutdown(boolean controllerOnly) {
      this(controllerOnly, false);
    }
  }

  /** How the controllers fare that keep the state. */
  record ShowReplicas() implements Request {
    static final String TAG = "ShowReplicas";
  }

  /**
   * Let another controller lead.
   *
   * @param index its place among the configuration's {@code SlurmctldHost}, from 0; -1 for the
   *     first that does not lead
   */
  record TakeOver(int index) implements Request {
    static final String TAG = "TakeOver";
  }

  /** Accounts, users, associations and QOS. */
  record ShowAccounts() implements Request {
    static final String TAG = "ShowAccounts";
  }

  /** Change the accounts of clusters that share a slurmdbd, of all these or of none. */
  record ChangeClusters(List<ClusterChange> changes) implements Request {
    static final String TAG = "ChangeClusters";
  }

  /** Have slurmdbd keep accounts for a cluster whose controller has not come yet. */
  record AddCluster(String name) implements Request {
    static final String TAG = "AddCluster";
  }

  /** Have slurmdbd keep no accounts any more for clusters, if they have no jobs. */
  record RemoveClusters(List<String> names) implements Request {
    static final String TAG = "RemoveClusters";
  }

  /** Who has what share, and has used how much of it. */
  record ShowShares() implements Request {
    static final String TAG = "ShowShares";
  }

  /** What the priority of pending jobs is made of. */
  record ShowPriorities() implements Request {
    static final String TAG = "ShowPriorities";
  }

  /** Reservations. */
  record ShowReservations() implements Request {
    static final String TAG = "ShowReservations";
  }

  /** What the controller has counted. */
  record ShowStatistics() implements Request {
    static final String TAG = "ShowStatistics";
  }

  /** Count from 0 again; for operators. */
  record ResetStatistics() implements Request {
    static final String TAG = "ResetStatistics";
  }

  /**
   * Tell more or less in the controller's log, until it ends; for operators.
   *
   * @param level a word or number of Slurm's levels
   */
  record SetLogLevel(String level) implements Request {
    static final String TAG = "SetLogLevel";
  }

  /**
   * Tell more or less of parts of the controller in its log, until the configuration is read again;
   * for operators.
   *
   * @param changes words of {@code DebugFlags}, each with + or - before it
   */
  record SetDebugFlags(List<String> changes) implements Request {
    static final String TAG = "SetDebugFlags";
  }

  /** Write {@code SlurmSchedLogFile} or not until the next reconfigure; for operators. */
  record SetSchedulerLog(boolean written) implements Request {
    static final String TAG = "SetSchedulerLog";
  }

  /** Lines of the triggers to which all of this applies, answered by {@link Response.Text}. */
  record ShowTriggers(TriggerCriteria criteria) implements Request {
    static final String TAG = "ShowTriggers";
  }

  /** The crontab of a user, null for oneself; answered by one text, or none. */
  record ShowCrontab(@Nullable String user) implements Request {
    static final String TAG = "ShowCrontab";
  }

  /** How switches or blocks join the nodes. */
  record ShowTopology() implements Request {
    static final String TAG = "ShowTopology";
  }

  /** How much of the GPUs is free, and of use to whom. */
  record ShowFragments() implements Request {
    static final String TAG = "ShowFragments";
  }

  /**
   * Who holds how much, by account and user.
   *
   * @param partition only its nodes and jobs, null for all
   * @param everybody also those who have a share and hold nothing
   */
  record ShowHolders(@Nullable String partition, boolean everybody) implements Request {
    static final String TAG = "ShowHolders";
  }

  /** How well forecasts of starts have held. */
  record ShowForecastAccuracy() implements Request {
    static final String TAG = "ShowForecastAccuracy";
  }

  /**
   * Why a job waits, who holds it, and what would let it start sooner.
   *
   * @param facts whether nothing is to be tried, which takes no time
   */
  record ExplainJob(JobSelector job, boolean facts) implements Request {
    static final String TAG = "ExplainJob";
  }

  /**
   * Recorded attempts of jobs, answered by {@link Response.JobHistory}.
   *
   * @param cluster of which cluster, null for the controller's own
   */
  record ListJobHistory(JobHistoryQuery query, @Nullable String cluster) implements Request {
    static final String TAG = "ListJobHistory";
  }

  /**
   * What was used, answered by {@link Response.Usage}.
   *
   * @param cluster on which cluster, null for the controller's own
   */
  record ShowUsage(UsageQuery query, @Nullable String cluster) implements Request {
    static final String TAG = "ShowUsage";
  }

  /**
   * Lines of a cluster's history, answered by {@link Response.RecordedHistory}.
   *
   * @param cluster of which cluster, null for the controller's own
   */
  record ShowClusterHistory(ClusterHistoryQuery query, @Nullable String cluster)
      implements Request {
    static final String TAG = "ShowClusterHistory";
  }

  /**
   * Recorded jobs of a cluster, null for the controller's own, that are not over there and that its
   * controller does not have, answered by {@link Response.JobHistory}.
   */
  record ShowRunawayJobs(@Nullable String cluster) implements Request {
    static final String TAG = "ShowRunawayJobs";
  }

  /** Ends such jobs in the accounting database, answered by {@link Response.Decided}. */
  record EndRunawayJobs(List<AttemptId> attempts, @Nullable String cluster) implements Request {
    static final String TAG = "EndRunawayJobs";
  }

  /**
   * How the accounting database is kept, as slurmdbd would tell it, answered by {@link
   * Response.Text}; without lines where slurmdbd keeps it.
   */
  record ShowBooksConfig() implements Request {
    static final String TAG = "ShowBooksConfig";
  }

  /** Takes old records out of the accounting database, answered by {@link Response.Text}. */
  record ArchiveRecords(ArchiveOrder order) implements Request {
    static final String TAG = "ArchiveRecords";
  }

  /**
   * Puts an archive back into the accounting database, answered by {@link Response.Text}.
   *
   * @param file its path where the database is written
   */
  record LoadRecords(String file) implements Request {
    static final String TAG = "LoadRecords";
  }

  /** Whether the daemons answer that keep the books, by {@link Response.BookKeepers}. */
  record PingBooks() implements Request {
    static final String TAG = "PingBooks";
  }

  /**
   * Puts records of attempts of this cluster's jobs right, all or none, answered by {@link
   * Response.Decided}.
   */
  record CorrectJobs(List<AttemptId> attempts, JobCorrection correction) implements Request {
    static final String TAG = "CorrectJobs";
  }

  /**
   * A token of {@code auth/jwt}, answered by {@link Response.Text}; no line where none is signed.
   *
   * @param user its user, null for oneself; others' are for root and SlurmUser
   * @param seconds how long it is valid, 0 for as long as usual
   */
  record MakeToken(@Nullable String user, int seconds) implements Request {
    static final String TAG = "MakeToken";
  }

  /**
   * Whether it may be sent again when it is not known if it was carried out: what only asks, what
   * comes to the same when done twice, and changes that are known again by their name.
   */
  default boolean mayRepeat() {
    return isQuestion()
        || this instanceof Reconfigure
        || this instanceof ResetStatistics
        || this instanceof SetLogLevel
        || this instanceof SetDebugFlags
        || this instanceof SetSchedulerLog
        || (this instanceof Change change && change.isNamed())
        || (this instanceof Allocate(Change submission, _) && submission.isNamed())
        || (this instanceof TakeOver(int index) && index >= 0);
  }

  /** Whether it only asks: nothing is different when it has been answered. */
  default boolean isQuestion() {
    return switch (this) {
      case Change _, Allocate _, TakeOver _, Shutdown _, Reconfigure _, ResetStatistics _ -> false;
      case SetLogLevel _, SetDebugFlags _, SetSchedulerLog _, ChangeClusters _ -> false;
      case RemoveClusters _, EndRunawayJobs _, CorrectJobs _, ArchiveRecords _ -> false;
      case LoadRecords _, AddCluster _ -> false;
      case Greeting _, TestSubmit _, TestHetSubmit _, ListJobs _, MoreJobs _, ChangedJobs _ -> true;
      case AwaitJobs _, Visibility _, ShowCluster _, ShowConfig _, FetchConfig _, Ping _ -> true;
      case BatchScript _, WaitJob _, AwaitStart _, AwaitStepRoom _, ShowWaitingSteps _ -> true;
      case LaunchStep _, GrantFiles _, LocateNodes _, ShowReplicas _, ShowAccounts _ -> true;
      case ShowShares _, ShowPriorities _, ShowReservations _, ShowStatistics _ -> true;
      case ShowTopology _, ShowTriggers _, ShowCrontab _, ShowFragments _, ShowHolders _ -> true;
      case ShowForecastAccuracy _, ExplainJob _, ListJobHistory _, ShowUsage _ -> true;
      case ShowClusterHistory _, ShowRunawayJobs _, ShowBooksConfig _, PingBooks _ -> true;
      case MakeToken _ -> true;
    };
  }
}
