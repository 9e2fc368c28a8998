package io.dure.model.command;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.hook.TriggerChange;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.node.NodeFacts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.model.reservation.ReservationRequest;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A requested change. Its caller comes beside it, never inside. */
public sealed interface Command {

  /** Commands that people send; everything in them is untrusted. */
  sealed interface UserCommand extends Command {

    /** What kind of change it is, as the answers that are kept name it. */
    default String kind() {
      return switch (this) {
        case SubmitJob _ -> SubmitJob.TAG;
        case SubmitHetJob _ -> SubmitHetJob.TAG;
        case KillJob _ -> KillJob.TAG;
        case KillJobs _ -> KillJobs.TAG;
        case HoldJob _ -> HoldJob.TAG;
        case ReleaseJob _ -> ReleaseJob.TAG;
        case RequeueJob _ -> RequeueJob.TAG;
        case SuspendJob _ -> SuspendJob.TAG;
        case ResumeJob _ -> ResumeJob.TAG;
        case UpdateJob _ -> UpdateJob.TAG;
        case TopJobs _ -> TopJobs.TAG;
        case NotifyJob _ -> NotifyJob.TAG;
        case UpdateNodes _ -> UpdateNodes.TAG;
        case CreateNodes _ -> CreateNodes.TAG;
        case DeleteNodes _ -> DeleteNodes.TAG;
        case ChangePartition _ -> ChangePartition.TAG;
        case DeletePartition _ -> DeletePartition.TAG;
        case ChangeAccounting _ -> ChangeAccounting.TAG;
        case CreateReservation _ -> CreateReservation.TAG;
        case UpdateReservation _ -> UpdateReservation.TAG;
        case DeleteReservation _ -> DeleteReservation.TAG;
        case CreateStep _ -> CreateStep.TAG;
        case CompleteAllocation _ -> CompleteAllocation.TAG;
        case KillStep _ -> KillStep.TAG;
        case UpdateStep _ -> UpdateStep.TAG;
        case ChangeTriggers _ -> ChangeTriggers.TAG;
        case ChangeCrontab _ -> ChangeCrontab.TAG;
      };
    }
  }

  /**
   * A change that may be asked for again because its answer was lost: if it changed something, it
   * is answered as before and not done again. What changes nothing that is stored (a refusal, a
   * signal, a line to a job) is decided anew: then a signal may be sent twice, and none is lost.
   *
   * @param requestId 32 hexadecimal digits, random; known of the caller and this kind of change
   */
  record Named(String requestId, UserCommand change) implements Command {
    static final String TAG = "Named";
  }

  /** Commands that node daemons send. */
  sealed interface NodeCommand extends Command {}

  /** Commands of the controller's own timers, scheduler and administration. */
  sealed interface InternalCommand extends Command {}

  /**
   * Accept a job; what {@code workload} says of its texts' names is not believed.
   *
   * @param requestId names the submission among the caller's: asked again, it is the same job; null
   *     for one that is not asked again
   */
  record SubmitJob(JobSpec spec, Workload workload, JobTexts texts, @Nullable String requestId)
      implements UserCommand {
    static final String TAG = "SubmitJob";

    /** A submission that is not asked again. */
    public SubmitJob(JobSpec spec, Workload workload, JobTexts texts) {
      this(spec, workload, texts, null);
    }
  }

  /**
   * Accept a heterogeneous job: all its components, or none.
   *
   * @param components what each asks for; the first leads
   * @param texts script and environment, which all have in common
   * @param requestId as of a {@link SubmitJob}
   */
  record SubmitHetJob(List<Component> components, JobTexts texts, @Nullable String requestId)
      implements UserCommand {
    static final String TAG = "SubmitHetJob";
  }

  /** One component of a heterogeneous job. */
  record Component(JobSpec spec, Workload workload) {}

  /**
   * Cancel or signal.
   *
   * @param signal null to cancel, else the signal to send
   * @param batchOnly signal the batch shell only ({@code --batch})
   * @param full signal the batch shell and all else ({@code --full})
   * @param waitReason what the scheduler last said of their wait; the controller fills it in
   * @param cron whether jobs of crontabs are meant, too ({@code --cron})
   */
  record KillJob(
      JobSelector job,
      @Nullable Integer signal,
      boolean batchOnly,
      boolean full,
      @Nullable String waitReason,
      boolean cron)
      implements UserCommand {
    static final String TAG = "KillJob";

    /** As users ask for it. */
    public KillJob(JobSelector job, @Nullable Integer signal, boolean batchOnly, boolean full) {
      this(job, signal, batchOnly, full, null, false);
    }

    /** The same with what the scheduler said. */
    public KillJob waitingFor(@Nullable String reason) {
      return new KillJob(job, signal, batchOnly, full, reason, cron);
    }
  }

  /**
   * Cancel or signal many jobs in one decision, each as a {@link KillJob} does.
   *
   * @param jobs which, in that order, at most {@link #MOST_NAMED}; empty where a filter says which
   * @param filter which of all jobs that are not over, null where they are named
   * @param after with a filter: only records of higher ids, to go on where a reply ended
   * @param signal null to cancel, else the signal to send
   * @param batchOnly signal the batch shell only
   * @param full signal the batch shell and all else
   * @param waits what the scheduler last said of their wait; the controller fills it in
   * @param cron whether jobs of crontabs are meant, too
   */
  record KillJobs(
      List<JobSelector> jobs,
      @Nullable KillFilter filter,
      int after,
      @Nullable Integer signal,
      boolean batchOnly,
      boolean full,
      List<WaitReason> waits,
      boolean cron)
      implements UserCommand {
    static final String TAG = "KillJobs";

    /** Jobs that one command names at most. */
    public static final int MOST_NAMED = 5_000;

    /** The jobs that are named. */
    public static KillJobs named(
        List<JobSelector> jobs, @Nullable Integer signal, boolean batchOnly, boolean full) {
      return new KillJobs(jobs, null, 0, signal, batchOnly, full, List.of(), false);
    }

    /** The jobs that pass a filter. */
    public static KillJobs passing(
        KillFilter filter, int after, @Nullable Integer signal, boolean batchOnly, boolean full) {
      return new KillJobs(List.of(), filter, after, signal, batchOnly, full, List.of(), false);
    }

    /** The same with what the scheduler said. */
    public KillJobs waitingFor(List<WaitReason> reasons) {
      return new KillJobs(jobs, filter, after, signal, batchOnly, full, reasons, cron);
    }

    /** The command for one of them. */
    public KillJob one(JobSelector job, @Nullable String waitReason) {
      return new KillJob(job, signal, batchOnly, full, waitReason, cron);
    }
  }

  /** What the scheduler last said of the wait of a job. */
  record WaitReason(int jobId, String reason) {}

  /** Keep back; {@code asUser} asks for a hold its owner may release, even by an operator. */
  record HoldJob(JobSelector job, boolean asUser) implements UserCommand {
    static final String TAG = "HoldJob";
  }

  /** End a hold. */
  record ReleaseJob(JobSelector job) implements UserCommand {
    static final String TAG = "ReleaseJob";
  }

  /**
   * Put a running or finished job back.
   *
   * @param hold and keep it held
   * @param specialExit and mark it SPECIAL_EXIT
   * @param incomplete only if it has not ended
   */
  record RequeueJob(JobSelector job, boolean hold, boolean specialExit, boolean incomplete)
      implements UserCommand {
    static final String TAG = "RequeueJob";
  }

  /** Let the processes of running jobs stand still; operators alone may. */
  record SuspendJob(JobSelector job) implements UserCommand {
    static final String TAG = "SuspendJob";
  }

  /** Let suspended jobs go on. */
  record ResumeJob(JobSelector job) implements UserCommand {
    static final String TAG = "ResumeJob";
  }

  /** {@code scontrol update job}. */
  record UpdateJob(JobSelector job, JobChange change) implements UserCommand {
    static final String TAG = "UpdateJob";
  }

  /** {@code scontrol top}: the jobs, in this order, before the other jobs of their owner. */
  record TopJobs(List<Integer> jobs) implements UserCommand {
    static final String TAG = "TopJobs";
  }

  /** {@code scontrol notify}: write a text to the job's standard error. */
  record NotifyJob(JobSelector job, String text) implements UserCommand {
    static final String TAG = "NotifyJob";
  }

  /**
   * {@code scontrol update nodename=}.
   *
   * @param keys settings as typed, keys in lower case
   */
  record UpdateNodes(List<String> nodes, Map<String, String> keys) implements UserCommand {
    static final String TAG = "UpdateNodes";
  }

  /** {@code scontrol create nodename=}. */
  record CreateNodes(List<NodeConfig> nodes) implements UserCommand {
    static final String TAG = "CreateNodes";
  }

  /** {@code scontrol delete nodename=}. */
  record DeleteNodes(List<String> nodes) implements UserCommand {
    static final String TAG = "DeleteNodes";
  }

  /**
   * {@code scontrol create partitionname=} or {@code update partitionname=}.
   *
   * @param partition the whole partition as it is to be, worked out from the one that the caller
   *     saw
   */
  record ChangePartition(PartitionConfig partition, boolean create) implements UserCommand {
    static final String TAG = "ChangePartition";
  }

  /** {@code scontrol delete partitionname=}. */
  record DeletePartition(String name) implements UserCommand {
    static final String TAG = "DeletePartition";
  }

  /**
   * {@code sacctmgr}: change the accounts.
   *
   * @param basis the version of the tree that the changes were worked out from; refused if there is
   *     another by now
   */
  record ChangeAccounting(long basis, List<AccountingChange> changes) implements UserCommand {
    static final String TAG = "ChangeAccounting";
  }

  /** {@code scontrol create reservation}. */
  record CreateReservation(ReservationRequest request) implements UserCommand {
    static final String TAG = "CreateReservation";
  }

  /** {@code scontrol update reservationname=}. */
  record UpdateReservation(String name, ReservationRequest change) implements UserCommand {
    static final String TAG = "UpdateReservation";
  }

  /** {@code scontrol delete reservationname=}. */
  record DeleteReservation(String name) implements UserCommand {
    static final String TAG = "DeleteReservation";
  }

  /** {@code srun} in an allocation: begin a step of a job that runs. */
  record CreateStep(int jobId, StepSpec spec) implements UserCommand {
    static final String TAG = "CreateStep";
  }

  /**
   * The user of an interactive allocation needs it no more.
   *
   * @param exit how what ran in it ended
   */
  record CompleteAllocation(int jobId, ExitStatus exit) implements UserCommand {
    static final String TAG = "CompleteAllocation";
  }

  /**
   * {@code scancel JOB.STEP}: end a step of a job that runs, or signal its tasks.
   *
   * @param signal null to end it, else the signal to send
   */
  record KillStep(int jobId, int step, @Nullable Integer signal) implements UserCommand {
    static final String TAG = "KillStep";
  }

  /**
   * Gives steps another time limit.
   *
   * @param step this one, null for all that run
   * @param minutes the limit, null for none; if {@code relative}, how much longer than now, which
   *     leaves a step without a limit as it is
   */
  record UpdateStep(int jobId, @Nullable Integer step, @Nullable Integer minutes, boolean relative)
      implements UserCommand {
    static final String TAG = "UpdateStep";
  }

  /**
   * A node daemon has connected and lists all runs it knows of.
   *
   * @param dynamic its own description where it adds itself ({@code slurmd -Z}), else null
   */
  record RegisterNode(NodeFacts facts, List<RunReport> runs, @Nullable NodeConfig dynamic)
      implements NodeCommand {
    static final String TAG = "RegisterNode";
  }

  /** The node took a launch: its keeper process stands. */
  record StepLaunched(int jobId, int run) implements NodeCommand {
    static final String TAG = "StepLaunched";
  }

  /** A batch step ended; {@code clean} as in {@link RunReport}. */
  record StepEnded(int jobId, int run, StepEnd end, boolean clean) implements NodeCommand {
    static final String TAG = "StepEnded";
  }

  /** A numbered step ended on a node, and how. */
  record StepPartEnded(int jobId, int run, int step, StepEnd end) implements NodeCommand {
    static final String TAG = "StepPartEnded";
  }

  /**
   * A numbered step ended on some nodes, for which the sender collects their reports.
   *
   * @param batch a number that the answer repeats
   * @param used what it used on all of these nodes, null where that is not known
   */
  record StepPartsEnded(
      int jobId,
      int run,
      int step,
      long batch,
      List<StepPartEnds> parts,
      @Nullable StepConsumption used)
      implements NodeCommand {
    static final String TAG = "StepPartsEnded";
  }

  /** Nothing of the run is left on the node; {@code epilogError} is null or says what failed. */
  record NodeCleaned(int jobId, int run, @Nullable String epilogError) implements NodeCommand {
    static final String TAG = "NodeCleaned";
  }

  /** The node found itself unfit. */
  record NodeUnfit(String reason) implements NodeCommand {
    static final String TAG = "NodeUnfit";
  }

  /** The connection of a node's daemon is gone. */
  record NodeDisconnected(String node) implements InternalCommand {
    static final String TAG = "NodeDisconnected";
  }

  /**
   * What a connected node runs, by its own word, has differed from the state for a while.
   *
   * @param runs all it knows of
   * @param late what it should have launched on this connection and will not launch any more
   */
  record CompareRuns(String node, List<RunReport> runs, List<LateLaunch> late)
      implements InternalCommand {
    static final String TAG = "CompareRuns";
  }

  /** The controller has started on this configuration, or was told to read it again. */
  record Configure(ClusterConfig config, Recovery recovery) implements InternalCommand {
    static final String TAG = "Configure";
  }

  /**
   * This controller leads from now on where another led, or it itself did. That is no start: what
   * was changed while running stays so, and so does the configuration in force. No node is there.
   */
  record TakeOver() implements InternalCommand {
    static final String TAG = "TakeOver";
  }

  /** What of the former state outlives a new configuration. */
  enum Recovery {
    /** Told to read it again: connections stay, partitions are as the file says. */
    RECONFIGURE,
    /** Started: no node is connected, partitions are as the file says ({@code -r}, the default). */
    START,
    /** Started: partitions stay as they were changed ({@code -R}). */
    START_KEEPING_PARTITIONS
  }

  /** Time has passed: limits, deadlines, dependencies, begin times, silence, purge. */
  record Tick() implements InternalCommand {
    static final String TAG = "Tick";
  }

  /**
   * PrologSlurmctld of a run is over.
   *
   * @param failure what failed, null if nothing did
   */
  record PrologEnded(int jobId, int run, @Nullable String failure) implements InternalCommand {
    static final String TAG = "PrologEnded";
  }

  /** EpilogSlurmctld of a run is over, well or not. */
  record EpilogEnded(int jobId, int run) implements InternalCommand {
    static final String TAG = "EpilogEnded";
  }

  /** Let jobs make room for others, as far as they still may have to. */
  record PreemptJobs(List<Preemption> preemptions) implements InternalCommand {
    static final String TAG = "PreemptJobs";
  }

  /** Start what the scheduler placed, as far as it still fits. */
  record StartJobs(List<Placement> placements) implements InternalCommand {
    static final String TAG = "StartJobs";
  }

  /** What was told of the starts of waiting jobs is to be remembered. */
  record NoteForecasts(List<FirstForecast> forecasts) implements InternalCommand {
    static final String TAG = "NoteForecasts";
  }

  /** Make changes of the accounts that slurmdbd made for a user; refused at another version. */
  record FollowAccounting(long basis, List<AccountingChange> changes, String actor)
      implements InternalCommand {
    static final String TAG = "FollowAccounting";
  }

  /** Count what was used on other clusters of slurmdbd; of those that are whole, by all users. */
  record CountUsageElsewhere(List<ClusterUsage> changed, List<String> clusters, List<String> whole)
      implements InternalCommand {
    static final String TAG = "CountUsageElsewhere";
  }

  /** Take over the accounts as slurmdbd has them. */
  record ReplaceAccounting(AccountingRecords accounts) implements InternalCommand {
    static final String TAG = "ReplaceAccounting";
  }

  /** Put records of attempts right, for a user that may. */
  record CorrectJobs(List<AttemptId> attempts, JobCorrection correction, String actor)
      implements InternalCommand {
    static final String TAG = "CorrectJobs";
  }

  /** JobCompType has recorded the jobs of so many events. */
  record NoteCompletions(long position, long fileLength) implements InternalCommand {
    static final String TAG = "NoteCompletions";
  }

  /** Set or clear triggers. */
  record ChangeTriggers(TriggerChange change) implements UserCommand {
    static final String TAG = "ChangeTriggers";
  }

  /** {@code scrontab}: another crontab for the caller. */
  record ChangeCrontab(CrontabChange change) implements UserCommand {
    static final String TAG = "ChangeCrontab";
  }
}
